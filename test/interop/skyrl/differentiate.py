"""A Qwen3 with a LoRA adapter and its gradient, computed apart from SkyRL in 64 bits.

Reads JSON: the folder of the model, the folders of an adapter `before` and `after` one step of plain gradient descent with `rate`, LoRA's
`scaling`, and rows of `prompt`, `reply` and `weights`. Prints the log-probabilities of the replies under both adapters, and how far
the step is from the gradient of -sum(weight * log p).
"""

import json
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import safetensors.numpy

jax.config.update("jax_enable_x64", True)

PREFIX = "base_model.model."


def in_64_bits(tensors):
    return {name: jnp.asarray(value, dtype=jnp.float64) for name, value in tensors.items()}


def read_adapter(folder):
    tensors = safetensors.numpy.load_file(Path(folder, "adapter_model.safetensors"))
    return in_64_bits({name.removeprefix(PREFIX): value for name, value in tensors.items()})


def normed(x, weight, epsilon):
    return weight * x / jnp.sqrt(jnp.mean(x * x, axis=-1, keepdims=True) + epsilon)


def rotated(x, theta):
    """x: place, head, number. The two halves of a head are turned by an angle that grows with the place."""
    places, _, size = x.shape
    angle = jnp.arange(places)[:, None, None] / theta ** (2 * jnp.arange(size // 2) / size)
    first, second = jnp.split(x, 2, axis=-1)
    return jnp.concatenate(
        [first * jnp.cos(angle) - second * jnp.sin(angle), first * jnp.sin(angle) + second * jnp.cos(angle)], axis=-1
    )


class Model:
    def __init__(self, folder, scaling):
        self.config = json.loads((folder / "config.json").read_text())
        self.base = in_64_bits(safetensors.numpy.load_file(folder / "model.safetensors"))
        self.scaling = scaling

    def linear(self, name, adapter, x):
        first, second = adapter[f"{name}.lora_A.weight"], adapter[f"{name}.lora_B.weight"]
        return x @ self.base[f"{name}.weight"].T + self.scaling * (x @ first.T @ second.T)

    def norm(self, name, x):
        return normed(x, self.base[f"{name}.weight"], self.config["rms_norm_eps"])

    def attention(self, name, adapter, x):
        heads, key_heads = self.config["num_attention_heads"], self.config["num_key_value_heads"]
        theta = self.config["rope_parameters"]["rope_theta"]
        query, key, value = (
            self.linear(f"{name}.{part}_proj", adapter, x).reshape(len(x), count, -1)
            for part, count in (("q", heads), ("k", key_heads), ("v", key_heads))
        )
        query = rotated(self.norm(f"{name}.q_norm", query), theta)
        key = rotated(self.norm(f"{name}.k_norm", key), theta)
        key, value = (jnp.repeat(each, heads // key_heads, axis=1) for each in (key, value))
        scores = jnp.einsum("qhd,khd->hqk", query, key) / jnp.sqrt(query.shape[-1])
        seen = jnp.tril(jnp.ones((len(x), len(x)), dtype=bool))
        shares = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), axis=-1)
        mixed = jnp.einsum("hqk,khd->qhd", shares, value).reshape(len(x), -1)
        return self.linear(f"{name}.o_proj", adapter, mixed)

    def gated(self, name, adapter, x):
        gate = jax.nn.silu(self.linear(f"{name}.gate_proj", adapter, x))
        return self.linear(f"{name}.down_proj", adapter, gate * self.linear(f"{name}.up_proj", adapter, x))

    def log_probabilities(self, adapter, row):
        """Of the tokens of the reply."""
        tokens = jnp.asarray(row["prompt"] + row["reply"])
        embedding = self.base["model.embed_tokens.weight"]
        x = embedding[tokens[:-1]]
        for layer in range(self.config["num_hidden_layers"]):
            name = f"model.layers.{layer}"
            x = x + self.attention(f"{name}.self_attn", adapter, self.norm(f"{name}.input_layernorm", x))
            x = x + self.gated(f"{name}.mlp", adapter, self.norm(f"{name}.post_attention_layernorm", x))
        logits = self.norm("model.norm", x) @ embedding.T
        all_places = jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[1:, None], axis=-1)[:, 0]
        return all_places[len(row["prompt"]) - 1 :]

    def loss(self, adapter, rows):
        return -sum(jnp.dot(jnp.asarray(row["weights"]), self.log_probabilities(adapter, row)) for row in rows)


def with_shared(gradient):
    """SkyRL has one matrix lora_A for the projections of an input: its gradient is the sum of theirs."""
    shared = dict(gradient)
    for names in (("q_proj", "k_proj", "v_proj"), ("gate_proj", "up_proj")):
        for key in gradient:
            if f".{names[0]}.lora_A" in key:
                keys = [key.replace(names[0], name) for name in names]
                shared |= dict.fromkeys(keys, sum(gradient[each] for each in keys))
    return shared


def size(tensors):
    return float(np.sqrt(sum(np.sum(np.square(value)) for value in tensors)))


def main(given):
    model = Model(Path(given["model"]), given["scaling"])
    rows = given["rows"]
    before, after = read_adapter(given["before"]), read_adapter(given["after"])
    gradient = with_shared(jax.grad(model.loss)(before, rows))
    stepped = {name: (before[name] - after[name]) / given["rate"] for name in before}
    return {
        "before": [model.log_probabilities(before, row).tolist() for row in rows],
        "after": [model.log_probabilities(after, row).tolist() for row in rows],
        "gradient": size(gradient.values()),
        "error": size(stepped[name] - gradient[name] for name in gradient),
        "tensors": {
            name: size([stepped[name] - gradient[name]]) / size([gradient[name]]) for name in sorted(gradient)
        },
    }


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
