"""Python imports this first. SkyRL's messages use a class that pydantic rejects before Python 3.12."""

import typing

import typing_extensions

typing.TypedDict = typing_extensions.TypedDict
