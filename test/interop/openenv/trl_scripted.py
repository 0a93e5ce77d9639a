"""Trains one step with docs/serve/trl_grpo.py in TRL on a CPU. The model is a tiny one with random weights, whose replies are
scripted: in each group the first rollout plays the given solution, and the others finish at once. Losses and gradients are real."""

import json
import os
import sys
import tempfile
from pathlib import Path

given = json.loads(sys.stdin.read())
os.environ["DARTBOARD_OPENENV"] = given["url"]
os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"
# The folder of the examples stays as it is.
sys.dont_write_bytecode = True
sys.path.insert(0, given["examples"])

import torch  # noqa: E402
import trl  # noqa: E402
import trl_grpo  # noqa: E402
from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: E402
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM  # noqa: E402
from trl import GRPOConfig  # noqa: E402

GENERATIONS = 2
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>", "<think>", "</think>"]
SPECIAL += ["<tool_response>", "</tool_response>"]


def tiny_tokenizer():
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.add_tokens(SPECIAL)
    fast.chat_template = (Path(trl.__file__).parent / "chat_templates/qwen3.jinja").read_text(encoding="utf-8")
    return fast


def call_text(name, arguments):
    call = json.dumps({"name": name, "arguments": arguments})
    return f"<tool_call>\n{call}\n</tool_call><|im_end|>"


class ScriptedModel(Qwen3ForCausalLM):
    """Replies to the first call with the first actions of the scripts, and so on."""

    def generate(self, input_ids, **_):
        # A rollout that has ended is in no later batch: the first one plays the longest script.
        texts = [script.pop(0) if script else "Done.<|im_end|>" for script in self.scripts[: len(input_ids)]]
        replies = [torch.tensor(self.tokenizer(text)["input_ids"]) for text in texts]
        pad = self.tokenizer.pad_token_id
        padded = torch.nn.utils.rnn.pad_sequence(replies, batch_first=True, padding_value=pad)
        return torch.cat([input_ids, padded], dim=1)


tokenizer = tiny_tokenizer()
torch.manual_seed(0)
model = ScriptedModel(
    Qwen3Config(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, head_dim=8, max_position_embeddings=32768, tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
    )
)  # fmt: skip
model.tokenizer = tokenizer
model.scripts = [
    [call_text(*call) for call in given["solution"]],
    *[[call_text("finish", {})] for _ in range(GENERATIONS - 1)],
]
before = torch.cat([weights.detach().flatten().clone() for weights in model.parameters()])
rewards = []


class Watched(trl_grpo.Desktop):
    def get_reward(self):
        rewards.append(super().get_reward())
        return rewards[-1]


trl_grpo.Desktop = Watched
with tempfile.TemporaryDirectory() as folder:
    args = GRPOConfig(
        output_dir=folder, per_device_train_batch_size=GENERATIONS, num_generations=GENERATIONS, max_steps=1,
        max_completion_length=20000, learning_rate=1e-2, beta=0.0, use_cpu=True, report_to=[], save_strategy="no",
        logging_steps=1, disable_tqdm=True, bf16=False, gradient_checkpointing=False,
    )  # fmt: skip
    sys.stdout, printed = sys.stderr, sys.stdout
    rows = [{"task_id": given["task"], "seed": given["seed"]}]
    trainer = trl_grpo.make_trainer(model, rows, args, processing_class=tokenizer)
    trainer.train()
    sys.stdout = printed
after = torch.cat([weights.detach().flatten() for weights in model.parameters()])
[log] = [entry for entry in trainer.state.log_history if "loss" in entry]
print(
    json.dumps(
        {
            "rewards": rewards,
            "changed": bool((before != after).any()),
            "finite": bool(torch.isfinite(after).all()),
            "calls": log["tools/call_frequency"],
            "failures": log["tools/failure_frequency"],
        }
    )
)
