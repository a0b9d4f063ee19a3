"""Wrong arguments are refused by name, and nothing is sent."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Cluster
from sproutnet import AsyncClient, Client, Closed, InvalidArgument, InvalidType, SproutnetError

NOWHERE = "http://127.0.0.1:9"


# What is asked may be of any type, as in programs whose types nobody checks.
@pytest.mark.parametrize(
    ("name", "ask"),
    [
        ("position", lambda client: client.query("\ud800")),
        ("position", lambda client: client.query(10**5000)),
        ("position", lambda client: list(client.bulk([3, "\ud800"]))),
        ("positions", lambda client: list(client.bulk(3))),
        ("positions", lambda client: list(client.bulk("0*8"))),
        ("within", lambda client: client.query("0*8", within="a")),
        ("within", lambda client: client.query("0*8", within=math.nan)),
        ("within", lambda client: client.moves("0*8", within=math.inf)),
        ("within", lambda client: client.line("0*8", within=1e308)),
        ("within", lambda client: client.sequence("nim", within=10**400)),
        ("within", lambda client: list(client.bulk([3], within=True))),
        ("play", lambda client: client.table(3)),
        ("play", lambda client: client.table("mixed")),
        ("play", lambda client: client.moves(3, None)),
        ("play", lambda client: client.line(3, "mixed")),
        ("play", lambda client: client.solve(3, b"misere")),
        ("play", lambda client: list(client.bulk([3], "mixed"))),
        ("play", lambda client: client.export("x.export", "mixed")),
        ("path", lambda client: client.export(5)),
        ("path", lambda client: client.export("x\0.export")),
        ("game", lambda client: client.table("normal", 3)),
        ("name", lambda client: client.game(None)),
        ("name", lambda client: client.game("")),
        ("name", lambda client: client.sequence(b"nim")),
        ("name", lambda client: client.quotient("\ud800")),
        ("heaps", lambda client: client.sequence("nim", 3.5)),
        ("heaps", lambda client: client.quotient("nim", "3")),
        ("certificate", lambda client: client.certificate(3)),
        ("file", lambda client: client.check_certificate(5)),
        ("nimber", lambda client: client.start(3, nimber="yes")),
        ("deadline", lambda client: client.start(3, deadline="1 h")),
        ("deadline", lambda client: client.solve(3, deadline=math.nan)),
        ("priority", lambda client: client.start(3, priority=0.5)),
        ("weight", lambda client: client.start(3, weight="2")),
        ("weight", lambda client: client.set_weight(1, 1 << 70)),
        ("owner", lambda client: client.start(3, owner=5)),
        ("label", lambda client: client.start(3, label="\udfff")),
        ("progress", lambda client: client.solve(3, progress=5)),
        ("computation", lambda client: client.cancel("a")),
        ("computation", lambda client: client.pause(None)),
        ("computation", lambda client: client.computation(True)),
        ("computation", lambda client: client.explanation(1.5)),
        ("computation", lambda client: list(client.watch("a"))),
    ],
)
def test_it_is_named(name: str, ask: Callable[[Any], object]) -> None:
    with Client(NOWHERE, patience=0) as client, pytest.raises(InvalidArgument, match=rf"^{name}: "):
        ask(client)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("url", {"url": 5}),
        ("url", {"url": "http://\ud800"}),
        ("url", {"url": "http://a..b"}),
        ("url", {"url": "http://127.0.0.1:99999"}),
        ("token", {"token": "ünicode-token-of-someone"}),
        ("token", {"token": "zzz\n"}),
        ("token", {"token": "two words"}),
        ("token", {"token": b"bytes"}),
        ("patience", {"patience": "long"}),
        ("patience", {"patience": math.nan}),
        ("verify", {"verify": "authority.pem"}),
    ],
)
def test_a_client_needs_arguments_that_can_be_sent(name: str, options: dict[str, Any]) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(InvalidArgument, match=f"^{name}: ") as refused:
            kind(**options)
        assert "zzz" not in str(refused.value), "a token is a secret"


def test_a_token_of_the_environment_is_checked_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPROUTNET_TOKEN", raising=False)
    (tmp_path / "token").write_bytes(b"\xff" * 20)
    monkeypatch.setenv("SPROUTNET_TOKEN_FILE", str(tmp_path / "token"))
    with pytest.raises(InvalidArgument, match="token: "):
        Client()


def test_a_wrong_type_is_also_a_type_error(client: Client) -> None:
    wrong: Any = "a"
    for error in (TypeError, ValueError, InvalidType):
        with pytest.raises(error, match="within: expected a number of seconds, not str"):
            client.query("0*8", within=wrong)


def test_numbers_of_other_libraries_are_numbers(client: Client) -> None:
    import numpy

    numbers: Any = numpy.array([3, 1])
    assert client.query(numbers[0], within=numbers.astype("float32")[1]).position == "0*3"
    with pytest.raises(InvalidArgument, match="position: "):
        client.query(numbers)
    with pytest.raises(InvalidArgument, match="within: "):
        client.query(3, within=numbers)


def test_a_position_that_no_address_can_hold_is_refused(client: Client) -> None:
    for length in (5_000, 60_000, 70_000, 3_000_000):
        with pytest.raises(SproutnetError):
            client.query("0*3+" * (length // 4) + "0*3")


def test_dots_are_a_name_not_a_folder(client: Client) -> None:
    for ask in (client.game, client.certificate, client.sequence, client.quotient):
        for name in (".", ".."):
            with pytest.raises(SproutnetError, match="400|404"):
                ask(name)


def test_a_closed_client_says_so(cluster: Cluster, tmp_path: Path) -> None:
    client = cluster.client()
    endless = client.start("0*32", "misere", priority=-1)
    watched = client.watch(endless)
    next(watched)
    client.close()
    for ask in (
        client.fleet,
        lambda: client.export(tmp_path / "x.export"),
        lambda: next(watched),
        lambda: next(client.bulk([3])),
    ):
        with pytest.raises(Closed, match="closed"):
            ask()
    with cluster.client() as other:
        following = other.watch(endless)
        next(following), next(following)
        other.close()
        with pytest.raises(Closed):
            list(following)
    with cluster.client() as another:
        another.cancel(endless)


@pytest.mark.anyio
async def test_a_closed_asynchronous_client_says_so(cluster: Cluster) -> None:
    client = AsyncClient(cluster.url, token=cluster.token)
    endless = await client.start("0*33", "misere", priority=-1)
    watched = client.watch(endless)
    await anext(watched)
    following = client.watch(endless)
    await anext(following)
    await anext(following)
    await client.close()
    for stream in (watched, following):
        with pytest.raises(Closed, match="closed"):
            async for _ in stream:
                pass
    with pytest.raises(Closed):
        await client.fleet()
    async with AsyncClient(cluster.url, token=cluster.token) as another:
        await another.cancel(endless)
