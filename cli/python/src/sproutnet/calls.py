"""The calls of the API, without any input or output: what is sent, and how the answer is read.

`Client` and `AsyncClient` carry them out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import httpx

from sproutnet import arguments
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
    Nimbers,
    Play,
    Position,
    TableEntry,
)
from sproutnet.arguments import PositionText
from sproutnet.decoding import decode
from sproutnet.problems import Problem, UnexpectedAnswer

T = TypeVar("T")

# A coordinator takes 10,000 lines and 4 MiB. Smaller requests begin to be answered sooner.
_MOST_LINES = 1000
_LARGEST = 1 << 20


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and how its answer is read."""

    path: str
    read: Callable[[httpx.Response], T]
    method: str = "GET"
    parameters: dict[str, str | int] = field(default_factory=dict)
    body: dict[str, object] | None = None
    content: bytes | None = None
    """A body that is no JSON: a question, which changes nothing."""
    content_type: str = "application/x-ndjson"

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be sent again if it is unknown whether it arrived."""
        return self.method == "GET" or self.content is not None


@dataclass(frozen=True)
class Page(Generic[T]):
    """A part of a list, and where the next part begins."""

    entries: tuple[T, ...]
    next: int | None


def position(text: PositionText, within: float | None) -> Call[Position]:
    """What is known of a position."""
    path, named = _address("positions", "", text)
    return Call(path, _reader(Position), parameters=_within(within) | named)


def batches(positions: Iterable[PositionText], play: Play | None) -> Iterator[list[bytes]]:
    """The lines of the requests for many positions. All but the last are large enough to be worth a request."""
    batch: list[bytes] = []
    size = 0
    common = {} if play is None else {"play": arguments.play(play)}
    for text in arguments.positions(positions):
        question = {"position": arguments.position(text)} | common
        line = json.dumps(question, separators=(",", ":")).encode() + b"\n"
        if batch and (len(batch) == _MOST_LINES or size + len(line) > _LARGEST):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line)
    if batch:
        yield batch


def bulk(batch: list[bytes], within: float | None) -> Call[tuple[Position | Problem, ...]]:
    """What is known of the positions of a batch."""

    def read(response: httpx.Response) -> tuple[Position | Problem, ...]:
        answers = tuple(_answer(line) for line in response.content.splitlines())
        if len(answers) != len(batch):
            raise UnexpectedAnswer(f"{len(batch)} positions had {len(answers)} answers")
        return answers

    parameters = _within(within)
    return Call("/api/v1/positions", read, method="POST", parameters=parameters, content=b"".join(batch))


def moves(text: PositionText, play: Play, within: float | None, offset: int) -> Call[Page[Move]]:
    """A page of its moves."""
    path, named = _address("moves", "/moves", text)
    parameters = _within(within) | {"play": arguments.play(play), "offset": offset, "limit": 1000} | named
    return Call(path, _page_reader(Move), parameters=parameters)


def line(text: PositionText, play: Play, within: float | None) -> Call[Line]:
    """A line of play."""
    path, named = _address("line", "/line", text)
    return Call(path, _reader(Line), parameters=_within(within) | {"play": arguments.play(play)} | named)


def drawing(text: PositionText, *, is_small: bool) -> Call[Drawing]:
    """A picture."""
    parameters: dict[str, str | int] = {"thumbnail": 1} if is_small else {}
    address = f"/positions/{_segment('position', arguments.position(text))}/drawing.svg"
    return Call(address, lambda response: Drawing(response.text), parameters=parameters)


def table(play: Play, game: str, within: float | None, offset: int) -> Call[Page[TableEntry]]:
    """A page of the start positions."""
    parameters = _within(within) | {"game": arguments.name("game", game), "offset": offset, "limit": 1000}
    return Call(f"/api/v1/tables/{arguments.play(play)}", _page_reader(TableEntry), parameters=parameters)


def games(offset: int) -> Call[Page[Game]]:
    """A page of the games."""
    return Call("/api/v1/games", _page_reader(Game), parameters={"offset": offset, "limit": 1000})


def game(name: str) -> Call[Game]:
    """One game."""
    return Call(f"/api/v1/games/{_segment('name', name)}", _reader(Game))


def sequence(name: str, heaps: int | None, within: float | None) -> Call[Nimbers]:
    """The nimbers of heaps, or of a family."""
    return Call(f"/api/v1/sequences/{_segment('name', name)}", _reader(Nimbers), parameters=_heaps(heaps, within))


def quotient(name: str, heaps: int | None, within: float | None) -> Call[FoundQuotient]:
    """A misère quotient."""
    return Call(f"/api/v1/quotients/{_segment('name', name)}", _reader(FoundQuotient), parameters=_heaps(heaps, within))


def export(play: Play | None) -> Call[None]:
    """Everything proved, as an export."""
    return Call("/api/v1/export", lambda _: None, parameters={} if play is None else {"play": arguments.play(play)})


def certificates(offset: int) -> Call[Page[Certificate]]:
    """A page of the atlas."""
    parameters: dict[str, str | int] = {"offset": offset, "limit": 1000}
    return Call("/api/v1/certificates", _page_reader(Certificate), parameters=parameters)


def certificate(which: Certificate | str) -> Call[bytes]:
    """A certificate of the atlas, whose entity tag is its SHA-256."""
    name = which.name if isinstance(which, Certificate) else which

    def read(response: httpx.Response) -> bytes:
        found = hashlib.sha256(response.content).hexdigest()
        if response.headers.get("ETag") != f'"{found}"':
            raise UnexpectedAnswer(f"the SHA-256 of {name} is {found}, but the atlas lists another one")
        return response.content

    return Call(f"/api/v1/certificates/{_segment('certificate', name)}", read)


def check_certificate(file: bytes) -> Call[CheckedCertificate]:
    """The check of a certificate."""
    reader = _reader(CheckedCertificate)
    kind = "application/octet-stream"
    return Call("/api/v1/certificates", reader, method="POST", content=file, content_type=kind)


def computations(offset: int) -> Call[Page[Computation]]:
    """A page of the computations."""
    parameters: dict[str, str | int] = {"offset": offset, "limit": 1000}
    return Call("/api/v1/computations", _page_reader(Computation), parameters=parameters)


def computation(which: Computation | int) -> Call[Computation]:
    """One computation."""
    return Call(_computation(which), _reader(Computation))


def explanation(which: Computation | int) -> Call[Explanation]:
    """Why a computation is not finished."""
    return Call(f"{_computation(which)}/explanation", _reader(Explanation))


def start(
    text: PositionText,
    play: Play,
    nimber: bool,
    deadline: float | None,
    priority: int | None,
    weight: int | None,
    owner: str,
    label: str,
) -> Call[Computation]:
    """The start of a computation."""
    body: dict[str, object] = {
        "position": arguments.position(text),
        "play": arguments.play(play),
        "nimber": arguments.truth("nimber", nimber),
    }
    if deadline is not None:
        body["deadline_ms"] = arguments.milliseconds("deadline", deadline)
    if priority is not None:
        body["priority"] = arguments.number("priority", priority)
    if weight is not None:
        body["weight"] = arguments.number("weight", weight)
    if arguments.text("owner", owner):
        body["owner"] = owner
    if arguments.text("label", label):
        body["label"] = label
    return Call("/api/v1/computations", _reader(Computation), method="POST", body=body)


def change(which: Computation | int, how: str) -> Call[Computation]:
    """A change of a computation: `pause`, `resume` or `cancel`."""
    return Call(f"{_computation(which)}/{how}", _reader(Computation), method="POST")


def set_weight(which: Computation | int, weight: int) -> Call[Computation]:
    """A change of the weight of a computation."""
    path = f"{_computation(which)}/weight"
    return Call(path, _reader(Computation), method="POST", body={"weight": arguments.number("weight", weight)})


def events(which: Computation | int) -> Call[None]:
    """The events of a computation, as a stream."""
    return Call(f"{_computation(which)}/events", lambda _: None)


def audit_log(offset: int) -> Call[Page[AuditEntry]]:
    """A page of the audit log."""
    parameters: dict[str, str | int] = {"offset": offset, "limit": 1000}
    return Call("/api/v1/audit-log", _page_reader(AuditEntry), parameters=parameters)


def fleet() -> Call[Fleet]:
    """The coordinator and its workers."""
    return Call("/api/v1/fleet", _reader(Fleet))


class EventReader:
    """Follows a computation, line by line of its stream (WHATWG HTML, server-sent events)."""

    def __init__(self, before: Computation) -> None:
        self._computation = before
        self._data: list[str] = []

    def after(self, text: str) -> Computation | None:
        """The computation, if this line ends an event."""
        if text.startswith("data:"):
            self._data.append(text[5:].removeprefix(" "))
        elif not text and self._data:
            data, self._data = "\n".join(self._data), []
            self._computation = _progressed(self._computation, data)
            return self._computation
        return None


def _progressed(computation: Computation, data: str) -> Computation:
    try:
        progress = json.loads(data)
    except ValueError as error:
        raise UnexpectedAnswer(f"an event is not JSON: {data!r:.80}") from error
    if not isinstance(progress, dict):
        raise UnexpectedAnswer(f"an event is not an object: {data!r:.80}")
    return decode(Computation, asdict(computation) | progress)


def _answer(line: bytes) -> Position | Problem:
    try:
        told = json.loads(line)
    except ValueError as error:
        raise UnexpectedAnswer(f"a line is not JSON: {line!r:.80}") from error
    if isinstance(told, dict) and "error" in told:
        return Problem.of_line(told)
    return decode(Position, told)


def _segment(argument: str, text: str) -> str:
    """A text as a segment of a path."""
    quoted = quote(arguments.name(argument, text), safe="")
    # Alone in a segment of a path, dots name a folder.
    return quoted if quoted.strip(".") else quoted.replace(".", "%2E")


def _address(resource: str, below: str, text: PositionText) -> tuple[str, dict[str, str | int]]:
    """A path with the position in it. Or, if clients and proxies would change that path, one beside the position."""
    position = arguments.position(text)
    if "/" in position or position in (".", ".."):
        return f"/api/v1/{resource}", {"position": position}
    return f"/api/v1/positions/{_segment('position', position)}{below}", {}


def _computation(which: Computation | int) -> str:
    number = which.id if isinstance(which, Computation) else which
    return f"/api/v1/computations/{arguments.number('computation', number)}"


def _within(within: float | None) -> dict[str, str | int]:
    return {} if within is None else {"within_ms": arguments.milliseconds("within", within)}


def _heaps(heaps: int | None, within: float | None) -> dict[str, str | int]:
    return _within(within) | ({} if heaps is None else {"heaps": arguments.number("heaps", heaps)})


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        raise UnexpectedAnswer(f"{response.url} answered no JSON; is it a coordinator?") from error


def _reader(kind: type[T]) -> Callable[[httpx.Response], T]:
    return lambda response: decode(kind, _json(response))


def _page_reader(kind: type[T]) -> Callable[[httpx.Response], Page[T]]:
    def read(response: httpx.Response) -> Page[T]:
        page = _json(response)
        if not isinstance(page, dict) or not isinstance(page.get("items"), list):
            raise UnexpectedAnswer(f"{response.url} answered no list")
        entries = tuple(decode(kind, entry) for entry in page["items"])
        return Page(entries, page.get("next"))

    return read
