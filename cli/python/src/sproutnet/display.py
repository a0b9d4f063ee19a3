"""Answers as notebooks show them: HTML that brings its own style, and nothing from elsewhere."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sproutnet import answers

_COLOURS = {"win": "#8fd0a5", "loss": "#eba69c", "in progress": "#f2dd9a", "unknown": "#dddddd"}
_PLAYS = {"normal": "normal play", "misere": "misère play"}


def drawing(picture: answers.Drawing) -> str:
    """The picture in a size of its own. Otherwise it would be as wide as the page."""
    return picture.svg.replace("<svg ", '<svg width="320" ', 1)


def position(known: answers.Position) -> str:
    """What is known of a position, beside its drawing."""
    rows = [
        [_PLAYS[play], _outcome(standing.outcome), _source(standing)]
        for play, standing in (("normal", known.normal), ("misere", known.misere))
    ]
    table = _table(["", "player to move", "source"], rows)
    more = [f"at most {known.most_moves} moves"]
    if known.nimber is not None:
        more.append(f"nimber {known.nimber}")
    if known.genus is not None:
        more.append(f"genus {escape(known.genus)}")
    text = f"<b><code>{escape(known.canonical)}</code></b><br>{', '.join(more)}{table}"
    return f'<div style="display:flex;gap:1em;align-items:center">{_picture(known.drawing, 160)}<div>{text}</div></div>'


def moves(listed: answers.Moves) -> str:
    """The moves as a gallery, or as a table if there are no drawings."""
    title = f"{len(listed)} moves from <code>{escape(listed.position)}</code>, {_PLAYS[listed.play]}"
    if not any(move.drawing for move in listed):
        rows = [
            [f"<code>{escape(move.canonical)}</code>", _outcome(move.normal), _outcome(move.misere), _number(move.nimber)]
            for move in listed
        ]
        return title + _table(["position after it", "normal", "misère", "nimber"], rows)
    cards = (_card(move.drawing, move.canonical, move.outcome(listed.play), "move ") for move in listed)
    return title + _gallery(cards)


def line(found: answers.Line) -> str:
    """A line of play, from left to right."""
    title = f"a line of {_PLAYS[found.play]}" + ("" if found.complete else ", known so far")
    cards = (
        _card(step.drawing, f"{number}. {step.canonical}", step.outcome, "to move: ")
        for number, step in enumerate(found.steps)
    )
    return title + _gallery(cards)


def table(listed: answers.Table) -> str:
    """A square for each start position, with a frame if it was proved here."""
    squares = (
        f'<span title="{entry.size}: {escape(entry.outcome)}, {escape(entry.source or "unknown")}" style="display:inline-block;'
        f"width:2.6em;text-align:center;margin:1px;font-size:85%;{_colour(entry.outcome)};"
        f'border:1.5px solid {"#222" if entry.source in ("search", "store", "derived") else "transparent"}">'
        f"{entry.size}<br><b>{entry.outcome[0].upper() if entry.outcome in ('win', 'loss') else '?'}</b></span>"
        for entry in listed
    )
    title = f"{escape(listed.game)}, {_PLAYS[listed.play]}: W if the player to move wins; framed if proved here"
    return f'{title}<div style="max-width:60em;line-height:1.2">{"".join(squares)}</div>'


def computation(going: answers.Computation) -> str:
    """A computation in a line of text."""
    outcome = going.outcome if going.status == "solved" else going.status
    nimber = "" if going.nimber is None else f", nimber {going.nimber}"
    effort = f"{going.seconds:.1f} s, {going.expansions:,} expansions, {going.records:,} records"
    return f"{going.position} {going.play}: {outcome}{nimber} ({effort})"


def computation_html(going: answers.Computation) -> str:
    """The same as HTML."""
    return f"<code>{escape(computation(going))}</code>"


def fleet(state: answers.Fleet) -> str:
    """The workers."""
    title = (
        f"{len(state.workers)} workers, {state.cores} cores, {state.expansions_per_second:,.0f} expansions/s; "
        f"{state.records:,} records"
    )
    if state.problem is not None:
        title += f"<br><b>{escape(state.problem)}</b>"
    rows = [
        [escape(worker.name), f"{worker.cores}", f"{worker.expansions_per_second:,.0f}", f"{worker.silent:.0f} s ago"]
        for worker in state.workers
    ]
    return title + _table(["worker", "cores", "expansions/s", "seen"], rows)


def _source(standing: answers.Standing) -> str:
    told = standing.citation or standing.source or ""
    return escape(told) + (", verified" if standing.verified else "")


def _number(number: int | None) -> str:
    return "" if number is None else str(number)


def _colour(outcome: str) -> str:
    # The ink has a colour too, since themes may be dark.
    return f"background:{_COLOURS.get(outcome, _COLOURS['unknown'])};color:#222"


def _outcome(outcome: str) -> str:
    return f'<span style="padding:0 .5em;border-radius:.3em;{_colour(outcome)}">{escape(outcome)}</span>'


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th style="text-align:left">{head}</th>' for head in heads)
    body = "".join("<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _picture(drawing: answers.Drawing | None, width: int) -> str:
    if drawing is None:
        return ""
    # As an image of its own: the styles of several drawings on a page do not meet.
    data = b64encode(drawing.svg.encode()).decode()
    style = f"width:{width}px;height:{width}px;object-fit:contain;color-scheme:light"
    return f'<img alt="" style="{style}" src="data:image/svg+xml;base64,{data}">'


def _card(drawing: answers.Drawing | None, text: str, outcome: str, who: str) -> str:
    label = f'<div style="font-size:80%;overflow-wrap:anywhere"><code>{escape(text)}</code></div>'
    verdict = f'<div style="font-size:80%">{who}{_outcome(outcome)}</div>'
    return f'<div style="width:120px">{_picture(drawing, 110)}{label}{verdict}</div>'


def _gallery(cards: Iterable[str]) -> str:
    return f'<div style="display:flex;flex-wrap:wrap;gap:.8em;margin-top:.5em">{"".join(cards)}</div>'
