"""Replaces peft, which needs PyTorch. SkyRL's JAX backend writes the configuration of an adapter with it."""

import json
from pathlib import Path


class LoraConfig:
    def __init__(self, **settings):
        self.settings = settings

    def save_pretrained(self, folder):
        text = json.dumps({"peft_type": "LORA", **self.settings})
        Path(folder, "adapter_config.json").write_text(text)
