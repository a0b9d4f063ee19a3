"""What a coordinator answers: frozen dataclasses with the names of the API.

Times are in seconds, dates in seconds since 1970 (UTC), sizes in bytes. Notebooks show the answers as tables and
drawings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar, overload

from sproutnet import display

Play = Literal["normal", "misere"]
"""A convention: who moves last wins under `normal`, and loses under `misere`."""

Outcome = Literal["win", "loss", "unknown", "in progress"]
"""For the player to move; of a move, for the player who makes it. Never a guess."""

# Later coordinators may send further words, except for the two types above. So the fields of the types below also take
# any other text.
Source = Literal["search", "store", "derived", "atlas", "literature"]
Basis = Literal[
    "played_out",
    "theorem",
    "sequence",
    "period",
    "quotient",
    "sum",
    "records",
    "search",
    "computation",
    "certificate",
    "publication",
]
"""Where an outcome comes from: this request, an earlier computation, what follows from these, a certificate of the
atlas, a publication."""

Searched = Literal["no", "yes", "too large", "out of time", "busy"]
"""What came of the search of a small position while the client waited."""

Status = Literal["running", "paused", "solved", "cancelled", "expired", "failed"]
"""The state of a computation."""

WaitsFor = Literal["resumption", "worker", "job", "priority", "turn", "disk", "game"]
"""Why no worker has a job of a computation."""

T = TypeVar("T")


@dataclass(frozen=True)
class Listing(Sequence[T], Generic[T]):
    """An answer with several entries."""

    entries: tuple[T, ...]

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self.entries[index]

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[T]:
        return iter(self.entries)


@dataclass(frozen=True)
class Drawing:
    """A picture of a position."""

    svg: str = field(repr=False)

    def _repr_svg_(self) -> str:
        return display.drawing(self)


@dataclass(frozen=True)
class Provenance:
    """The computation that found a result."""

    computation: int | None
    solved_at: int
    seconds: float
    expansions: int
    records: int


@dataclass(frozen=True)
class Standing:
    """The outcome of a position under one convention, and its source."""

    outcome: Outcome
    source: Source | str | None
    """None if the outcome is not known."""
    basis: Basis | str | None
    """Why the outcome is known, more precisely than the source."""
    citation: str | None
    """Who published it, or the theorem, if that is the reason."""
    solved: Provenance | None
    """The computation that found it, if that is the source."""
    computation: int | None
    """The computation under way, if there is one."""
    verified: bool
    """Whether the checker of certificates confirmed it."""


@dataclass(frozen=True)
class Verdict:
    """The outcomes of a position in short."""

    canonical: str
    """Its canonical text: equal positions have equal ones."""
    normal: Outcome
    misere: Outcome
    nimber: int | None
    genus: str | None
    """Only of small positions."""
    verified: tuple[Play, ...]
    """The conventions under which the checker of certificates confirmed the outcome."""

    def outcome(self, play: Play) -> Outcome:
        """The outcome under a convention."""
        return self.normal if play == "normal" else self.misere


@dataclass(frozen=True)
class Move(Verdict):
    """A move, by the position after it. Its outcomes are those of the player who makes it."""

    drawing: Drawing | None = None
    """If drawings were asked for, and the position can be drawn."""


@dataclass(frozen=True)
class Position:
    """What is known of a position."""

    position: str
    """The position as requested."""
    canonical: str
    """Its canonical text: equal positions have equal ones."""
    game: str
    most_moves: int
    """No play from here has more moves."""
    normal: Standing
    misere: Standing
    nimber: int | None
    searched: Searched | str
    """What came of the search for this answer. If it is `out of time` or `busy`, a later query may find more."""
    genus: str | None
    """Only of small positions."""
    lands: tuple[Verdict, ...]
    """Each of its lands alone, if there are several."""
    drawing: Drawing | None = None
    """If a drawing was asked for, and the position can be drawn."""

    def standing(self, play: Play) -> Standing:
        """The outcome under a convention, and its source."""
        return self.normal if play == "normal" else self.misere

    def outcome(self, play: Play) -> Outcome:
        """The outcome under a convention, for the player to move."""
        return self.standing(play).outcome

    def _repr_html_(self) -> str:
        return display.position(self)


@dataclass(frozen=True)
class Moves(Listing[Move]):
    """The moves of a position, winning ones first."""

    position: str
    """As requested."""
    play: Play
    """The convention by which they are sorted."""

    @property
    def winning(self) -> tuple[Move, ...]:
        """The moves that are known to win."""
        return tuple(move for move in self.entries if move.outcome(self.play) == "win")

    def _repr_html_(self) -> str:
        return display.moves(self)


@dataclass(frozen=True)
class Step:
    """A position of a line of play."""

    canonical: str
    outcome: Outcome
    """For the player to move."""
    verified: bool
    drawing: Drawing | None = None


@dataclass(frozen=True)
class Line:
    """A line of play in which the winner plays to win."""

    play: Play
    steps: tuple[Step, ...]
    """The position itself, then the position after each move."""
    complete: bool
    """Whether it reaches the end of the game. If not, the rest is unknown."""

    def _repr_html_(self) -> str:
        return display.line(self)


@dataclass(frozen=True)
class TableEntry:
    """A start position."""

    position: str
    size: int
    """Its place in the table: the number of spots, or pins, where a number names the position."""
    play: Play
    outcome: Outcome
    nimber: int | None
    source: Source | str | None
    citation: str | None
    verified: bool


@dataclass(frozen=True)
class Table(Listing[TableEntry]):
    """The start positions of a game under one convention, smallest first."""

    game: str
    play: Play

    def _repr_html_(self) -> str:
        return display.table(self)


@dataclass(frozen=True)
class Estimate:
    """The time that a computation may take, judging by smaller start positions."""

    low: float
    """In seconds. Four in five computations should take from `low` to `high`."""
    high: float
    behind: int
    """The solved start positions that it rests on."""


@dataclass(frozen=True)
class Computation:
    """A position that is being solved, or was."""

    id: int
    position: str
    """Its canonical text."""
    play: Play
    nimber_wanted: bool
    priority: int
    """Computations of higher priority get workers first."""
    weight: int
    """How much machine time it gets, relative to running computations of equal priority: 1 to 1000."""
    owner: str
    """For whom it is computed; may be empty."""
    label: str
    """A short text to tell it from others; may be empty."""
    started_at: int
    machine_seconds: float
    """The time that all its jobs took together, in seconds of one core."""
    waits_for: WaitsFor | str | None
    """Why no worker has a job of it; None if one has, or if it has ended."""
    paused_by: str | None
    """Who paused it, if it is paused and that is known."""
    status: Status | str
    outcome: Outcome
    nimber: int | None
    source: Source | str | None
    proof: int
    """A lower bound of the effort to prove a win; 4294967295 if that is impossible."""
    disproof: int
    """The same for a loss."""
    seconds: float
    """Time of work."""
    expansions: int
    """Lands whose options were generated."""
    records: int
    """Records that it added to the store."""
    nodes: int
    """States whose numbers all workers share."""
    jobs: int
    """Jobs that workers hold."""
    fault: str | None
    """Why it failed."""
    estimate: Estimate | None
    """What it was expected to take."""

    @property
    def has_ended(self) -> bool:
        """Whether it will not change any more."""
        return self.status not in ("running", "paused")

    def __str__(self) -> str:
        return display.computation(self)

    def _repr_html_(self) -> str:
        return display.computation_html(self)


@dataclass(frozen=True)
class Branch:
    """An open state directly below the state to be proved."""

    position: str
    value: str | None
    """The value of its lands that are known, if it is not zero and can be written."""
    proof: int
    disproof: int
    jobs: int
    """Jobs that workers hold."""


@dataclass(frozen=True)
class Branches:
    """The states directly below the state to be proved."""

    open: tuple[Branch, ...]
    """The hardest first, 24 at most."""
    more: int
    """The number of other open states."""
    are_parts: bool
    """Whether they are parts that all have to be solved, and not moves."""


@dataclass(frozen=True)
class Effort:
    """The work that was reported for a computation since the coordinator started."""

    expansions: int
    unwanted_expansions: int
    """Those of jobs that were no longer wanted."""
    new_records: int
    repeated_records: int
    """Records that were known before."""


@dataclass(frozen=True)
class Pace:
    """The speed of a computation over the last part of its work."""

    seconds: float
    """The length of this part, in seconds of work."""
    expansions: float
    """A second."""
    records: float
    """New ones a second."""
    proof: int
    """The proof number at its beginning."""
    disproof: int


@dataclass(frozen=True)
class Explanation:
    """Why a computation is not finished."""

    computation: Computation
    branches: Branches | None
    """`None` if no proof is under way."""
    effort: Effort
    paces: tuple[Pace, ...]
    """Its speed over the last minute, the last hour and all of its work, as far as they differ."""


@dataclass(frozen=True)
class FleetWorker:
    """A worker that called in the last minute."""

    id: str
    name: str
    peer: str
    """Its address."""
    version: str
    """The version of its program; `unknown` if it does not report it."""
    cores: int
    jobs: int
    expansions: int
    expansions_per_second: float
    records: int
    memory: int
    silent: float
    """The time since its last call."""


@dataclass(frozen=True)
class Quarantine:
    """Why and when a worker was quarantined."""

    why: str
    at: int


@dataclass(frozen=True)
class RecordSource:
    """A worker, as the source of records."""

    source: int
    name: str
    peer: str
    records: int
    quarantine: Quarantine | None


@dataclass(frozen=True)
class Fleet:
    """The coordinator and its workers."""

    uptime: float
    cores: int
    jobs: int
    expansions_per_second: float
    records: int
    store_bytes: int
    disk_free: int | None
    disk_reserve: int | None
    problem: str | None
    """Why the coordinator hands out no jobs, such as a full disk."""
    least_worth: int
    """Workers withhold facts that took fewer visits than this; 1: none."""
    nodes: int
    leased: int
    finished: int
    expired: int
    released: int
    workers: tuple[FleetWorker, ...]
    quarantined: tuple[RecordSource, ...]

    def _repr_html_(self) -> str:
        return display.fleet(self)


@dataclass(frozen=True)
class OtherName:
    """Another name for a game with certain parameters."""

    name: str
    means: str


@dataclass(frozen=True)
class Game:
    """A game and what there is for it."""

    game: str
    """Its name, as before the colon in `kayles:5`."""
    rules: str
    notation: str
    examples: tuple[str, ...]
    other_names: tuple[OtherName, ...]
    plays: tuple[Play, ...]
    """The conventions under which positions are solved."""
    starts: bool
    """Whether a number alone names a start position."""
    nimbers: bool
    """Whether positions have nimbers: both players have the same moves."""
    heaps: bool
    """Whether it is a game of heaps: for `sequence` and `quotient`."""
    drawn: bool
    proved: bool
    """Whether certificates of positions can be made."""


@dataclass(frozen=True)
class ProvedPeriod:
    """A proved period of the nimbers of heaps."""

    from_: int = field(metadata={"name": "from"})
    """The smallest heap from which the nimbers repeat."""
    length: int
    saltus: int
    """What a nimber grows by with each period; 0 if it does not."""
    verified_to: int
    """The largest heap whose nimber the proof compares."""
    proof: str


@dataclass(frozen=True)
class Nimbers:
    """The nimbers of the heaps of a game, or of the positions of a family. All of them are proved."""

    game: str
    first: int
    """The heap, or the N, of the first nimber."""
    nimbers: tuple[int, ...]
    computed: int
    """How many were computed. Others follow from the period."""
    period: ProvedPeriod | None
    searched: Searched | str
    """`yes` if all nimbers are there; else why not."""
    stopped: str | None
    """Why nimbers are missing, in words."""


@dataclass(frozen=True)
class Generator:
    """A generator of a misère quotient, and the smallest heap that has it as its value."""

    name: str
    heap: int


@dataclass(frozen=True)
class ValuePeriod:
    """A proved period of the values of heaps."""

    from_: int = field(metadata={"name": "from"})
    length: int
    verified_to: int


@dataclass(frozen=True)
class Quotient:
    """The misère quotient of a game of heaps."""

    whole_game: bool
    """Whether it is that of the whole game, not just of the heaps in `values`."""
    order: int
    generators: tuple[Generator, ...]
    relations: tuple[str, ...]
    elements: tuple[str, ...]
    """In normal form, the identity first."""
    products: tuple[tuple[int, ...], ...]
    """For each element, its products with all elements, as indices into `elements`."""
    p_portion: tuple[str, ...]
    """The elements that are lost for the player to move."""
    values: tuple[str, ...]
    """The elements of heaps of 0, 1, 2, … tokens."""
    period: ValuePeriod | None


@dataclass(frozen=True)
class FoundQuotient:
    """What came of finding a misère quotient."""

    game: str
    searched: Searched | str
    """`yes`; `out of time` or `busy`: a later call may find it; `too large`: `quotient` is that of smaller heaps."""
    quotient: Quotient | None
    stopped: str | None
    """Why the quotient is missing or of fewer heaps, in words."""


@dataclass(frozen=True)
class AuditEntry:
    """An entry of the audit log: a change, and who made it. What does not belong to the event is None."""

    id: int
    at: int
    """When it was made, in seconds since 1970."""
    event: str
    """Such as `started`, `paused`, `solved` or `revoked`."""
    by: str
    """The name of the token; `local` without tokens."""
    computation: int | None
    position: str | None
    play: Play | None
    outcome: Outcome | None
    priority: int | None
    weight: int | None
    source: str | None
    why: str | None
    records: int | None
    computations: int | None


@dataclass(frozen=True)
class Certificate:
    """A certificate of the atlas: an outcome that Sproutnet proved."""

    name: str
    position: str
    play: Play
    outcome: Outcome
    nimber: int | None
    """If it is proved."""
    winning_move: str | None
    """The position after the winning first move that it proves."""
    facts: int
    bytes: int
    effort: str
    """The work of the proof, in words."""
    date: str
    version: str
    sha256: str
    download: str | None
    """None if the coordinator has only the list."""


@dataclass(frozen=True)
class CheckedCertificate:
    """What the checker says of a certificate."""

    verified: bool
    """Whether it is accepted. The other fields are None otherwise, but for `error` and `line`."""
    kind: str | None
    """`outcome`, `period` or `quotient`."""
    position: str | None
    code: str | None
    """The code of the game whose period or quotient it proves."""
    play: Play | None
    outcome: Outcome | None
    claim: str | None
    """What it proves about a game of heaps."""
    facts: int | None
    tool: str | None
    error: str | None
    """Why it is refused."""
    line: int | None
    """The line at fault."""
