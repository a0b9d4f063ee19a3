"""Checks of arguments, made before anything is sent. The errors name the argument.

The functions take objects, because not every program has its types checked.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, SupportsFloat, SupportsIndex, cast, get_args

from sproutnet.answers import Play
from sproutnet.problems import InvalidArgument, InvalidType

PositionText = str | int
"""A position as the notation has it, such as `0*3.1a1a`. A number is that many spots."""

# The API has no larger numbers. Python refuses to write very large ones.
_LARGEST = (1 << 64) - 1


def position(value: object) -> str:
    """A position in the notation."""
    if isinstance(value, str):
        return name("position", value)
    return f"0*{number('position', value, 'a text or a number of spots')}"


def positions(value: object) -> Iterable[object]:
    """Many positions."""
    # The characters of a text, and the numbers of bytes, would be taken for positions.
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes)):
        raise _wrong_type("positions", "an iterable of positions", value)
    return value


def play(value: object) -> Play:
    """A convention."""
    if not isinstance(value, str):
        raise _wrong_type("play", "normal or misere", value)
    if value not in get_args(Play):
        raise InvalidArgument(f"play: expected normal or misere, not {value!r:.80}")
    return cast(Play, value)


def text(argument: str, value: object) -> str:
    """A text that UTF-8 can encode."""
    if not isinstance(value, str):
        raise _wrong_type(argument, "a text", value)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"{argument}: {value[error.start]!r} is not a character") from error
    return value


def name(argument: str, value: object) -> str:
    """A text that is not empty."""
    found = text(argument, value)
    if not found.strip():
        raise InvalidArgument(f"{argument}: it is empty")
    return found


def number(argument: str, value: object, expected: str = "a whole number") -> int:
    """A whole number, also one of another library."""
    # A truth value is a mistake.
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        # Arrays are numbers only if they have one element.
        with suppress(TypeError):
            found = value.__index__()
            if abs(found) > _LARGEST:
                raise InvalidArgument(f"{argument}: the number is too large")
            return found
    raise _wrong_type(argument, expected, value)


def truth(argument: str, value: object) -> bool:
    """A truth value."""
    if not isinstance(value, bool):
        raise _wrong_type(argument, "True or False", value)
    return value


def seconds(argument: str, value: object) -> float:
    """A time, which may be infinite."""
    expected = "a number of seconds"
    if not isinstance(value, (SupportsFloat, SupportsIndex)) or isinstance(value, bool):
        raise _wrong_type(argument, expected, value)
    try:
        found = float(value)
    except TypeError as error:
        raise _wrong_type(argument, expected, value) from error
    except OverflowError:
        found = math.inf
    if math.isnan(found):
        raise InvalidArgument(f"{argument}: expected {expected}, not nan")
    return found


def milliseconds(argument: str, value: object) -> int:
    """A time in seconds, as the API takes it."""
    found = seconds(argument, value) * 1000
    if abs(found) > _LARGEST:
        raise InvalidArgument(f"{argument}: the number is too large")
    return round(found)


def path(argument: str, value: object) -> Path:
    """The path of a file."""
    found = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(found, str):
        raise _wrong_type(argument, "a path", value)
    try:
        is_possible = b"\0" not in os.fsencode(found)
    except UnicodeEncodeError:
        is_possible = False
    if not is_possible:
        raise InvalidArgument(f"{argument}: {found!r:.80} has a character that no path has")
    return Path(found)


def content(argument: str, value: object) -> bytes:
    """The content of a file: its bytes, its path, or an open file, which is read to its end."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, (str, os.PathLike)):
        return path(argument, value).read_bytes()
    read = getattr(value, "read", None)
    if not callable(read):
        raise _wrong_type(argument, "bytes, a path or an open file", value)
    try:
        found = read()
    except ValueError as error:
        # It is closed, or open as text or for writing.
        raise InvalidArgument(f"{argument}: the open file cannot be read: {error}") from error
    if not isinstance(found, bytes):
        raise InvalidType(f"{argument}: the open file gives no bytes; open it with the mode rb")
    return found


def function(argument: str, value: object) -> None:
    """Something to call."""
    if not callable(value):
        raise _wrong_type(argument, "a function", value)


def _wrong_type(argument: str, expected: str, value: Any) -> InvalidType:
    return InvalidType(f"{argument}: expected {expected}, not {type(value).__name__}")
