"""What `Local` answers, without a coordinator; and that a coordinator answers the same."""

from __future__ import annotations

import csv
import gzip
import math
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Literal

import pytest

import sproutnet.local
from conftest import HERE
from sproutnet import (
    Client,
    InvalidArgument,
    InvalidType,
    Local,
    Play,
    Problem,
    SproutnetError,
    TooLarge,
    Unavailable,
)

ROOT = HERE.parents[2]
PLAYS: tuple[Play, Play] = ("normal", "misere")

# Of each game, and sums of several.
POSITIONS = [
    *(f"0*{spots}" for spots in range(10)),
    *("0*3.1a1a", "0*3.AB|0.AB", "0*2.ABC|ABC", "0*4+0*5", "0*2.22+0*3", "12}", "1a1a", "0*40", "0*30"),
    *("brussels:x*2", "brussels:x+222.22", "mixed:x", "mixed:0.22+AB2|AB", "surfaces:0*3@1", "surfaces:0*3@-1"),
    *("kayles:5+3", "kayles:12", "kayles:4+4+1", "nim:3+5+7", "nim:1+1", "bash:21/3", "bash:9/2+10/4"),
    *("subtraction:{1,3,4}:21", "subtraction:{2,5}:8+9", "octal(0.77):5+3", "octal(0.137):11", "octal(0.07):4+9"),
    *("hexadecimal(0.F):9", "hexadecimal(0.8):7+4", "grundy:9", "grundy:5+6", "grundy:12+3"),
    *("wythoff:3,5+1,2", "wythoff:4,7", "cram:3x4", "cram:oo-/ooo+2x2", "cram:1x9"),
    *("node-kayles:cycle(8)+path(5)", "node-kayles:petersen", "arc-kayles:petersen", "arc-kayles:cycle(8)+path(5)"),
    *("clique:petersen", "clique:cube(3)+cycle(5)", "explicit:{0,*1,{*2}}", "explicit:{*2}+{*3,{*2}}"),
    *("switching:gale(2)/short", "switching:complete(4)/0,1/cut"),
    *("0*2+nim:2", "kayles:5+nim:3", "brussels:x*2+cram:2x3+nim:1", "octal(0.137):6+bash:9/2", "0*9+0*9+0*8"),
]


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled code goes there, not to the user's folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def local(cache: None) -> Local:
    """The one of most tests, which may take its time on a busy machine."""
    return Local(within=300)


def test_small_positions_have_the_values_of_another_program(local: Local) -> None:
    table = ROOT / "common/solver/tests/reference/all_below_4_spots.tsv"
    lines = [line for line in table.read_text().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines, delimiter="\t"))
    assert len(rows) > 200
    for row in rows:
        # Numbers alone are no positions.
        position = re.sub(r"(?<![^+])\d+(?![^+])", r"\g<0>}", row["position"])
        known = local.query(position)
        found = known.nimber, known.outcome("normal"), known.outcome("misere")
        assert found == (int(row["nimber"]), row["normal_outcome"], row["misere_outcome"]), position


