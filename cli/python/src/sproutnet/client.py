"""The client for programs and notebooks that wait for answers."""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from types import TracebackType
from typing import BinaryIO, TypeVar

import httpx

from sproutnet import arguments, calls, connection
from sproutnet.answers import (
    AuditEntry,
    Certificate,
    CheckedCertificate,
    Computation,
    Drawing,
    Explanation,
    Fleet,
    FoundQuotient,
    Game,
    Line,
    Move,
    Moves,
    Nimbers,
    Play,
    Position,
    Table,
)
from sproutnet.arguments import PositionText
from sproutnet.calls import Call, EventReader, Page
from sproutnet.problems import Problem

T = TypeVar("T")


class Client:
    """A coordinator, asked over HTTP.

    - `url`: its address. By default `SPROUTNET_URL`, or that of a coordinator on this machine.
    - `token`: its token. By default `SPROUTNET_TOKEN`, or what is in the file `SPROUTNET_TOKEN_FILE`.
    - `patience`: for how many seconds a call is tried again while the coordinator cannot be reached or is busy.
    - `verify`: an SSL context for a coordinator behind TLS with an authority of its own.

    All methods raise `Problem` if the coordinator refuses, and `Unreachable` if it does not answer. A position is
    a text such as `0*3.1a1a`, or a number of spots. `within` is how many seconds a small position may be searched
    if its outcome is unknown: 1 unless given, 10 at most, 0 for no search.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        patience: float = 10,
        verify: ssl.SSLContext | bool = True,
    ) -> None:
        self._patience = arguments.seconds("patience", patience)
        self._http = httpx.Client(**connection.options(url, token, verify))

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def query(self, position: PositionText, *, within: float | None = None, drawing: bool = False) -> Position:
        """What is known of a position; with `drawing`, its picture too."""
        known = self._call(calls.position(position, within))
        return replace(known, drawing=self._picture(known.canonical)) if drawing else known

    def bulk(
        self, positions: Iterable[PositionText], play: Play | None = None, *, within: float | None = None
    ) -> Iterator[Position | Problem]:
        """What is known of each of many positions, in the order given. A wrong position gives a `Problem`, not raised.

        They are sent a thousand at a time, as the answers are used. `within` limits the searches of each thousand
        together. With `play`, only that convention is searched.
        """
        for batch in calls.batches(positions, play):
            yield from self._call(calls.bulk(batch, within))

    def moves(
        self, position: PositionText, play: Play = "normal", *, within: float | None = None, drawings: bool = False
    ) -> Moves:
        """The moves of a position, winning ones first; with `drawings`, a small picture of each."""
        entries = self._list(lambda offset: calls.moves(position, play, within, offset))
        if drawings:
            entries = tuple(replace(move, drawing=self._picture(move.canonical)) for move in entries)
        return Moves(entries=entries, position=arguments.position(position), play=play)

    def line(
        self, position: PositionText, play: Play = "normal", *, within: float | None = None, drawings: bool = False
    ) -> Line:
        """A line of play in which the winner plays to win; with `drawings`, a small picture of each step."""
        found = self._call(calls.line(position, play, within))
        if drawings:
            steps = tuple(replace(step, drawing=self._picture(step.canonical)) for step in found.steps)
            found = replace(found, steps=steps)
        return found

    def drawing(self, position: PositionText) -> Drawing:
        """A picture of a position."""
        return self._call(calls.drawing(position, is_small=False))

    def table(self, play: Play = "normal", game: str = "sprouts", *, within: float | None = None) -> Table:
        """The start positions of a game, proved here or published."""
        entries = self._list(lambda offset: calls.table(play, game, within, offset))
        return Table(entries=entries, game=game, play=play)

    def games(self) -> tuple[Game, ...]:
        """All games."""
        return self._list(calls.games)

    def game(self, name: str) -> Game:
        """A game, by its name or another name such as `dawson`."""
        return self._call(calls.game(name))

    def sequence(self, name: str, heaps: int | None = None, *, within: float | None = None) -> Nimbers:
        """The nimbers of heaps up to `heaps` (100 unless given), and their period; or of a family such as `cram:3xN`."""
        return self._call(calls.sequence(name, heaps, within))

    def quotient(self, name: str, heaps: int | None = None, *, within: float | None = None) -> FoundQuotient:
        """The misère quotient of a game of heaps: of the whole game, or of heaps up to `heaps` (200 unless given)."""
        return self._call(calls.quotient(name, heaps, within))

    def certificates(self) -> tuple[Certificate, ...]:
        """The certificates of the atlas."""
        return self._list(calls.certificates)

    def certificate(self, which: Certificate | str) -> bytes:
        """The file of a certificate of the atlas, with the SHA-256 that the atlas lists."""
        return self._call(calls.certificate(which))

    def check_certificate(self, file: bytes | str | os.PathLike[str] | BinaryIO) -> CheckedCertificate:
        """Whether a certificate of up to 1 MiB is accepted: its bytes, its path, or an open file.

        If it is refused, `verified` is false, and `error` and `line` say why. `sproutnet verify` checks larger ones.
        """
        return self._call(calls.check_certificate(arguments.content("file", file)))

    def export(self, path: str | os.PathLike[str], play: Play | None = None) -> None:
        """Writes everything proved to a file, as `sproutnet export` does: under one convention, or under both.

        The file gets its name once it is complete. Until then `.part` follows the name.
        """
        path = arguments.path("path", path)
        request = connection.request(self._http, calls.export(play))
        attempts = connection.Attempts(self._patience)
        while True:
            answer: httpx.Response | httpx.RequestError
            try:
                answer = self._http.send(request, stream=True)
                with closing(answer):
                    if answer.is_success:
                        with connection.complete_file(path) as file:
                            for part in answer.iter_bytes():
                                file.write(part)
                        return
                    answer.read()
            except httpx.RequestError as error:
                answer = error
            time.sleep(attempts.pause_after(answer, is_repeatable=True))

    def solve(
        self,
        position: PositionText,
        play: Play = "normal",
        *,
        nimber: bool = False,
        deadline: float | None = None,
        priority: int | None = None,
        weight: int | None = None,
        owner: str = "",
        label: str = "",
        progress: Callable[[Computation], object] | None = None,
    ) -> Computation:
        """Starts a computation and waits for its end. `progress` is called with each change, such as `print`.

        The outcome is `unknown` if the computation was cancelled, failed, or its deadline passed (in seconds of
        work). An interrupt leaves it running; `cancel` ends it.
        """
        if progress is not None:
            arguments.function("progress", progress)
        computation = self.start(
            position,
            play,
            nimber=nimber,
            deadline=deadline,
            priority=priority,
            weight=weight,
            owner=owner,
            label=label,
        )
        for computation in self.watch(computation):
            if progress is not None:
                progress(computation)
        return computation

    def start(
        self,
        position: PositionText,
        play: Play = "normal",
        *,
        nimber: bool = False,
        deadline: float | None = None,
        priority: int | None = None,
        weight: int | None = None,
        owner: str = "",
        label: str = "",
    ) -> Computation:
        """Starts a computation, joins one under way, or finds its result. Does not wait for its end."""
        call = calls.start(position, play, nimber, deadline, priority, weight, owner, label)
        return self._call(call)

    def watch(self, computation: Computation | int) -> Iterator[Computation]:
        """A computation at each of its changes, until it ends. Survives a restart of the coordinator."""
        now = self.computation(computation)
        yield now
        while not now.has_ended:
            pause = connection.BEFORE_WATCHING_AGAIN
            try:
                answer = self._http.send(connection.request(self._http, calls.events(computation)), stream=True)
                with closing(answer) as response:
                    if connection.is_busy(response):
                        pause = max(pause, connection.retry_after(response))
                    elif not response.is_success:
                        response.read()
                        raise Problem.of(response)
                    reader = EventReader(now)
                    for text in response.iter_lines():
                        changed = reader.after(text)
                        if changed is not None and changed != now:
                            now = changed
                            yield now
            except httpx.RequestError:
                pass
            if not now.has_ended:
                time.sleep(pause)
                # It may have ended meanwhile.
                last, now = now, self.computation(computation)
                if now != last:
                    yield now

    def computations(self) -> tuple[Computation, ...]:
        """All computations, newest first."""
        return self._list(calls.computations)

    def computation(self, which: Computation | int) -> Computation:
        """A computation as it is now."""
        return self._call(calls.computation(which))

    def explanation(self, which: Computation | int) -> Explanation:
        """Why a computation is not finished."""
        return self._call(calls.explanation(which))

    def pause(self, which: Computation | int) -> Computation:
        """Lets a computation rest until it is resumed."""
        return self._call(calls.change(which, "pause"))

    def resume(self, which: Computation | int) -> Computation:
        """Lets a paused computation go on."""
        return self._call(calls.change(which, "resume"))

    def set_weight(self, which: Computation | int, weight: int) -> Computation:
        """Changes how much machine time it gets, relative to others: 1 to 1000."""
        return self._call(calls.set_weight(which, weight))

    def cancel(self, which: Computation | int) -> Computation:
        """Ends a computation. What it proved stays."""
        return self._call(calls.change(which, "cancel"))

    def audit_log(self) -> tuple[AuditEntry, ...]:
        """Who changed what, newest first: the last 1000 changes."""
        return self._list(calls.audit_log)

    def fleet(self) -> Fleet:
        """The coordinator and its workers."""
        return self._call(calls.fleet())

    def _call(self, call: Call[T]) -> T:
        attempts = connection.Attempts(self._patience)
        while True:
            answer: httpx.Response | httpx.RequestError
            try:
                answer = self._http.send(connection.request(self._http, call))
                if answer.is_success:
                    return call.read(answer)
            except httpx.RequestError as error:
                answer = error
            time.sleep(attempts.pause_after(answer, is_repeatable=call.is_repeatable))

    def _list(self, page_at: Callable[[int], Call[Page[T]]]) -> tuple[T, ...]:
        entries: tuple[T, ...] = ()
        offset: int | None = 0
        while offset is not None:
            page = self._call(page_at(offset))
            entries += page.entries
            offset = page.next
        return entries

    def _picture(self, canonical: str) -> Drawing | None:
        try:
            return self._call(calls.drawing(canonical, is_small=True))
        except Problem as problem:
            # Other games, and positions of too many spots, have no picture.
            if problem.status == 404:
                return None
            raise
