"""Replaces PyTorch, whose Linux packages need 5 GB. SkyRL's JAX backend imports it for the images of its GPU backends alone."""


class Tensor:
    """For programs that ask whether a value is a tensor."""
