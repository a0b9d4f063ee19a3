"""The client for programs that do other things meanwhile, with asyncio or trio."""

from __future__ import annotations

import os
import ssl
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import aclosing
from dataclasses import replace
from types import TracebackType
from typing import BinaryIO, TypeVar

import anyio
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


class AsyncClient:
    """A coordinator, asked over HTTP. The same as `Client`, with methods to await."""

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        patience: float = 10,
        verify: ssl.SSLContext | bool = True,
    ) -> None:
        self._patience = arguments.seconds("patience", patience)
        self._http = httpx.AsyncClient(**connection.options(url, token, verify))

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def query(self, position: PositionText, *, within: float | None = None, drawing: bool = False) -> Position:
        """What is known of a position; with `drawing`, its picture too."""
        known = await self._call(calls.position(position, within))
        return replace(known, drawing=await self._picture(known.canonical)) if drawing else known

    async def bulk(
        self, positions: Iterable[PositionText], play: Play | None = None, *, within: float | None = None
    ) -> AsyncIterator[Position | Problem]:
        """What is known of each of many positions, in the order given. A wrong position gives a `Problem`, not raised.

        They are sent a thousand at a time, as the answers are used. `within` limits the searches of each thousand
        together. With `play`, only that convention is searched.
        """
        for batch in calls.batches(positions, play):
            for answer in await self._call(calls.bulk(batch, within)):
                yield answer

    async def moves(
        self, position: PositionText, play: Play = "normal", *, within: float | None = None, drawings: bool = False
    ) -> Moves:
        """The moves of a position, winning ones first; with `drawings`, a small picture of each."""
        entries = await self._list(lambda offset: calls.moves(position, play, within, offset))
        if drawings:
            entries = tuple([replace(move, drawing=await self._picture(move.canonical)) for move in entries])
        return Moves(entries=entries, position=arguments.position(position), play=play)

    async def line(
        self, position: PositionText, play: Play = "normal", *, within: float | None = None, drawings: bool = False
    ) -> Line:
        """A line of play in which the winner plays to win; with `drawings`, a small picture of each step."""
        found = await self._call(calls.line(position, play, within))
        if drawings:
            steps = tuple([replace(step, drawing=await self._picture(step.canonical)) for step in found.steps])
            found = replace(found, steps=steps)
        return found

    async def drawing(self, position: PositionText) -> Drawing:
        """A picture of a position."""
        return await self._call(calls.drawing(position, is_small=False))

    async def table(self, play: Play = "normal", game: str = "sprouts", *, within: float | None = None) -> Table:
        """The start positions of a game, proved here or published."""
        entries = await self._list(lambda offset: calls.table(play, game, within, offset))
        return Table(entries=entries, game=game, play=play)

    async def games(self) -> tuple[Game, ...]:
        """All games."""
        return await self._list(calls.games)

    async def game(self, name: str) -> Game:
        """A game, by its name or another name such as `dawson`."""
        return await self._call(calls.game(name))

    async def sequence(self, name: str, heaps: int | None = None, *, within: float | None = None) -> Nimbers:
        """The nimbers of heaps up to `heaps` (100 unless given), and their period; or of a family such as `cram:3xN`."""
        return await self._call(calls.sequence(name, heaps, within))

    async def quotient(self, name: str, heaps: int | None = None, *, within: float | None = None) -> FoundQuotient:
        """The misère quotient of a game of heaps: of the whole game, or of heaps up to `heaps` (200 unless given)."""
        return await self._call(calls.quotient(name, heaps, within))

    async def certificates(self) -> tuple[Certificate, ...]:
        """The certificates of the atlas."""
        return await self._list(calls.certificates)

    async def certificate(self, which: Certificate | str) -> bytes:
        """The file of a certificate of the atlas, with the SHA-256 that the atlas lists."""
        return await self._call(calls.certificate(which))

    async def check_certificate(self, file: bytes | str | os.PathLike[str] | BinaryIO) -> CheckedCertificate:
        """Whether a certificate of up to 1 MiB is accepted: its bytes, its path, or an open file.

        If it is refused, `verified` is false, and `error` and `line` say why. `sproutnet verify` checks larger ones.
        """
        return await self._call(calls.check_certificate(arguments.content("file", file)))

    async def export(self, path: str | os.PathLike[str], play: Play | None = None) -> None:
        """Writes everything proved to a file, as `sproutnet export` does: under one convention, or under both.

        The file gets its name once it is complete. Until then `.part` follows the name.
        """
        path = arguments.path("path", path)
        request = connection.request(self._http, calls.export(play))
        attempts = connection.Attempts(self._patience)
        while True:
            answer: httpx.Response | httpx.RequestError
            try:
                answer = await self._http.send(request, stream=True)
                async with aclosing(answer):
                    if answer.is_success:
                        with connection.complete_file(path) as file:
                            async for part in answer.aiter_bytes():
                                file.write(part)
                        return
                    await answer.aread()
            except httpx.RequestError as error:
                answer = error
            await anyio.sleep(attempts.pause_after(answer, is_repeatable=True))

    async def solve(
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
        computation = await self.start(
            position,
            play,
            nimber=nimber,
            deadline=deadline,
            priority=priority,
            weight=weight,
            owner=owner,
            label=label,
        )
        async for computation in self.watch(computation):
            if progress is not None:
                progress(computation)
        return computation

    async def start(
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
        return await self._call(call)

    async def watch(self, computation: Computation | int) -> AsyncIterator[Computation]:
        """A computation at each of its changes, until it ends. Survives a restart of the coordinator."""
        now = await self.computation(computation)
        yield now
        while not now.has_ended:
            pause = connection.BEFORE_WATCHING_AGAIN
            try:
                answer = await self._http.send(connection.request(self._http, calls.events(computation)), stream=True)
                async with aclosing(answer) as response:
                    if connection.is_busy(response):
                        pause = max(pause, connection.retry_after(response))
                    elif not response.is_success:
                        await response.aread()
                        raise Problem.of(response)
                    reader = EventReader(now)
                    async for text in response.aiter_lines():
                        changed = reader.after(text)
                        if changed is not None and changed != now:
                            now = changed
                            yield now
            except httpx.RequestError:
                pass
            if not now.has_ended:
                await anyio.sleep(pause)
                # It may have ended meanwhile.
                last, now = now, await self.computation(computation)
                if now != last:
                    yield now

    async def computations(self) -> tuple[Computation, ...]:
        """All computations, newest first."""
        return await self._list(calls.computations)

    async def computation(self, which: Computation | int) -> Computation:
        """A computation as it is now."""
        return await self._call(calls.computation(which))

    async def explanation(self, which: Computation | int) -> Explanation:
        """Why a computation is not finished."""
        return await self._call(calls.explanation(which))

    async def pause(self, which: Computation | int) -> Computation:
        """Lets a computation rest until it is resumed."""
        return await self._call(calls.change(which, "pause"))

    async def resume(self, which: Computation | int) -> Computation:
        """Lets a paused computation go on."""
        return await self._call(calls.change(which, "resume"))

    async def set_weight(self, which: Computation | int, weight: int) -> Computation:
        """Changes how much machine time it gets, relative to others: 1 to 1000."""
        return await self._call(calls.set_weight(which, weight))

    async def cancel(self, which: Computation | int) -> Computation:
        """Ends a computation. What it proved stays."""
        return await self._call(calls.change(which, "cancel"))

    async def audit_log(self) -> tuple[AuditEntry, ...]:
        """Who changed what, newest first: the last 1000 changes."""
        return await self._list(calls.audit_log)

    async def fleet(self) -> Fleet:
        """The coordinator and its workers."""
        return await self._call(calls.fleet())

    async def _call(self, call: Call[T]) -> T:
        attempts = connection.Attempts(self._patience)
        while True:
            answer: httpx.Response | httpx.RequestError
            try:
                answer = await self._http.send(connection.request(self._http, call))
                if answer.is_success:
                    return call.read(answer)
            except httpx.RequestError as error:
                answer = error
            await anyio.sleep(attempts.pause_after(answer, is_repeatable=call.is_repeatable))

    async def _list(self, page_at: Callable[[int], Call[Page[T]]]) -> tuple[T, ...]:
        entries: tuple[T, ...] = ()
        offset: int | None = 0
        while offset is not None:
            page = await self._call(page_at(offset))
            entries += page.entries
            offset = page.next
        return entries

    async def _picture(self, canonical: str) -> Drawing | None:
        try:
            return await self._call(calls.drawing(canonical, is_small=True))
        except Problem as problem:
            # Other games, and positions of too many spots, have no picture.
            if problem.status == 404:
                return None
            raise
