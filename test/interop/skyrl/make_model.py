"""Writes a small Qwen3 with random weights and its tokenizer as a folder in the layout of Hugging Face. Reads JSON: `folder` and `seed`."""

import json
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models

VOCABULARY = 64
WIDTH = 64
INNER = 128
LAYERS = 2
HEADS = 4
KEY_HEADS = 2
HEAD = 16

CONFIG = {
    "architectures": ["Qwen3ForCausalLM"],
    "model_type": "qwen3",
    "vocab_size": VOCABULARY,
    "hidden_size": WIDTH,
    "intermediate_size": INNER,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "num_key_value_heads": KEY_HEADS,
    "head_dim": HEAD,
    "hidden_act": "silu",
    "attention_bias": False,
    "tie_word_embeddings": True,
    "rms_norm_eps": 1e-6,
    "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
    "max_position_embeddings": 512,
    "bos_token_id": 0,
    "eos_token_id": 1,
    "dtype": "float32",
}


def weights(seed):
    """Of a size that makes some tokens much likelier than others."""
    random = np.random.default_rng(seed)

    def matrix(outputs, inputs):
        return random.normal(0, inputs**-0.5, (outputs, inputs))

    def scale(size):
        return random.uniform(0.5, 1.5, size)

    tensors = {"model.embed_tokens.weight": random.normal(0, 0.3, (VOCABULARY, WIDTH)), "model.norm.weight": scale(WIDTH)}
    for layer in range(LAYERS):
        tensors |= {
            f"model.layers.{layer}.{name}.weight": value
            for name, value in {
                "input_layernorm": scale(WIDTH),
                "post_attention_layernorm": scale(WIDTH),
                "self_attn.q_proj": matrix(HEADS * HEAD, WIDTH),
                "self_attn.k_proj": matrix(KEY_HEADS * HEAD, WIDTH),
                "self_attn.v_proj": matrix(KEY_HEADS * HEAD, WIDTH),
                "self_attn.o_proj": matrix(WIDTH, HEADS * HEAD),
                "self_attn.q_norm": scale(HEAD),
                "self_attn.k_norm": scale(HEAD),
                "mlp.gate_proj": matrix(INNER, WIDTH),
                "mlp.up_proj": matrix(INNER, WIDTH),
                "mlp.down_proj": matrix(WIDTH, INNER),
            }.items()
        }
    return {name: value.astype(np.float32) for name, value in tensors.items()}


def write_model(folder, seed):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG))
    save_file(weights(seed), folder / "model.safetensors")
    tokens = {"<s>": 0, "</s>": 1} | {f"t{token}": token for token in range(2, VOCABULARY)}
    Tokenizer(models.WordLevel(tokens, unk_token="<s>")).save(str(folder / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>", "eos_token": "</s>", "pad_token": "</s>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))


if __name__ == "__main__":
    given = json.load(sys.stdin)
    write_model(Path(given["folder"]), given["seed"])
    json.dump({}, sys.stdout)
