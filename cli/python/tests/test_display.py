"""What notebooks show."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pandas

from sproutnet import Client, to_frame


def elements(html: str) -> list[ElementTree.Element]:
    """All elements. The HTML is well formed, so a reader of XML takes it."""
    closed = html.replace("<br>", "<br/>").replace('svg+xml;base64,', "")
    parts = closed.split("<img ")
    closed = parts[0] + "".join("<img " + part.replace(">", "/>", 1) for part in parts[1:])
    return list(ElementTree.fromstring(f"<div>{closed}</div>").iter())


def test_answers_show_themselves(client: Client) -> None:
    position = client.query("0*3.1a1a", drawing=True)
    names = [element.tag for element in elements(position._repr_html_())]
    assert names.count("img") == 1 and "table" in names
    moves = client.moves("0*3.AB|0.AB", drawings=True)
    names = [element.tag for element in elements(moves._repr_html_())]
    assert names.count("img") == len(moves)
    assert len([e for e in elements(client.moves(3)._repr_html_()) if e.tag == "tr"]) == 1 + len(client.moves(3))
    line = client.line(3, drawings=True)
    assert [e.tag for e in elements(line._repr_html_())].count("img") == len(line.steps)
    table = client.table("misere")
    assert [e.tag for e in elements(table._repr_html_())].count("span") == len(table)
    assert "worker" in client.fleet()._repr_html_()
    drawing = client.drawing(3)
    assert ElementTree.fromstring(drawing._repr_svg_()).tag.endswith("svg")


def test_frames_have_a_row_for_each_entry(client: Client) -> None:
    client.solve(6)
    for rows in (client.table(), client.moves(4, drawings=True), client.line(3).steps, client.computations()):
        frame = to_frame(rows)
        assert len(frame) == len(rows) and "drawing" not in frame
    frame = to_frame(client.table())
    assert isinstance(frame.dtypes["nimber"], pandas.Int64Dtype)
    assert frame.set_index("size").outcome[:7].tolist() == ["loss", "loss", "loss", "win", "win", "win", "loss"]
    assert to_frame([]).empty
