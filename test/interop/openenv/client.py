"""Sends requests with the official client of OpenEnv, and prints what it returns or raises: standard input has the address, the headers,
and for each request the name of a method and its arguments. The requests of several sessions are in turns."""

import json
import sys

from openenv import GenericEnvClient


def outcome(env, method, arguments):
    try:
        if method == "reset":
            result = env.reset(**arguments)
        elif method == "step":
            result = env.step(arguments)
        else:
            return {"state": env.state()}
        return {"observation": result.observation, "reward": result.reward, "done": result.done, "metadata": result.metadata}
    except RuntimeError as error:
        return {"error": str(error)}


given = json.loads(sys.stdin.read())
sessions = {}
outcomes = []
for session, method, arguments in given["requests"]:
    if method == "close":
        sessions.pop(session).close()
        continue
    if session not in sessions:
        sessions[session] = GenericEnvClient(base_url=given["url"], headers=given.get("headers")).sync()
    outcomes.append(outcome(sessions[session], method, arguments))
for env in sessions.values():
    env.close()
print(json.dumps(outcomes))
