"""When a call is tried again."""

from __future__ import annotations

import httpx
import pytest

from sproutnet.connection import Attempts
from sproutnet.problems import Problem, Unreachable

REQUEST = httpx.Request("POST", "http://coordinator/api/v1/computations")


def test_who_is_busy_is_asked_again_when_it_says() -> None:
    attempts = Attempts(patience=60)
    for status in (429, 503):
        busy = httpx.Response(status, headers={"Retry-After": "3"}, json={"error": "busy"})
        assert attempts.pause_after(busy, is_repeatable=False) == 3


def test_pauses_grow_to_two_seconds() -> None:
    attempts = Attempts(patience=600)
    lost = httpx.ReadError("gone", request=REQUEST)
    pauses = [attempts.pause_after(lost, is_repeatable=True) for _ in range(8)]
    assert pauses == sorted(pauses) and pauses[0] < 0.2 and pauses[-1] == 2


def test_what_may_have_arrived_is_sent_once() -> None:
    attempts = Attempts(patience=60)
    never_arrived = httpx.ConnectError("refused", request=REQUEST)
    assert attempts.pause_after(never_arrived, is_repeatable=False) > 0
    with pytest.raises(Unreachable, match="coordinator.*gone"):
        attempts.pause_after(httpx.ReadError("gone", request=REQUEST), is_repeatable=False)


def test_patience_ends() -> None:
    attempts = Attempts(patience=0)
    with pytest.raises(Problem, match="503"):
        attempts.pause_after(httpx.Response(503, json={"error": "busy"}), is_repeatable=True)
    with pytest.raises(Unreachable):
        attempts.pause_after(httpx.ConnectError("refused", request=REQUEST), is_repeatable=True)


def test_a_refusal_is_final() -> None:
    with pytest.raises(Problem, match="no such"):
        Attempts(patience=60).pause_after(httpx.Response(404, json={"error": "no such thing"}), is_repeatable=True)
