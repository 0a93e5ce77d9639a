# Reads a folder of updates with the readers of docs/readers, and prints what they return.

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs" / "readers"))

from trl_reader import samples
from verl_reader import batch

request = json.load(sys.stdin)
folder = request["folder"]
if request["reader"] == "trl":
    read = list(samples(folder, image_token_id=request["image"], after=request["after"]))
    plain = lambda value: value.tolist() if hasattr(value, "tolist") else value
    answer = [{name: plain(value) for name, value in sample.items()} for sample in read]
else:
    tensors, others = batch(folder, step=request["step"], pad_token_id=request["pad"], image_token_id=request["image"])
    answer = {
        "types": {name: str(value.dtype) for name, value in tensors.items()},
        "tensors": {name: value.tolist() for name, value in tensors.items()},
        "others": {name: value.tolist() for name, value in others.items()},
    }
json.dump(answer, sys.stdout)
