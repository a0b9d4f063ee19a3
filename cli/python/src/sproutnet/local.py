"""The rules, the solver of small positions and the checker of certificates, without a coordinator."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, BinaryIO, Literal

from sproutnet import arguments
from sproutnet.answers import CheckedCertificate, Move, Moves, Play, Position
from sproutnet.arguments import PositionText
from sproutnet.decoding import decode
from sproutnet.problems import InvalidArgument, Problem, TooLarge, Unavailable
from sproutnet.webassembly import Module

FILE = "sproutnet_browser.wasm"
"""The name of the WebAssembly module, as the compiler writes it."""

VISITS = 1_000_000
"""How many states a search may visit unless told otherwise. That takes a minute at most."""

MOST_MOVES = 35
"""Positions with more moves left are not searched. `0*12` has 35."""


class Local:
    """What `Client` answers about small positions and certificates, found in this process.

    - `module`: the WebAssembly module of `common/browser`. By default the one that the package was built with.
    - `within`: how many seconds a call may take; None for any time.
    - `memory`: how many bytes the module may take.

    Needs wasmtime: `pip install "sproutnet[local]"`. Threads may share a `Local`: their calls wait for each other.
    Calls of several run at the same time.

    All methods raise `Problem` if a text is no position, and `TooLarge` if the bounds are too tight. A position is a
    text such as `0*3.1a1a`, or a number of spots. Positions of at most 35 moves are searched; `visits` is how many
    states such a search may visit.
    """

    def __init__(
        self, module: str | os.PathLike[str] | None = None, *, within: float | None = 60, memory: int = 1 << 30
    ) -> None:
        within = None if within is None else arguments.seconds("within", within)
        self._module = Module(_found(module), within, _bound("memory", memory))

    def query(self, position: PositionText, *, visits: int = VISITS) -> Position:
        """What is known of a position. An outcome that takes more visits stays unknown, as does that of a large position.

        `searched` says why: `out of time` or `too large`.
        """
        text = arguments.position(position)
        return decode(Position, {"position": text} | self._ask("query", text, _bound("visits", visits)))

    def moves(self, position: PositionText, play: Play = "normal", *, visits: int = VISITS) -> Moves:
        """The moves of a position, winning ones first. Outcomes that take more visits stay unknown."""
        text, is_misere = arguments.position(position), arguments.play(play) == "misere"
        listed = self._ask("moves", text, int(is_misere), _bound("visits", visits))
        return Moves(entries=tuple(decode(Move, move) for move in listed), position=text, play=play)

    def outcome(self, position: PositionText, play: Play = "normal", *, visits: int = VISITS) -> Literal["win", "loss"]:
        """Whether the player to move wins or loses. Raises `TooLarge` if that stays unknown."""
        play = arguments.play(play)
        known = self.query(position, visits=visits)
        outcome = known.outcome(play)
        if outcome == "win" or outcome == "loss":
            return outcome
        raise _why(known, visits)

    def nimber(self, position: PositionText, *, visits: int = VISITS) -> int:
        """The nimber of a position. Raises `TooLarge` if it stays unknown, and `InvalidArgument` if it has none."""
        known = self.query(position, visits=visits)
        if known.nimber is not None:
            return known.nimber
        if known.most_moves <= MOST_MOVES and known.searched != "out of time":
            raise InvalidArgument(f"position: in {known.game}, where players have different moves, there are no nimbers")
        raise _why(known, visits)

    def check_certificate(self, file: bytes | str | os.PathLike[str] | BinaryIO) -> CheckedCertificate:
        """Whether a certificate is accepted: its bytes, its path, or an open file.

        If it is refused, `verified` is false, and `error` and `line` say why.
        """
        told = self._module.call("check", arguments.content("file", file))
        if told["verdict"] == "unchecked":
            raise TooLarge(told["text"])
        return decode(CheckedCertificate, told)

    def _ask(self, task: str, text: str, *arguments: int) -> Any:
        told = self._module.call(task, text.encode(), *arguments)
        if "error" in told:
            raise Problem.of_line(told)
        return told


def _found(module: str | os.PathLike[str] | None) -> Path:
    path = Path(__file__).with_name(FILE) if module is None else arguments.path("module", module)
    if path.is_file():
        return path
    if module is not None:
        raise Unavailable(f"there is no file {path}")
    raise Unavailable(
        f"this package was built without its WebAssembly module. In a checkout of Sproutnet, `.ci/wasm` makes "
        f"{FILE}. Give its path, as in Local('{FILE}'); or copy it to cli/python/src/sproutnet and install the package again"
    )


def _bound(argument: str, value: int) -> int:
    bound = arguments.number(argument, value)
    # To wasmtime, a negative bound is none.
    if bound < 0:
        raise InvalidArgument(f"{argument}: {bound} is negative")
    return min(bound, (1 << 63) - 1)


def _why(known: Position, visits: int) -> TooLarge:
    if known.most_moves > MOST_MOVES:
        few = f"positions of at most {MOST_MOVES} are searched"
        return TooLarge(f"{known.canonical}: it may take {known.most_moves} moves; {few}")
    return TooLarge(f"{known.canonical}: it takes more than {visits} visits")
