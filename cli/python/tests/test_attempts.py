"""When a call is tried again."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from typing import Any

import httpx
import pytest

from sproutnet import AsyncClient, Client, InvalidArgument, calls
from sproutnet.connection import Attempts, request
from sproutnet.problems import Problem, UnexpectedAnswer, Unreachable

REQUEST = httpx.Request("POST", "http://coordinator/api/v1/computations")


def _tls_error(reason: str) -> ssl.SSLError:
    error = ssl.SSLError(1, reason)
    error.reason = reason
    return error


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


def test_a_proxy_without_its_coordinator_is_asked_again_if_nothing_is_done_twice() -> None:
    for status in (502, 504):
        unanswered = httpx.Response(status)
        assert Attempts(patience=60).pause_after(unanswered, is_repeatable=True) > 0
        with pytest.raises(Problem, match=str(status)):
            Attempts(patience=60).pause_after(unanswered, is_repeatable=False)


@pytest.mark.parametrize(
    ("cause", "hint"),
    [
        (ssl.SSLCertVerificationError(1, "self-signed certificate"), "verify="),
        (_tls_error("WRONG_VERSION_NUMBER"), "write http://"),
        (_tls_error("TLSV13_ALERT_CERTIFICATE_REQUIRED"), "does not answer"),
    ],
)
def test_tls_that_does_not_fit_is_not_tried_again(cause: ssl.SSLError, hint: str) -> None:
    error = httpx.ConnectError(str(cause), request=REQUEST)
    error.__cause__ = cause
    with pytest.raises(Unreachable, match=hint):
        Attempts(patience=60).pause_after(error, is_repeatable=True)


def test_a_port_that_speaks_no_http_is_not_tried_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as port:
        # The settings of HTTP/2, as at the gRPC port.
        answer = threading.Thread(target=_answer_once, args=(port, bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])))
        answer.start()
        began = time.monotonic()
        with (
            Client(f"http://127.0.0.1:{port.getsockname()[1]}", patience=60) as client,
            pytest.raises(Unreachable, match="gRPC port"),
        ):
            client.fleet()
        answer.join()
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("url", ["127.0.0.1:7351", "localhost:7351", "localhost", "ftp://host", "http://", "http://h:x"])
def test_an_address_needs_a_scheme_and_a_host(url: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(InvalidArgument, match="url: .*http://HOST:PORT"):
            kind(url)


@pytest.mark.parametrize("position", [3.5, None, b"0*3", True])
def test_a_position_is_a_text_or_a_number(position: Any) -> None:
    with Client("http://coordinator") as client:
        for ask in (client.query, client.moves, client.line, client.drawing, client.start):
            with pytest.raises(TypeError, match="position: "):
                ask(position)
        with pytest.raises(InvalidArgument, match="position: .* " + type(position).__name__):
            list(client.bulk([position]))


def test_an_empty_position_is_not_sent() -> None:
    with Client("http://coordinator") as client, pytest.raises(ValueError, match="position: it is empty"):
        client.query("")


def test_a_position_that_a_path_cannot_carry_is_a_parameter() -> None:
    for text in (".", "..", "subtraction{1/2}:3"):
        for call, path in (
            (calls.position(text, 1), "positions"),
            (calls.moves(text, "normal", 1, 0), "moves"),
            (calls.line(text, "normal", 1), "line"),
        ):
            sent = request(httpx.Client(base_url="http://coordinator"), call).url
            assert (sent.path, sent.params["position"]) == (f"/api/v1/{path}", text)
    drawn = request(httpx.Client(base_url="http://coordinator"), calls.drawing("..", is_small=False)).url
    assert drawn.raw_path == b"/positions/%2E%2E/drawing.svg"
    plain = calls.moves("0*2|3", "normal", 1, 0)
    sent = request(httpx.Client(base_url="http://coordinator"), plain).url
    assert sent.raw_path.startswith(b"/api/v1/positions/0%2A2%7C3/moves?")


def test_an_answer_that_cannot_be_decoded_is_none_of_a_coordinator() -> None:
    with socket.create_server(("127.0.0.1", 0)) as port:
        broken = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnone"
        answer = threading.Thread(target=_answer_once, args=(port, broken))
        answer.start()
        with (
            Client(f"http://127.0.0.1:{port.getsockname()[1]}", patience=60) as client,
            pytest.raises(UnexpectedAnswer, match="fleet"),
        ):
            client.fleet()
        answer.join()


def _answer_once(port: socket.socket, answer: bytes) -> None:
    connection, _ = port.accept()
    with connection:
        connection.recv(1 << 16)
        connection.sendall(answer)
