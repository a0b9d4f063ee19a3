"""docs/tutorials/sproutnet.ipynb runs as it is, and is kept with its outputs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

from conftest import Cluster

# In bytes, so that people and tools open it at once.
LARGEST = 220_000


def read(file: Path) -> Any:
    """A notebook."""
    return nbformat.v4.reads(file.read_text(encoding="utf-8"))


def kinds(notebook: Any) -> list[set[str]]:
    """What each cell puts out: the types of its results, and the names of streams."""
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    return [{kind for output in cell.outputs for kind in output.get("data", [output.get("name")])} for cell in cells]


def test_the_notebook_runs(
    new_cluster: Cluster, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = pytestconfig.rootpath.parents[1] / "docs" / "tutorials" / "sproutnet.ipynb"
    kept, run = read(file), read(file)
    monkeypatch.setenv("SPROUTNET_URL", new_cluster.url)
    monkeypatch.setenv("SPROUTNET_TOKEN", new_cluster.token)
    nbclient.NotebookClient(run, timeout=120, record_timing=False, coalesce_streams=True).execute()
    if os.environ.get("SPROUTNET_WRITE_NOTEBOOK") == "1":
        file.write_text(nbformat.v4.writes(run) + "\n", encoding="utf-8")
        kept = run
    assert kinds(run) == kinds(kept)
    assert all(kinds(kept)), "a cell was kept without its output"
    assert file.stat().st_size < LARGEST
