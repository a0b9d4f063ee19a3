"""The asynchronous client."""

from __future__ import annotations

import inspect

import pytest

from conftest import HERE, Cluster
from sproutnet import AsyncClient, Client, Position, Problem, Unreachable

pytestmark = pytest.mark.anyio


async def test_it_answers_as_the_other_one(cluster: Cluster, client: Client) -> None:
    # What the first question finds, the second has from the store.
    client.query("0*3.1a1a")
    client.table()
    async with AsyncClient(cluster.url, token=cluster.token) as asynchronous:
        assert await asynchronous.query("0*3.1a1a") == client.query("0*3.1a1a")
        assert await asynchronous.moves(4, drawings=True) == client.moves(4, drawings=True)
        assert await asynchronous.line(4, "misere", drawings=True) == client.line(4, "misere", drawings=True)
        assert await asynchronous.drawing(4) == client.drawing(4)
        assert await asynchronous.table() == client.table()
        assert await asynchronous.certificates() == client.certificates()
        file = await asynchronous.certificate("normal-5")
        assert await asynchronous.check_certificate(file) == client.check_certificate(file)
        path = HERE.parents[2] / "atlas" / "normal-5.sprout"
        assert await asynchronous.check_certificate(path) == client.check_certificate(file)
        assert await asynchronous.games() == client.games()
        assert await asynchronous.game("nim") == client.game("nim")
        assert await asynchronous.sequence("nim", 5) == client.sequence("nim", 5)
        assert await asynchronous.quotient("nim", 3, within=10) == client.quotient("nim", 3, within=10)
        spots = [number % 20 for number in range(1500)]
        many = [answer async for answer in asynchronous.bulk(spots, within=0)]
        told = [answer.position for answer in many if isinstance(answer, Position)]
        assert told == [f"0*{number}" for number in spots]
        solved = await asynchronous.solve(10)
        assert (solved.status, solved.outcome) == ("solved", "win")
        assert await asynchronous.computation(solved.id) == solved
        explanation = await asynchronous.explanation(solved)
        assert (explanation.computation, explanation.branches) == (solved, None)
        assert len((await asynchronous.fleet()).workers) == 1


async def test_a_computation_is_followed_until_it_is_cancelled(cluster: Cluster) -> None:
    async with AsyncClient(cluster.url, token=cluster.token) as client:
        endless = await client.start("0*31", "misere", priority=-1)
        statuses = []
        async for now in client.watch(endless):
            statuses.append(now.status)
            if len(statuses) == 2:
                await client.cancel(endless)
        assert statuses[0] == "running" and statuses[-1] == "cancelled"


async def test_its_errors_are_the_same(cluster: Cluster) -> None:
    async with AsyncClient(cluster.url, token=cluster.token) as client:
        with pytest.raises(Problem) as refused:
            await client.query("0*3.x")
        assert (refused.value.status, refused.value.column) == (400, 5)
    async with AsyncClient("http://127.0.0.1:9", patience=0.3) as client:
        with pytest.raises(Unreachable):
            await client.fleet()


def test_both_clients_have_the_same_methods() -> None:
    def methods(kind: type) -> dict[str, list[str]]:
        public = {name: method for name, method in vars(kind).items() if not name.startswith("_")}
        return {name: list(inspect.signature(method).parameters) for name, method in public.items()}

    assert methods(AsyncClient) == methods(Client)
