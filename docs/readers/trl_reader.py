"""Reads a folder of updates as samples for TRL. Needs numpy.

    for sample in samples("FOLDER", image_token_id=151655):
        images = sample.pop("images")                    # RolloutSample has no images
        worker.rollout_buffer.put(RolloutSample(**sample))
"""

import json
from pathlib import Path

import numpy as np


def samples(folder, image_token_id, after=0):
    """One dict per step of the listed updates with a step number above `after`."""
    folder = Path(folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    groups = {}
    for update in manifest["updates"]:
        if update["step"] <= after:
            continue
        with open(folder / update["jsonl"], encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                # Demonstrations have no log-probabilities of a policy. Fine-tune on the folder `chat` for them.
                if row["rollout_log_probs"] is not None:
                    group = groups.setdefault(row["group"], len(groups))
                    yield sample_of(row, group, folder, image_token_id)


def sample_of(row, group, folder, image_token_id):
    prompt, images = prompt_of(row, folder, image_token_id)
    reply = row["reply"]
    return {
        "prompt": [],
        "completion": [],
        "input_ids": np.array(prompt + reply, dtype=np.int64),
        "completion_mask": np.array([0] * len(prompt) + [1] * len(reply), dtype=np.int64),
        "old_log_probs": np.array([0.0] * len(prompt) + row["rollout_log_probs"], dtype=np.float32),
        "advantage": row["advantage"],
        "model_version": row["step"] - 1,
        "group_id": group,
        "metrics": {},
        "images": images,
    }


def prompt_of(row, folder, image_token_id):
    """Token ids with the placeholder of the model at each place of an image, and the image files."""
    ids, images = [], []
    for part in row["prompt"]:
        if part["image"] is None:
            ids += part["tokens"]
        else:
            ids += [image_token_id] * part["places"]
            images.append(str(folder / "images" / f"{part['image']}.png"))
    return ids, images
