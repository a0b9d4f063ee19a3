"""The worker of `worker/examples/python`, which searches one game, at a real coordinator."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from conftest import HERE, Cluster, running
from sproutnet import Client, Play

WORKER = HERE.parents[2] / "worker" / "examples" / "python" / "worker.py"
PLAYS: tuple[Play, Play] = ("normal", "misere")
# Sums have states with several lands, and values beside them.
POSITIONS = ["wythoff:40,60", "wythoff:11,18", "wythoff:6,10+9,12", "wythoff:4,9+2,3+5,8"]


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.1)


def metric(cluster: Cluster, name: str) -> int:
    headers = {"Authorization": f"Bearer {cluster.token}"}
    found = re.search(rf"^{name} (\d+)$", httpx.get(f"{cluster.url}/metrics", headers=headers).text, re.MULTILINE)
    assert found is not None, name
    return int(found[1])


def test_it_solves_its_game_as_others_do(tmp_path: Path, client: Client) -> None:
    log = tmp_path / "log"
    with running(tmp_path, with_worker=False) as alone, log.open("wb") as output, alone.client() as asking:
        of_another_game = asking.start("0*12")
        worker = subprocess.Popen(
            [sys.executable, WORKER, alone.grpc],
            cwd=tmp_path,
            env=os.environ | {"SPROUTNET_TOKEN": alone.token},
            stdout=output,
            stderr=output,
        )
        try:
            for position in POSITIONS:
                for play in PLAYS:
                    found, expected = asking.solve(position, play), client.solve(position, play)
                    assert found.status == "solved" and found.source == "search", (position, play)
                    assert (found.outcome, found.nimber) == (expected.outcome, expected.nimber), (position, play)
            assert asking.computation(of_another_game.id).waits_for == "game"
            # All its records are proved again, since it is new. That takes its time on a busy machine.
            wait_until(lambda: metric(alone, "sproutnet_audits_confirmed_total") > 100)
            for fault in ("audits_contradicted", "contradictions", "audits_given_up"):
                assert metric(alone, f"sproutnet_{fault}_total") == 0, fault
            assert not asking.fleet().quarantined

            # Cancelled before it is solved, which would take long.
            long = asking.start("wythoff:300,500", "misere")
            wait_until(lambda: asking.computation(long.id).jobs == 1)
            asking.cancel(long.id)
            alone.kill_coordinator()
            alone.start_coordinator()
            wait_until(lambda: log.read_text().count("registered as worker") == 2)
            again = "wythoff:7,12+6,10"
            assert asking.solve(again, "misere").outcome == client.solve(again, "misere").outcome
            worker.send_signal(signal.SIGINT)
            assert worker.wait(timeout=30) == 0
        finally:
            worker.kill()
            worker.wait()
    said = log.read_text()
    assert "does not know this worker any more\nregistered as worker" in said
    assert said.endswith("ended\n"), said
