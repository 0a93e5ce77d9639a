"""The supervised loop of tinker-cookbook. Reads its settings as JSON from the standard input, and prints the metrics of its steps, its
checkpoints, and greedy replies before and after the training as JSON."""

import chz
import tinker
import torch
from tinker import types
from tinker_cookbook.supervised import train
from tinker_cookbook.supervised.common import datum_from_model_input_weights
from tinker_cookbook.supervised.types import SupervisedDataset, SupervisedDatasetBuilder

from loop import finish, read_input, run_loop


def datum_of(prompt, reply):
    chunks = [types.EncodedTextChunk(tokens=tokens) for tokens in (prompt, reply)]
    weights = torch.tensor([0.0] * len(prompt) + [1.0] * len(reply))
    return datum_from_model_input_weights(types.ModelInput(chunks=chunks), weights, reduction="mean")


class Replies(SupervisedDataset):
    def __init__(self, batches):
        self.batches = batches

    def __len__(self):
        return len(self.batches)

    def get_batch(self, index):
        return [datum_of(prompt, reply) for prompt, reply in self.batches[index]]


@chz.chz
class RepliesBuilder(SupervisedDatasetBuilder):
    batches: list

    def __call__(self):
        return Replies(self.batches), None


def greedy(client, prompt):
    sampled = client.sample(
        prompt=types.ModelInput.from_ints(prompt),
        num_samples=1,
        sampling_params=types.SamplingParams(max_tokens=24, temperature=0),
    )
    return list(sampled.result().sequences[0].tokens)


if __name__ == "__main__":
    given = read_input()
    output = run_loop(train, given, RepliesBuilder(batches=given["batches"]))
    service = tinker.ServiceClient(base_url=given["url"])
    base = service.create_sampling_client(base_model="micro").result()
    path = output["checkpoints"][-1]["sampler_path"]
    trained = service.create_sampling_client(model_path=path).result()
    prompts = [prompt for batch in given["batches"] for prompt, _ in batch]
    before, after = ([greedy(client, prompt) for prompt in prompts] for client in (base, trained))
    finish({**output, "before": before, "after": after})
