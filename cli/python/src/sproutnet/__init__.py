"""Asks a Sproutnet coordinator who wins a position of Sprouts, and lets it solve positions.

- `Client` and `AsyncClient` call the HTTP API of a coordinator.
- `Local` answers about small positions and checks certificates without a coordinator.
- `sproutnet.answers` has the types of what they return: frozen dataclasses.
- `SproutnetError` is what they raise: `Problem` if the coordinator says no, `Unreachable` if it says nothing.
- `to_frame` makes a pandas frame of a list of answers.
"""

from importlib.metadata import version

from sproutnet.answers import (
    AuditEntry,
    Basis,
    Branch,
    Branches,
    Certificate,
    CheckedCertificate,
    Computation,
    Drawing,
    Effort,
    Estimate,
    Explanation,
    Fleet,
    FleetWorker,
    FoundQuotient,
    Game,
    Generator,
    Line,
    Move,
    Moves,
    Nimbers,
    OtherName,
    Outcome,
    Pace,
    Play,
    Position,
    ProvedPeriod,
    Provenance,
    Quarantine,
    Quotient,
    RecordSource,
    Searched,
    Source,
    Standing,
    Status,
    Step,
    Table,
    TableEntry,
    ValuePeriod,
    Verdict,
    WaitsFor,
)
from sproutnet.async_client import AsyncClient
from sproutnet.client import Client
from sproutnet.frames import to_frame
from sproutnet.local import Local
from sproutnet.problems import (
    InvalidArgument,
    InvalidType,
    Problem,
    SproutnetError,
    TooLarge,
    Unavailable,
    UnexpectedAnswer,
    Unreachable,
)

__version__ = version("sproutnet")

__all__ = [
    "AsyncClient",
    "AuditEntry",
    "Basis",
    "Branch",
    "Branches",
    "Certificate",
    "CheckedCertificate",
    "Client",
    "Computation",
    "Drawing",
    "Effort",
    "Estimate",
    "Explanation",
    "Fleet",
    "FleetWorker",
    "FoundQuotient",
    "Game",
    "Generator",
    "InvalidArgument",
    "InvalidType",
    "Line",
    "Local",
    "Move",
    "Moves",
    "Nimbers",
    "OtherName",
    "Outcome",
    "Pace",
    "Play",
    "Position",
    "Problem",
    "ProvedPeriod",
    "Provenance",
    "Quarantine",
    "Quotient",
    "RecordSource",
    "Searched",
    "Source",
    "SproutnetError",
    "Standing",
    "Status",
    "Step",
    "Table",
    "TableEntry",
    "TooLarge",
    "Unavailable",
    "UnexpectedAnswer",
    "Unreachable",
    "ValuePeriod",
    "Verdict",
    "WaitsFor",
    "to_frame",
]
