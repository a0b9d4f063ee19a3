"""What a real coordinator answers."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from conftest import Cluster
from sproutnet import (
    Client,
    Computation,
    InvalidArgument,
    InvalidType,
    Play,
    Position,
    Problem,
    UnexpectedAnswer,
    Unreachable,
)

# Not solved before all tests have ended.
ENDLESS = "0*30"


def test_a_position_with_its_drawing(client: Client) -> None:
    known = client.query("0*3.1a1a", drawing=True)
    assert (known.outcome("normal"), known.outcome("misere")) == ("win", "loss")
    assert known.canonical == "0*3.1a1a" and known.most_moves == 13
    assert known.drawing is not None and known.drawing.svg.startswith("<svg")
    assert known.drawing.svg != client.drawing("0*3.1a1a").svg, "a thumbnail is smaller"


def test_a_number_is_that_many_spots(client: Client) -> None:
    assert client.query(8).position == "0*8" == client.moves(8).position
    assert client.query(0).canonical == "!"


def test_lands_are_listed_each(client: Client) -> None:
    known = client.query("0*4+0*5")
    assert [land.canonical for land in known.lands] == ["0*4", "0*5"]
    assert [land.outcome("normal") for land in known.lands] == ["win", "win"]


def test_letters_and_bars_pass_through_an_address(client: Client) -> None:
    assert client.query("0*3.AB|0.AB").canonical == "0*3.AB|0.AB"


def test_many_positions_are_answered_in_order(client: Client) -> None:
    sums = [f"kayles:{one}+{other}" for one in range(1, 41) for other in range(1, 41)]
    asked: list[str | int] = [3, "0*x", "0*3.AB|0.AB", *sums]
    for position in (3, "0*3.AB|0.AB"):
        client.query(position, within=10)
    answers = list(client.bulk(asked, "misere", within=0))
    assert answers[0] == client.query(3) and answers[2] == client.query("0*3.AB|0.AB")
    wrong = answers[1]
    assert isinstance(wrong, Problem) and (wrong.status, wrong.column) == (400, 3)
    told = [answer.position for answer in answers[3:] if not isinstance(answer, Problem)]
    assert told == sums
    assert list(client.bulk([])) == []
    with pytest.raises(Problem, match="within_ms"):
        list(client.bulk([3], within=11))


def test_long_positions_are_spread_over_requests(client: Client) -> None:
    # A thousand of them are longer than a request may be.
    answers = list(client.bulk(["x" * 9_000] * 1000 + [3], within=0))
    assert len(answers) == 1001
    assert all(isinstance(answer, Problem) for answer in answers[:-1])
    assert isinstance(answers[-1], Position)


def test_winning_moves_come_first(client: Client) -> None:
    moves = client.moves("0*5", "misere")
    outcomes = [move.outcome("misere") for move in moves]
    assert outcomes == sorted(outcomes, reverse=True) and "win" in outcomes
    assert len(moves.winning) == outcomes.count("win")
    assert all(move.drawing is None for move in moves)
    # The position before a move that wins is won, and the one after it lost.
    assert client.query("0*5").outcome("misere") == "win"
    assert client.query(moves[0].canonical).outcome("misere") == "loss"


def test_moves_and_lines_with_drawings(client: Client) -> None:
    moves = client.moves(3, drawings=True)
    assert all(move.drawing is not None for move in moves)
    line = client.line(3, drawings=True)
    assert line.complete and line.steps[-1].canonical == "!"
    assert all(step.drawing is not None for step in line.steps)


def test_other_games_have_drawings(client: Client) -> None:
    known = client.query("kayles:5+3", drawing=True)
    assert known.game == "kayles" and known.drawing is not None
    assert "<title>kayles:3+5</title>" in client.drawing("kayles:5+3").svg


@pytest.mark.parametrize("play", ["normal", "misere"])
def test_a_table_agrees_with_what_is_published(client: Client, play: Play, pytestconfig: pytest.Config) -> None:
    table = client.table(play)
    sizes = [entry.size for entry in table]
    assert sizes == sorted(set(sizes))
    published = pytestconfig.rootpath.parents[1] / f"common/solver/tests/reference/{play}_outcomes.tsv"
    lines = [line.split("\t") for line in published.read_text().splitlines() if line[:1].isdigit()]
    outcomes = {int(line[0]): line[1] for line in lines if line[1] != "unknown"}
    assert {entry.size: entry.outcome for entry in table if entry.size in outcomes} == outcomes


def test_other_games_have_tables(client: Client) -> None:
    assert client.table("normal", "kayles").game == "kayles"


def test_games_are_listed(client: Client) -> None:
    games = client.games()
    assert games[0].game == "sprouts" and games[0].plays == ("normal", "misere")
    assert client.game("kayles") in games and client.game("dawson").game == "octal"
    assert {game.game for game in games if game.heaps} >= {"kayles", "nim", "octal"}
    with pytest.raises(Problem) as refused:
        client.game("chess")
    assert (refused.value.status, refused.value.code) == (404, "not-found")


def test_heaps_have_nimbers_and_quotients(client: Client) -> None:
    kayles = client.sequence("kayles", 1000, within=10)
    assert kayles.searched == "yes" and kayles.nimbers[:5] == (0, 1, 2, 3, 1) and len(kayles.nimbers) == 1001
    assert kayles.period is not None
    assert (kayles.period.from_, kayles.period.length, kayles.period.saltus) == (71, 12, 0)
    assert client.sequence("bash/3").game == "bash/3"
    assert client.sequence("cram:2xN", 4, within=10).nimbers == (0, 1, 0, 1, 0)
    found = client.quotient("octal(0.123)", within=10)
    assert found.quotient is not None and found.quotient.whole_game
    assert found.quotient.order == len(found.quotient.products) == 20
    assert found.quotient.period is not None and found.quotient.period.from_ == 5


def test_certificates_are_listed_fetched_and_checked(client: Client) -> None:
    listed = client.certificates()
    entry = next(entry for entry in listed if entry.name == "misere-11")
    assert (entry.position, entry.play, entry.outcome) == ("0*11", "misere", "win") and entry.download is not None
    file = client.certificate(entry)
    assert len(file) == entry.bytes and client.certificate("misere-11") == file
    checked = client.check_certificate(file)
    assert checked.verified and checked.error is None and checked.kind == "outcome"
    assert (checked.position, checked.outcome, checked.facts) == ("0*11", "win", entry.facts)
    refused = client.check_certificate(file[:-20])
    assert not refused.verified and refused.error is not None and refused.position is None
    with pytest.raises(Problem) as missing:
        client.certificate("../manifest")
    assert missing.value.status == 404
    with pytest.raises(Problem) as large:
        client.check_certificate(bytes(1 + (1 << 20)))
    assert large.value.code == "too-large"


def test_a_certificate_may_be_bytes_a_path_or_a_file(client: Client, pytestconfig: pytest.Config) -> None:
    path = pytestconfig.rootpath.parents[1] / "atlas" / "normal-11.sprout"
    checked = client.check_certificate(path.read_bytes())
    assert checked.verified and checked.position == "0*11"
    assert client.check_certificate(str(path)) == checked == client.check_certificate(path)
    with path.open("rb") as file:
        assert client.check_certificate(file) == checked
    with pytest.raises(InvalidArgument, match="file: .*closed"):
        client.check_certificate(file)
    with path.open(encoding="latin-1") as text, pytest.raises(InvalidType, match="file: .*rb"):
        client.check_certificate(text)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError, match="none.sprout"):
        client.check_certificate("none.sprout")


def test_everything_proved_is_exported(client: Client, tmp_path: Path) -> None:
    client.solve("0*5")
    path = tmp_path / "x.export"
    client.export(path)
    assert path.read_bytes().startswith(b"sproutnet\r\n\x1a")
    of_misere = tmp_path / "misere.export"
    client.export(of_misere, "misere")
    assert of_misere.stat().st_size < path.stat().st_size
    assert sorted(tmp_path.iterdir()) == [of_misere, path]
    with pytest.raises(OSError, match="no-such-folder"):
        client.export(tmp_path / "no-such-folder" / "x.export")


def test_a_computation_is_followed_to_its_end(client: Client) -> None:
    seen: list[Computation] = []
    solved = client.solve(11, progress=seen.append)
    assert (solved.status, solved.outcome, solved.has_ended) == ("solved", "win", True)
    assert seen[-1] == solved and solved in client.computations()
    again = client.solve("0*11")
    assert again == solved, "it is found, not made again"


def test_a_nimber_is_found_if_it_is_wanted(client: Client) -> None:
    solved = client.solve("0*4+0*5", nimber=True)
    assert solved.nimber is not None and (solved.nimber == 0) == (solved.outcome == "loss")


def test_a_computation_is_paused_resumed_and_cancelled(client: Client) -> None:
    endless = client.start(ENDLESS, "misere", priority=-1)
    assert client.pause(endless).status == "paused"
    assert client.resume(endless.id).status == "running"
    assert client.cancel(endless).status == "cancelled"
    solved = client.solve(7)
    with pytest.raises(Problem) as refused:
        client.pause(solved)
    assert refused.value.status == 409


def test_a_deadline_leaves_the_outcome_unknown(client: Client) -> None:
    expired = client.solve(ENDLESS, deadline=0.3)
    assert (expired.status, expired.outcome) == ("expired", "unknown")


def test_the_audit_log_has_what_was_started(client: Client) -> None:
    computation = client.start("0*6", play="misere")
    entries = [entry for entry in client.audit_log() if entry.computation == computation.id]
    assert entries[-1].event in ("started", "known")
    assert (entries[-1].position, entries[-1].play, entries[-1].by) == ("0*6", "misere", "token")


def test_the_fleet_has_a_worker(client: Client) -> None:
    client.solve(9)
    (worker,) = client.fleet().workers
    assert worker.cores == 1 and worker.expansions > 0
    assert worker.version not in ("", "unknown")


def test_a_refusal_says_what_is_wrong_and_where(client: Client) -> None:
    with pytest.raises(Problem) as refused:
        client.query("0*3.x")
    problem = refused.value
    assert (problem.status, problem.title, problem.column) == (400, "Bad Request", 5)
    assert problem.detail and problem.detail in str(problem)
    with pytest.raises(Problem, match="404"):
        client.computation(999_999)
    with pytest.raises(Problem, match="within_ms"):
        client.query(3, within=11)


def test_without_the_token_nothing_is_said(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPROUTNET_TOKEN", raising=False)
    monkeypatch.delenv("SPROUTNET_TOKEN_FILE", raising=False)
    with Client(cluster.url) as stranger, pytest.raises(Problem) as refused:
        stranger.fleet()
    assert refused.value.status == 401


def test_the_token_may_be_in_the_environment(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPROUTNET_TOKEN", raising=False)
    file = tmp_path / "token"
    file.write_text(cluster.token + "\n")
    monkeypatch.setenv("SPROUTNET_TOKEN_FILE", str(file))
    with Client(cluster.url) as client:
        assert client.fleet().uptime > 0


def test_a_coordinator_that_is_not_there_is_named() -> None:
    began = time.monotonic()
    with Client("http://127.0.0.1:9", patience=0.5) as client, pytest.raises(Unreachable, match="127.0.0.1:9"):
        client.fleet()
    assert time.monotonic() - began < 5


def test_what_is_no_coordinator_is_recognised(cluster: Cluster) -> None:
    # The page of the API's own address is no answer to a question.
    with Client(f"{cluster.url}/healthz?", token=cluster.token) as client, pytest.raises((Problem, UnexpectedAnswer)):
        client.fleet()


def test_a_computation_is_followed_over_a_restart(cluster: Cluster) -> None:
    with cluster.client() as client:
        endless = client.start(ENDLESS, "misere", priority=-1)
        killed = threading.Event()
        expansions = 0
        for now in client.watch(endless):
            if not killed.is_set():
                if now.expansions > 0:
                    expansions = now.expansions
                    cluster.kill_coordinator()
                    killed.set()
                    cluster.start_coordinator()
            elif now.has_ended:
                break
            elif now.expansions > expansions:
                client.cancel(endless)
        assert now.status == "cancelled" and now.expansions > expansions > 0