def test_heaps_have_their_nimbers(local: Local) -> None:
    assert [local.nimber(f"kayles:{heap}") for heap in range(13)] == [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
    assert local.nimber("nim:3+5+7") == 1
    assert (local.outcome("nim:1+1"), local.outcome("nim:1+1", "misere")) == ("loss", "win")
    assert local.outcome(7) == "loss" and local.outcome(7, "misere") == "loss"


def test_a_coordinator_answers_the_same(local: Local, client: Client) -> None:
    assert len(set(POSITIONS)) >= 60
    for position in POSITIONS:
        here, there = local.query(position), client.query(position, within=10)
        for play in PLAYS:
            assert here.outcome(play) == there.outcome(play), (position, play)
        for name in ("position", "canonical", "game", "most_moves", "nimber"):
            assert getattr(here, name) == getattr(there, name), (position, name)
        assert [land.canonical for land in here.lands] == [land.canonical for land in there.lands], position


@pytest.mark.parametrize("play", PLAYS)
def test_moves_are_those_of_a_coordinator(local: Local, client: Client, play: Play) -> None:
    for position in ("0*5", "0*3.AB|0.AB", "kayles:5+3", "cram:3x4", "0*2+nim:2", "0*20"):
        here, there = local.moves(position, play), client.moves(position, play, within=10)
        assert (here.position, here.play) == (there.position, there.play)
        assert {move.canonical for move in here} == {move.canonical for move in there}, position
        if local.query(position).most_moves <= 35:
            known = {(move.canonical, move.normal, move.misere) for move in here}
            assert known == {(move.canonical, move.normal, move.misere) for move in there}, position
        outcomes = [move.outcome(play) for move in here]
        assert outcomes == sorted(outcomes, key=["win", "unknown", "loss"].index), "winning moves come first"


def test_a_refusal_is_that_of_a_coordinator(local: Local, client: Client) -> None:
    for position in ("0*3.x", "12", "chess:1", "kayles:x", "0*2+", "0*10000"):
        with pytest.raises(Problem) as here:
            local.query(position)
        with pytest.raises(Problem) as there:
            client.query(position)
        assert vars(here.value) == vars(there.value), position
    with pytest.raises(InvalidArgument, match="empty"):
        local.moves(" ")
    with pytest.raises(InvalidArgument, match="play"):
        local.moves(3, "mixed")  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="visits"):
        local.query(3, visits=-1)
    wrong: Any = "many"
    with pytest.raises(InvalidType, match="visits: "):
        local.query(3, visits=wrong)
    with pytest.raises(InvalidArgument, match="position: "):
        local.query("\ud800")
    with pytest.raises(InvalidArgument, match="no nimbers"):
        local.nimber("switching:gale(2)/short")


def test_a_search_ends_by_its_bound(local: Local) -> None:
    # Too large to be searched, but their moves are listed.
    large = "0*13.22"
    assert local.query(large).searched == "too large" and local.query(large).outcome("misere") == "unknown"
    for ask in (local.outcome, local.nimber):
        with pytest.raises(TooLarge, match="40 moves; positions of at most 35"):
            ask(large)
    assert len(local.moves("0*25", visits=100)) == 14
    # What is published is known anyway, with its source.
    assert local.query("0*40").normal.citation is not None and local.outcome("0*40") == "win"
    # Few visits are too few, until something is known.
    assert local.query("0*12", visits=0).searched == "no"
    few = local.query("0*7.1a1a", visits=5)
    assert few.searched == "out of time"
    play = next(play for play in PLAYS if few.outcome(play) == "unknown")
    with pytest.raises(TooLarge, match="more than 5 visits"):
        local.outcome("0*7.1a1a", play, visits=5)
    assert local.outcome("0*7.1a1a", play) in ("win", "loss")


def test_time_and_memory_are_bounded() -> None:
    bounded = Local(within=0.5, memory=160 << 20)
    began = time.monotonic()
    with pytest.raises(TooLarge, match=r"more than 0\.5 s"):
        bounded.check_certificate(ROOT / "atlas/misere-16.sprout")
    assert time.monotonic() - began < 10
    assert bounded.outcome("kayles:7") == "win", "it goes on afterwards"
    with pytest.raises(TooLarge, match="more memory than 167772160 bytes"):
        bounded.check_certificate(bytes(1 << 28))
    assert bounded.outcome("kayles:7") == "win"


def test_an_interrupt_ends_a_call(local: Local) -> None:
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.5, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        local.check_certificate(ROOT / "atlas/misere-20.sprout")
    assert local.outcome(5) == "win"


def test_threads_may_share_it(local: Local) -> None:
    positions = [f"kayles:{one}+{other}" for one in range(8) for other in range(8)]
    with ThreadPoolExecutor(8) as threads:
        nimbers = list(threads.map(local.nimber, positions))
    of_heaps = [0, 1, 2, 3, 1, 4, 3, 2]
    assert nimbers == [one ^ other for one in of_heaps for other in of_heaps]


