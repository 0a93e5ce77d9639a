"""Writes a model with the first layers of another: `first_layers.py SOURCE TARGET LAYERS`. Both are GGUF files.

It has the vocabulary, the chat template and the sizes of the whole model, and reads a prompt many times faster.
"""

import re
import sys

from gguf import GGUFReader, GGUFValueType, GGUFWriter

# The writer writes these itself.
OWN_FIELDS = {"GGUF.version", "GGUF.tensor_count", "GGUF.kv_count", "general.architecture"}


def write_first_layers(source, target, layers):
    model = GGUFReader(source)
    architecture = model.get_field("general.architecture").contents()
    writer = GGUFWriter(target, architecture)
    for name, field in model.fields.items():
        if name in OWN_FIELDS:
            continue
        kind = field.types[0]
        sub_type = field.types[-1] if kind == GGUFValueType.ARRAY else None
        value = layers if name == f"{architecture}.block_count" else field.contents()
        writer.add_key_value(name, value, kind, sub_type=sub_type)
    for tensor in model.tensors:
        layer = re.match(r"blk\.(\d+)\.", tensor.name)
        if layer is None or int(layer[1]) < layers:
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write_first_layers(sys.argv[1], sys.argv[2], int(sys.argv[3]))
