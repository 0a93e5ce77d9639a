"""Reads a folder of updates as samples for TRL. Needs only Python.

    for sample in samples("updates", image_token_id=151655):
        queue.put(RolloutSample(**sample))        # of TRL's AsyncGRPOTrainer; text only, so drop "images" there
"""

import json
from pathlib import Path


def samples(folder, image_token_id, after=0):
    """One dict per step of the listed updates with a step number above `after`."""
    folder = Path(folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for update in manifest["updates"]:
        if update["step"] <= after:
            continue
        with open(folder / update["jsonl"], encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                # Demonstrations have no log-probabilities of a policy. Fine-tune on the folder `chat` for them.
                if row["rollout_log_probs"] is not None:
                    yield sample_of(row, folder, image_token_id)


def sample_of(row, folder, image_token_id):
    prompt, images = prompt_of(row, folder, image_token_id)
    reply = row["reply"]
    return {
        "prompt": [],
        "completion": [],
        "input_ids": prompt + reply,
        "completion_mask": [0] * len(prompt) + [1] * len(reply),
        "old_log_probs": [0.0] * len(prompt) + row["rollout_log_probs"],
        "advantage": row["advantage"],
        "model_version": row["step"],
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
