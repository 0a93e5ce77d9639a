"""SkyRL's own Tinker server with its JAX backend: `serve.py MODEL FOLDER CHECKPOINTS PORT`. FOLDER gets its database.

SkyRL starts the process of its engine with `uv run`, which installs packages again. Here the engine is started with this Python.
"""

import sys
from pathlib import Path

import uvicorn
from skyrl.tinker import api
from skyrl.tinker.config import EngineConfig, config_to_argv

SETTINGS = {"max_lora_adapters": 16, "max_lora_rank": 8, "loss_chunk_size": 0}


def engine_command(_, config):
    return [sys.executable, "-m", "skyrl.tinker.engine", *config_to_argv(config)]


if __name__ == "__main__":
    model, folder, checkpoints, port = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    api._build_uv_run_cmd_engine = engine_command
    api.app.state.engine_config = EngineConfig(
        base_model=model,
        backend="jax",
        backend_config=SETTINGS,
        checkpoints_base=checkpoints,
        database_url=f"sqlite:///{folder}/tinker.db",
    )
    uvicorn.run(api.app, host="127.0.0.1", port=port, timeout_graceful_shutdown=1)
