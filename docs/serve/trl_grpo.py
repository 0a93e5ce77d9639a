"""Trains a language model on Dartboard's desktops with TRL's GRPO: the methods of `Desktop` are the tools of the model.

`dartboard serve --openenv --port 8000 --sessions 16` starts the desktops: each generation of a batch needs a session.
"""

import os

from datasets import Dataset
from openenv import GenericEnvClient
from trl import GRPOConfig, GRPOTrainer

PROMPT = "Use the desktop to do the task. Call a tool in each turn, and call finish when the task is done.\n"


class Desktop:
    def __init__(self):
        base_url = os.environ.get("DARTBOARD_OPENENV", "http://127.0.0.1:8000")
        self._env = GenericEnvClient(base_url=base_url).sync()

    def reset(self, task_id=None, seed=None, **_row):
        self._result = self._env.reset(task_id=task_id, seed=seed, observation="text")
        return f"Task: {self._result.observation['instruction']}\n{self._result.observation['elements']}"

    def click(self, x: int, y: int) -> str:
        """Clicks a point of the screen.
        Args:
            x: The column of the point in pixels.
            y: The row of the point in pixels.
        """
        return self._step({"kind": "click", "at": {"x": x, "y": y}})

    def write(self, text: str) -> str:
        """Types a text into the focused element.
        Args:
            text: The text. A line break presses Enter.
        """
        return self._step({"kind": "type", "text": text})

    def finish(self) -> str:
        """Reports that the task is done."""
        return self._step({"kind": "finished"})

    def get_reward(self) -> float:
        return float(self._result.reward)

    def _step(self, action):
        # After the end of the episode this raises, and TRL shows the model the error.
        self._result = self._env.step(action)
        return "The episode is over." if self._result.done else self._result.observation["elements"]


def make_trainer(model, rows, args, **more):
    dataset = Dataset.from_list([{"prompt": [{"role": "user", "content": PROMPT}], **row} for row in rows])
    return GRPOTrainer(model=model, args=args, train_dataset=dataset, environment_factory=Desktop, **more)


if __name__ == "__main__":
    config = GRPOConfig(output_dir="out", num_generations=8, max_completion_length=4096, max_tool_calling_iterations=8)
    make_trainer("Qwen/Qwen3-1.7B", [{"seed": seed} for seed in range(256)], config).train()
