"""Answers as pandas frames."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING

from sproutnet.answers import Computation, FleetWorker, Move, Step, TableEntry

if TYPE_CHECKING:
    import pandas


def to_frame(rows: Iterable[TableEntry | Move | Step | Computation | FleetWorker]) -> pandas.DataFrame:
    """A frame with a row for each entry of a table, move, step of a line, computation or worker.

    Whole numbers that may be missing are of the type `Int64`, and drawings are left out.
    Needs pandas: `pip install "sproutnet[pandas]"`.
    """
    import pandas

    rows = list(rows)
    names = [field.name for field in fields(rows[0]) if field.name != "drawing"] if rows else []
    frame = pandas.DataFrame({name: [getattr(row, name) for row in rows] for name in names})
    if "nimber" in frame:
        frame["nimber"] = frame["nimber"].astype("Int64")
    return frame
