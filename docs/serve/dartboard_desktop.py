"""Dartboard's desktops for verifiers: the model gets a screenshot in each turn, and replies with pyautogui code.

`dartboard serve --openenv --port 8000` starts the desktops. Python must find this file. It needs `verifiers[openenv]`.
"""

import re

import verifiers.v1 as vf
from openenv import GenericEnvClient

__all__ = ["DesktopEnv", "DesktopTaskset"]

GUIDE = "Reply with one line of pyautogui code, such as pyautogui.click(10, 20), or with DONE, FAIL or WAIT.\nTask: "


class DesktopData(vf.TaskData):
    base_url: str
    reset: dict


class DesktopConfig(vf.TasksetConfig):
    base_url: str = "http://127.0.0.1:8000"
    resets: list[dict] = [{"seed": seed, "split": "train"} for seed in range(64)]


class DesktopTaskset(vf.Taskset[vf.Task[DesktopData], DesktopConfig]):
    def load(self):
        for number, reset in enumerate(self.config.resets):
            data = DesktopData(name=f"desktop#{number}", prompt=None, base_url=self.config.base_url, reset=reset)
            yield vf.Task[DesktopData](data, self.config.task)


class DesktopEnvConfig(vf.EnvConfig):
    player: vf.AgentConfig = vf.AgentConfig()


class DesktopEnv(vf.Env[DesktopEnvConfig]):
    async def run(self, task, agents):
        async with GenericEnvClient(base_url=task.data.base_url) as desktop:
            result = await desktop.reset(**task.data.reset, observation="screenshot")
            async with agents.player.interaction(task) as interaction:
                segment = await interaction.turn(turn(result.observation, GUIDE + result.observation["instruction"]))
                while not segment.terminated and not result.done:
                    result = await desktop.step({"code": code_of(segment.last_reply)})
                    if not result.done:
                        segment = await interaction.turn(turn(result.observation, result.observation.get("error")))
        interaction.trace.record_reward("score", float(result.reward))


def turn(observation, text):
    url = f"data:{observation['media_type']};base64,{observation['screenshot']}"
    image = {"type": "image_url", "image_url": {"url": url}}
    return [{"role": "user", "content": [image, *([{"type": "text", "text": text}] if text else [])]}]


def code_of(reply):
    """The code of a reply, in a block or alone. An empty reply waits."""
    block = re.search(r"```(?:python)?\n(.*?)```", reply, re.DOTALL)
    return (block[1] if block else reply).strip() or "WAIT"
