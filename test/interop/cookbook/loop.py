"""Runs a training loop of tinker-cookbook unchanged against a server, with the tokenizer of the micro model."""

import asyncio
import contextlib
import json
import logging
import os
import sys
from pathlib import Path

from tinker_cookbook import tokenizer_utils


class Tokenizer:
    """The loops show texts and count their bytes."""

    def __init__(self, pieces):
        self.pieces = pieces

    def decode(self, tokens, **_):
        return "".join(self.pieces[token] for token in tokens)


def read_input():
    logging.disable(logging.CRITICAL)
    given = json.load(sys.stdin)
    tokenizer_utils.register_tokenizer("micro", lambda: Tokenizer(given["pieces"]))
    return given


def run_loop(train, given, builder):
    """The metrics of all steps, and the checkpoints, as the loop wrote them to the folder."""
    config = train.Config(
        base_url=given["url"],
        log_path=given["folder"],
        model_name="micro",
        recipe_name="interop",
        dataset_builder=builder,
        **given["settings"],
    )
    # A loop prints a table after each step.
    with contextlib.redirect_stdout(None):
        asyncio.run(train.main(config))
    return {name: read_lines(Path(given["folder"], f"{name}.jsonl")) for name in ("metrics", "checkpoints")}


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def finish(output):
    print(json.dumps(output), flush=True)
    # Threads of the SDK outlive the loop.
    os._exit(0)
