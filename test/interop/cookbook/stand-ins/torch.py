"""Replaces PyTorch, whose Linux packages need 5 GB: the loops of the cookbook and the SDK of Tinker compute with short vectors only."""

import numpy as np

float32, int64, bool = np.dtype("float32"), np.dtype("int64"), np.dtype("bool")
bfloat16 = object()
cat = np.concatenate


class Tensor(np.ndarray):
    def contiguous(self):
        return self

    def numpy(self):
        return np.asarray(self)


def from_numpy(array):
    return array.view(Tensor)


def tensor(values, dtype=None):
    array = np.array(values, dtype)
    # Fractions have 32 bits unless a type is named, as in PyTorch.
    return from_numpy(array.astype(float32) if dtype is None and array.dtype == "float64" else array)
