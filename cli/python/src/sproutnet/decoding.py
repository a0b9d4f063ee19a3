"""JSON to dataclasses, by their type hints."""

from __future__ import annotations

import types
import typing
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from sproutnet.problems import UnexpectedAnswer

T = TypeVar("T")


def decode(kind: type[T], value: object) -> T:
    """A value of that type. Fields of newer coordinators are ignored.

    Raises `UnexpectedAnswer` if a field is missing or of another type.
    """
    return typing.cast(T, _decode(kind, value, kind.__name__))


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _decode(kind: Any, value: object, where: str) -> object:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if value is None and types.NoneType in arguments:
            return None
        # Where newer coordinators may have more words, any text is one of the types.
        kinds = [argument for argument in arguments if argument is not types.NoneType]
        return _decode(str if str in kinds else kinds[0], value, where)
    if origin is tuple:
        if isinstance(value, list):
            return tuple(_decode(arguments[0], entry, where) for entry in value)
    elif origin is Literal:
        if value in arguments:
            return value
    elif is_dataclass(kind):
        if isinstance(value, dict):
            return _decode_fields(kind, value)
    elif kind is float:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
    elif isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    raise UnexpectedAnswer(f"{where}: the coordinator answered {value!r:.80}")


def _decode_fields(kind: Any, value: dict[str, object]) -> object:
    hints = _hints(kind)
    decoded = {}
    for field in fields(kind):
        # Words of Python have another name there.
        name = field.metadata.get("name", field.name)
        where = f"{kind.__name__}.{name}"
        if name in value:
            decoded[field.name] = _decode(hints[field.name], value[name], where)
        elif field.default is MISSING:
            raise UnexpectedAnswer(f"{where} is missing in the answer of the coordinator")
    return kind(**decoded)
