"""Plays one episode of docs/serve/dartboard_desktop.py in verifiers. The model is an HTTP server with scripted replies. The program of the
harness is its own, and runs in this environment: verifiers would install the same packages with `uv`."""

import asyncio
import base64
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

given = json.loads(sys.stdin.read())
# The folder of the examples stays as it is.
sys.dont_write_bytecode = True
sys.path.insert(0, given["examples"])
os.environ["SCRIPTED_KEY"] = "none"

import verifiers.v1 as vf  # noqa: E402
from dartboard_desktop import DesktopEnv, DesktopEnvConfig  # noqa: E402
from verifiers.v1.runtimes.base import Runtime  # noqa: E402

requests = []


class ScriptedModel(BaseHTTPRequestHandler):
    def do_POST(self):
        requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        message = {"role": "assistant", "content": given["replies"][len(requests) - 1]}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        reply = {"id": "1", "object": "chat.completion", "created": 0, "model": "scripted"}
        body = json.dumps({**reply, "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


async def prepare_here(self, script, env=None, *, activate=True):
    path = Path(self.scripts_dir) / "program.py"
    await self.write(str(path), script.encode() if isinstance(script, str) else script)
    return [sys.executable, str(path)]


Runtime.prepare_uv_script = prepare_here


def images_of(request):
    parts = [part for message in request["messages"] if isinstance(message["content"], list) for part in message["content"]]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    files = [base64.b64decode(url.removeprefix("data:image/png;base64,")) for url in urls]
    return [int.from_bytes(png[16:20], "big") for png in files if png.startswith(b"\x89PNG")]


async def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), ScriptedModel)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = {"type": "eval", "base_url": f"http://127.0.0.1:{server.server_port}/v1", "api_key_var": "SCRIPTED_KEY"}
    taskset = {"id": "dartboard_desktop", "base_url": given["url"], "resets": [given["reset"]]}
    env = DesktopEnv(DesktopEnvConfig(taskset=taskset, player={"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}))
    [task] = env.taskset
    context = vf.ModelContext(model="scripted", client=vf.EvalClientConfig(**client), sampling=vf.Sampling())
    async with env.serving():
        episode = await env.run_episode(task, context)
    server.shutdown()
    errors = [error.message for error in [*episode.errors, *(error for trace in episode.traces for error in trace.errors)]]
    return {
        "ok": episode.ok,
        "errors": errors,
        "rewards": [trace.reward for trace in episode.traces],
        "turns": len(requests),
        "widths": [images_of(request) for request in requests],
    }


print(json.dumps(asyncio.run(main())))
