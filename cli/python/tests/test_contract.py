"""The types of answers are those of the API's own document."""

from __future__ import annotations

from dataclasses import MISSING, asdict, fields, replace
from typing import get_args

import httpx
import pytest

import sproutnet
from conftest import Cluster
from sproutnet import answers, calls
from sproutnet.answers import Computation
from sproutnet.decoding import decode
from sproutnet.problems import Problem, UnexpectedAnswer

# What only other pages of the coordinator need.
LEFT_OUT = {"Position": {"links"}}

KINDS = [
    answers.AuditEntry,
    answers.Branch,
    answers.Branches,
    answers.Certificate,
    answers.CheckedCertificate,
    answers.Computation,
    answers.Effort,
    answers.Estimate,
    answers.Explanation,
    answers.Fleet,
    answers.FleetWorker,
    answers.FoundQuotient,
    answers.Game,
    answers.Generator,
    answers.Line,
    answers.Nimbers,
    answers.OtherName,
    answers.Pace,
    answers.Position,
    answers.ProvedPeriod,
    answers.Provenance,
    answers.Quarantine,
    answers.Quotient,
    answers.RecordSource,
    answers.Standing,
    answers.Step,
    answers.TableEntry,
    answers.ValuePeriod,
    answers.Verdict,
]

COMPUTATION = Computation(
    id=1,
    position="0*14",
    play="normal",
    nimber_wanted=False,
    priority=0,
    weight=1,
    owner="",
    label="",
    started_at=1795337803,
    machine_seconds=48.0,
    waits_for=None,
    paused_by=None,
    status="running",
    outcome="in progress",
    nimber=None,
    source=None,
    proof=12,
    disproof=340,
    seconds=12.5,
    expansions=51230,
    records=830,
    nodes=1520,
    jobs=4,
    fault=None,
    estimate=None,
)


def test_fields_are_those_of_the_document(cluster: Cluster) -> None:
    with cluster.client() as client:
        client.fleet()
    headers = {"Authorization": f"Bearer {cluster.token}"}
    document = httpx.get(f"{cluster.url}/api/v1/openapi.json", headers=headers).json()
    schemas = document["components"]["schemas"]
    for kind in KINDS:
        ours = {field.metadata.get("name", field.name) for field in fields(kind) if field.default is MISSING}
        theirs = set(schemas[kind.__name__]["properties"]) - LEFT_OUT.get(kind.__name__, set())
        assert ours == theirs, kind.__name__
    assert set(get_args(answers.Play)) == set(schemas["Play"]["enum"])
    for name in ("Basis", "Searched", "Source", "Status", "WaitsFor"):
        assert set(get_args(getattr(answers, name))) == set(schemas[name]["x-extensible-enum"]), name
    assert set(get_args(answers.Outcome)) == set(schemas["Known"]["enum"])
    assert document["info"]["version"] == "1"


def test_unknown_fields_are_ignored_and_missing_ones_named() -> None:
    step = {"canonical": "0*3", "outcome": "win", "verified": False, "new": 1}
    assert decode(answers.Step, step).canonical == "0*3"
    del step["verified"]
    with pytest.raises(UnexpectedAnswer, match=r"Step\.verified"):
        decode(answers.Step, step)
    with pytest.raises(UnexpectedAnswer, match=r"Step\.canonical"):
        decode(answers.Step, {"canonical": 3, "outcome": "win", "verified": False})


STANDING = {
    "outcome": "win",
    "source": "oracle",
    "basis": "dream",
    "citation": None,
    "solved": None,
    "computation": None,
    "verified": False,
}


def test_programs_can_prepare_for_new_words() -> None:
    # Each of these cases would be unreachable, and mypy would say so, if the words were a closed list.
    def told(word: str) -> str:
        return f"new: {word}"

    standing = decode(answers.Standing, STANDING)
    match standing.source:
        case "search" | "store" | "derived" | "atlas" | "literature" | None:
            raise AssertionError
        case source:
            assert told(source) == "new: oracle"
    if standing.basis is not None and standing.basis not in get_args(answers.Basis):
        assert told(standing.basis) == "new: dream"
    computation = decode(Computation, asdict(COMPUTATION) | {"status": "queued", "waits_for": "moon", "source": "oracle"})
    match computation.status:
        case "running" | "paused" | "solved" | "cancelled" | "expired" | "failed":
            raise AssertionError
        case status:
            assert told(status) == "new: queued"
    match computation.waits_for:
        case "resumption" | "worker" | "job" | "priority" | "turn" | "disk" | "game" | None:
            raise AssertionError
        case waits_for:
            assert told(waits_for) == "new: moon"
    found = {"game": "nim", "searched": "half", "quotient": None, "stopped": None}
    match decode(answers.FoundQuotient, found).searched:
        case "no" | "yes" | "too large" | "out of time" | "busy":
            raise AssertionError
        case searched:
            assert told(searched) == "new: half"


def test_outcomes_have_no_new_words() -> None:
    with pytest.raises(UnexpectedAnswer, match=r"Standing\.outcome: the coordinator answered 'draw'"):
        decode(answers.Standing, STANDING | {"outcome": "draw"})
    with pytest.raises(UnexpectedAnswer, match=r"Computation\.play"):
        decode(Computation, asdict(COMPUTATION) | {"play": "mixed"})


def test_events_may_come_in_parts() -> None:
    reader = calls.EventReader(COMPUTATION)
    lines = [": keep alive", "", "event: progress", 'data: {"status":', 'data:"solved", "outcome":"loss"}', ""]
    changed = [computation for line in lines if (computation := reader.after(line))]
    assert changed == [replace(COMPUTATION, status="solved", outcome="loss")]
    assert reader.after("data: {") is None
    with pytest.raises(UnexpectedAnswer, match="JSON"):
        reader.after("")
    assert str(COMPUTATION) == "0*14 normal: running (12.5 s, 51,230 expansions, 830 records)"


@pytest.mark.parametrize(
    ("body", "detail", "column", "code"),
    [
        ({"error": "no", "column": 3, "code": "invalid-position"}, "no", 3, "invalid-position"),
        ({"error": "no", "code": 3}, "no", None, None),
        ({"error": 3}, "no reason is given", None, None),
        ([], "no reason is given", None, None),
    ],
)
def test_problems_are_read_from_any_body(
    body: object, detail: str, column: int | None, code: str | None
) -> None:
    problem = Problem.of(httpx.Response(400, json=body))
    assert (problem.detail, problem.column, problem.code) == (detail, column, code)
    assert problem.title == "Bad Request"
    assert Problem.of(httpx.Response(502, text="<html>")).detail == "no reason is given"


def test_the_version_is_that_of_the_workspace(pytestconfig: pytest.Config) -> None:
    manifest = (pytestconfig.rootpath.parents[1] / "Cargo.toml").read_text()
    assert f'\nversion = "{sproutnet.__version__}"\n' in manifest