def test_certificates_are_accepted(local: Local, client: Client) -> None:
    for name, facts in (("normal-12", 190), ("misere-12", 1643)):
        path = ROOT / f"atlas/{name}.sprout"
        checked = local.check_certificate(path)
        play, _, _ = name.partition("-")
        assert (checked.verified, checked.position, checked.play, checked.facts) == (True, "0*12", play, facts)
        assert checked == client.check_certificate(path.read_bytes())


def test_a_certificate_may_be_a_path_bytes_or_a_file(local: Local) -> None:
    path = ROOT / "atlas/normal-9.sprout"
    checked = local.check_certificate(path)
    assert checked.verified and checked == local.check_certificate(str(path))
    assert checked == local.check_certificate(path.read_bytes())
    with path.open("rb") as file:
        assert checked == local.check_certificate(file)
    with pytest.raises(FileNotFoundError):
        local.check_certificate("none.sprout")
    wrong: Any = 5
    with pytest.raises(InvalidType, match="file: expected bytes, a path or an open file, not int"):
        local.check_certificate(wrong)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("module", {"module": 5}),
        ("within", {"within": "a"}),
        ("within", {"within": math.nan}),
        ("memory", {"memory": "1 GiB"}),
        ("memory", {"memory": -1}),
    ],
)
def test_bounds_are_numbers(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument, match=f"^{name}: "):
        Local(**options)


def test_any_number_of_seconds_is_a_bound() -> None:
    decided: Literal["win", "loss"] = Local(within=math.inf).outcome(5)
    assert decided == "win"


def test_damaged_certificates_are_refused_with_the_reason(local: Local, client: Client) -> None:
    good = (ROOT / "atlas/misere-8.sprout").read_bytes()
    text = gzip.decompress(good)
    lines = text.split(b"\n")
    damaged = {
        "cut": good[:-20],
        "of another outcome": gzip.compress(text.replace(b"outcome: loss", b"outcome: win")),
        "without a fact": gzip.compress(b"\n".join(lines[:20] + lines[21:])),
        "empty": b"",
        "of theory": b"sproutnet-period 1\n",
    }
    reasons = set()
    for name, file in damaged.items():
        checked = local.check_certificate(file)
        assert not checked.verified and checked.error and checked.position is None, name
        there = client.check_certificate(file)
        assert (checked.verified, checked.line) == (there.verified, there.line), name
        reasons.add(checked.error)
    assert len(reasons) == len(damaged)
    assert local.check_certificate(damaged["of another outcome"]).line == 5


def test_the_conformance_files_get_their_verdicts(local: Local) -> None:
    folder = ROOT / "checkers/conformance"
    with (folder / "cases.tsv").open(newline="") as table:
        cases = list(csv.DictReader(table, delimiter="\t"))
    assert len(cases) > 200
    for case in cases:
        checked = local.check_certificate(folder / case["file"])
        assert checked.verified == (case["verdict"] == "accept"), (case["file"], checked.error)
        assert (checked.error is None) == checked.verified


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="no file .*none.wasm"):
        Local(tmp_path / "none.wasm")
    for content, why in ((b"text", "no WebAssembly module"), (b"\0asm\1\0\0\0", "does not fit this version")):
        (tmp_path / "other.wasm").write_bytes(content)
        with pytest.raises(Unavailable, match=why):
            Local(tmp_path / "other.wasm")
    monkeypatch.setattr(sproutnet.local, "FILE", "none.wasm")
    with pytest.raises(Unavailable, match=r"built without its WebAssembly module.*\.ci/wasm"):
        Local()
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(Unavailable, match=r"sproutnet\[local\]") as missing:
        Local()
    assert isinstance(missing.value, SproutnetError)


def test_the_example_of_the_documentation_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    _, _, section = (ROOT / "docs/how-to/python.md").read_text().partition("## Without a coordinator")
    example = section.split("```python\n")[1].split("```")[0]
    said = StringIO()
    with redirect_stdout(said):
        exec(compile(example, "python.md", "exec"), {})
    lines = [line for line in example.splitlines() if line.startswith("print(")]
    assert said.getvalue().splitlines() == [line.partition("  # ")[2].strip() for line in lines]
