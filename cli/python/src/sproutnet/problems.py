"""What goes wrong."""

from __future__ import annotations

import httpx


class SproutnetError(Exception):
    """The base of all errors of this package."""


class InvalidArgument(SproutnetError, ValueError):
    """An argument cannot be sent, or is out of bounds. The message names the argument."""


class InvalidType(InvalidArgument, TypeError):
    """An argument has a type that cannot be sent."""


class Closed(SproutnetError, RuntimeError):
    """The client was closed before the call."""


class Unreachable(SproutnetError):
    """The coordinator gave no answer."""


class UnexpectedAnswer(SproutnetError):
    """The answer is not what this version of the package expects."""


class Unavailable(SproutnetError):
    """`Local` lacks wasmtime or the WebAssembly module. The message says how to get it."""


class TooLarge(SproutnetError):
    """The work does not fit into the bounds of `Local`: time, memory, or visits of a search."""


class Problem(SproutnetError):
    """The coordinator, or `Local`, refuses a request, and says why.

    - `status`: the HTTP status, such as 400.
    - `title`: its name, such as `Bad Request`.
    - `detail`: what is wrong, in the words of the coordinator.
    - `code`: the kind of problem, such as `invalid-position`. None if no coordinator answered.
    - `column`: where a position is wrong, in characters from 1. None if the position is not the problem. `detail`
      says it, too.
    """

    def __init__(
        self, status: int, title: str, detail: str, column: int | None = None, code: str | None = None
    ) -> None:
        super().__init__(f"{status} {title}: {detail}")
        self.status = status
        self.title = title
        self.detail = detail
        self.column = column
        self.code = code

    @classmethod
    def of(cls, response: httpx.Response) -> Problem:
        """The problem that a response tells of. Its body must have been read."""
        try:
            body = response.json()
        except ValueError:
            body = None
        return cls._told(response.status_code, response.reason_phrase, body if isinstance(body, dict) else {})

    @classmethod
    def of_line(cls, told: dict[str, object]) -> Problem:
        """The problem of one of many positions."""
        return cls._told(400, "Bad Request", told)

    @classmethod
    def _told(cls, status: int, title: str, told: dict[str, object]) -> Problem:
        detail = told.get("error")
        if not isinstance(detail, str):
            # A proxy answered, or the page of a coordinator.
            detail = "no reason is given"
        column = told.get("column")
        if not isinstance(column, int):
            column = None
        code = told.get("code")
        if not isinstance(code, str):
            code = None
        return cls(status, title, detail, column, code)
