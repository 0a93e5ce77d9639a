"""The official server with a small environment, for comparisons of its replies. Prints its port."""

import socket
import sys

import uvicorn
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app


class Wait(Action):
    kind: str


class Nothing(Observation):
    pass


class Waiting(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._state = State()

    def reset(self, seed=None, episode_id=None, **_):
        self._state = State(episode_id=episode_id or "episode")
        return Nothing(reward=0.0)

    def step(self, action, **_):
        self._state.step_count += 1
        return Nothing(reward=0.0)

    @property
    def state(self):
        return self._state


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
sys.stdout.write(f"{listener.getsockname()[1]}\n")
sys.stdout.flush()
app = create_fastapi_app(Waiting, Wait, Nothing, max_concurrent_envs=2)
uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
