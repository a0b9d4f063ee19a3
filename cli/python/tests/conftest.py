"""A coordinator with a worker for most tests, as real processes on free ports."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sproutnet import Client

HERE = Path(__file__).parent
PROGRAMS = Path(os.environ.get("SPROUTNET_TEST_PROGRAMS", HERE.parents[2] / "target" / "release"))


class Cluster:
    """A coordinator, and a worker unless that is not wanted, with stores and a token of their own."""

    def __init__(self, folder: Path, *, with_worker: bool = True) -> None:
        self.token = secrets.token_hex(16)
        self._folder = folder
        (folder / "token").write_text(self.token)
        with socket.create_server(("127.0.0.1", 0)) as grpc, socket.create_server(("127.0.0.1", 0)) as http:
            self.grpc = f"127.0.0.1:{grpc.getsockname()[1]}"
            self._http = f"127.0.0.1:{http.getsockname()[1]}"
        self.url = f"http://{self._http}"
        self._coordinator = self._start_coordinator()
        options = "--coordinator", f"http://{self.grpc}", "--cores", "1", "--memory", "512MiB"
        self._worker = self._start("worker", *options) if with_worker else None

    def client(self, patience: float = 30) -> Client:
        """A client that waits until the coordinator is there."""
        return Client(self.url, token=self.token, patience=patience)

    def kill_coordinator(self) -> None:
        """Kills it, as a fault would."""
        self._coordinator.kill()
        self._coordinator.wait()

    def start_coordinator(self) -> None:
        """Starts it again on what it left."""
        self._coordinator = self._start_coordinator()

    def end(self) -> None:
        """Ends them."""
        processes = [process for process in (self._worker, self._coordinator) if process]
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(timeout=60)

    def _start_coordinator(self) -> subprocess.Popen[bytes]:
        options = ("--listen", self.grpc, "--http", self._http, "--atlas", str(HERE.parents[2] / "atlas"))
        return self._start("coordinator", *options)

    def _start(self, name: str, *options: str) -> subprocess.Popen[bytes]:
        program = PROGRAMS / f"sproutnet-{name}"
        command: list[str | Path] = [program, "--data", self._folder / name, *options]
        environment = os.environ | {"SPROUTNET_TOKEN_FILE": str(self._folder / "token")}
        with (self._folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(command, env=environment, stdout=log, stderr=log)


@contextmanager
def running(folder: Path, *, with_worker: bool = True) -> Iterator[Cluster]:
    """A new cluster, which ends with the context."""
    cluster = Cluster(folder, with_worker=with_worker)
    try:
        yield cluster
    finally:
        cluster.end()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The cluster of most tests."""
    with running(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def new_cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster with an empty store."""
    with running(tmp_path) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: Cluster) -> Iterator[Client]:
    """A client of it."""
    with cluster.client() as client:
        yield client


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """What asynchronous tests run on."""
    return str(request.param)
