"""Plays episodes on Dartboard's desktops, with a policy of a few lines: click what the instruction names.

Start the desktops with `dartboard serve --openenv --port 8000`, and run `python plain_client.py http://127.0.0.1:8000`.
Needs the package `openenv`.
"""

import re
import sys

from openenv import GenericEnvClient

ELEMENT = re.compile(r'^\S+ "(?P<name>[^"]+)".* at \((?P<x>\d+), (?P<y>\d+)\)$')


def decide(observation, clicked):
    """The next action: a click on an element that the instruction names, each once, or the end of the episode."""
    instruction = observation["instruction"].lower()
    for line in observation["elements"].splitlines():
        match = ELEMENT.match(line)
        if match is None or match["name"] in clicked:
            continue
        if re.search(rf"\b{re.escape(match['name'].lower())}\b", instruction):
            clicked.add(match["name"])
            return {"kind": "click", "at": {"x": int(match["x"]), "y": int(match["y"])}}
    return {"kind": "finished"}


def play(env, **arguments):
    """Plays one episode, and returns its reward: the score of the task's evaluator."""
    result = env.reset(observation="text", **arguments)
    clicked = set()
    while not result.done:
        result = env.step(decide(result.observation, clicked))
    return result.reward


def main(base_url, episodes):
    with GenericEnvClient(base_url=base_url).sync() as env:
        rewards = []
        for seed in range(episodes):
            rewards.append(play(env, seed=seed, split="test", tier=1))
            state = env.state()
            print(f"{state['task_id']}: {rewards[-1]} after {state['step_count']} steps")
        print(f"{sum(rewards)} of {episodes} solved")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10)
