"""Reads an update as a batch for verl. Needs numpy and pyarrow.

    tensors, others = batch("FOLDER", step=1, pad_token_id=151643, image_token_id=151655)
    data = DataProto.from_dict({k: torch.from_numpy(v) for k, v in tensors.items()}, non_tensors=others)

`multi_modal_data` has the paths of the images. Open them and run the processor of the model, which gives `multi_modal_inputs`, and
`position_ids` for models with several positions per token (M-RoPE).
"""

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet


def batch(folder, step, pad_token_id, image_token_id):
    folder = Path(folder)
    updates = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["updates"]
    file = next(update["parquet"] for update in updates if update["step"] == step)
    # Demonstrations have no log-probabilities of a policy. Fine-tune on the folder `chat` for them.
    rows = [row for row in parquet.read_table(folder / file).to_pylist() if row["rollout_log_probs"] is not None]

    prompts = padded([prompt_ids(row, image_token_id) for row in rows], pad_token_id, left=True)
    responses = padded([row["reply"] for row in rows], pad_token_id)
    prompt_mask = padded([[1] * len(prompt_ids(row, image_token_id)) for row in rows], 0, left=True)
    response_mask = padded([[1] * len(row["reply"]) for row in rows], 0)
    attention_mask = np.concatenate([prompt_mask, response_mask], axis=1)
    advantages = np.array([[row["advantage"]] for row in rows], dtype=np.float32) * response_mask
    tensors = {
        "prompts": prompts,
        "responses": responses,
        "response_mask": response_mask,
        "input_ids": np.concatenate([prompts, responses], axis=1),
        "attention_mask": attention_mask,
        "position_ids": np.maximum(np.cumsum(attention_mask, axis=1) - 1, 0),
        "advantages": advantages.astype(np.float32),
        "rollout_log_probs": padded([row["rollout_log_probs"] for row in rows], 0.0, dtype=np.float32),
    }
    images = [[str(folder / "images" / f"{part['image']}.png") for part in row["prompt"] if part["image"]] for row in rows]
    others = {"uid": np.array([row["group"] for row in rows], dtype=object), "multi_modal_data": np.empty(len(rows), dtype=object)}
    others["multi_modal_data"][:] = [{"images": each} for each in images]
    return tensors, others


def prompt_ids(row, image_token_id):
    parts = [part["tokens"] if part["image"] is None else [image_token_id] * part["places"] for part in row["prompt"]]
    return [token for part in parts for token in part]


def padded(lists, fill, left=False, dtype=np.int64):
    width = max(map(len, lists))
    spaces = [[fill] * (width - len(each)) for each in lists]
    return np.array([gap + each if left else each + gap for each, gap in zip(lists, spaces)], dtype=dtype)
