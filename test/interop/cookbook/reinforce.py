"""The reinforcement learning loop of tinker-cookbook. Reads its settings as JSON from the standard input, and prints the metrics of its steps
and its checkpoints as JSON. A reply is worth 1 if it is the wanted one."""

from dataclasses import dataclass

import chz
import tinker
from tinker_cookbook.rl import train
from tinker_cookbook.rl.types import Env, EnvGroupBuilder, RLDataset, RLDatasetBuilder, StepResult

from loop import finish, read_input, run_loop


@dataclass
class Question(Env):
    prompt: list
    reply: list

    async def initial_observation(self):
        return tinker.ModelInput.from_ints(self.prompt), self.reply[-1:]

    async def step(self, action, *, extra=None):
        return StepResult(
            reward=float(action == self.reply),
            episode_done=True,
            next_observation=tinker.ModelInput.empty(),
            next_stop_condition=self.reply[-1:],
        )


@dataclass
class Group(EnvGroupBuilder):
    question: Question
    size: int

    async def make_envs(self):
        return [self.question] * self.size


@dataclass
class Groups(RLDataset):
    batches: list
    size: int

    def __len__(self):
        return len(self.batches)

    def get_batch(self, index):
        return [Group(Question(prompt, reply), self.size) for prompt, reply in self.batches[index]]


@chz.chz
class GroupsBuilder(RLDatasetBuilder):
    batches: list
    size: int

    async def __call__(self):
        return Groups(self.batches, self.size), None


if __name__ == "__main__":
    given = read_input()
    finish(run_loop(train, given, GroupsBuilder(batches=given["batches"], size=given["size"])))
