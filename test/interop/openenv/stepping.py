"""Steps without end, and prints a line in the middle: for a test that kills it."""

import sys

from openenv import GenericEnvClient

env = GenericEnvClient(base_url=sys.argv[1]).sync()
for episode in range(1_000_000):
    env.reset(seed=episode, observation="both")
    for step in range(3):
        env.step({"kind": "wait"})
    if episode == 1:
        print("stepping", flush=True)
