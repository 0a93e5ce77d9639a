"""Random clicks in MiniWoB++'s own Gymnasium environment: play.py PAGE SEED.

Prints a line of JSON when it is ready. For each number of seconds that it reads, it plays as long and prints another line.
"""

import json
import random
import sys
import time

import gymnasium
import miniwob
from miniwob.action import ActionTypes

# The task area below the instruction.
LEFT, TOP, WIDTH, HEIGHT = 0, 50, 160, 160


def report(values):
    print(json.dumps(values), flush=True)


def play(env, rng, seconds):
    begin = time.monotonic()
    steps = episodes = 0
    is_over = True
    while time.monotonic() < begin + seconds:
        if is_over:
            env.reset(seed=rng.randrange(1000))
            episodes += 1
        coords = [LEFT + rng.randrange(WIDTH), TOP + rng.randrange(HEIGHT)]
        action = env.unwrapped.create_action(ActionTypes.CLICK_COORDS, coords=coords)
        _, _, terminated, truncated, _ = env.step(action)
        is_over = terminated or truncated
        steps += 1
    return {"steps": steps, "episodes": episodes, "seconds": time.monotonic() - begin}


def main(page, seed):
    gymnasium.register_envs(miniwob)
    env = gymnasium.make(f"miniwob/{page}-v1")
    try:
        rng = random.Random(seed)
        env.reset(seed=0)
        report({"ready": True})
        for line in sys.stdin:
            report(play(env, rng, float(line)))
    finally:
        env.close()


main(sys.argv[1], int(sys.argv[2]))
