"""Pydantic takes no `TypedDict` of `typing` that is older than Python 3.12."""

import sys

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    from typing_extensions import TypedDict

__all__ = ["TypedDict"]
