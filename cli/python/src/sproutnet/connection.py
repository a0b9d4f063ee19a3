"""How a coordinator is reached, and when a call is tried again."""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypedDict

import httpx

from sproutnet import arguments
from sproutnet.calls import Call
from sproutnet.problems import Closed, InvalidArgument, InvalidType, Problem, UnexpectedAnswer, Unreachable

_ON_THIS_MACHINE = "http://127.0.0.1:7351"

# The coordinator searches for ten seconds at most, and an event stream says something every fifteen.
_TIMEOUT = httpx.Timeout(60, connect=10)

# Too many computations, too many requests at a time: both say when to ask again, and nothing was done.
_BUSY = (429, 503)

# A proxy whose coordinator does not answer, such as while it restarts. It may have received the request.
_GATEWAY = (502, 504)

BEFORE_WATCHING_AGAIN = 0.2
"""How long to wait, in seconds, after a stream of events broke off."""

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0


class Options(TypedDict):
    """What both kinds of clients of httpx are made with."""

    base_url: str
    headers: dict[str, str]
    timeout: httpx.Timeout
    verify: ssl.SSLContext | bool


def options(url: str | None, token: str | None, verify: ssl.SSLContext | bool) -> Options:
    """The options for a coordinator. The environment has what is not given."""
    url = _checked(url or os.environ.get("SPROUTNET_URL") or _ON_THIS_MACHINE)
    token = _checked_token(token or _token_of_environment() or "")
    if not isinstance(verify, (ssl.SSLContext, bool)):
        raise InvalidType(f"verify: expected an ssl.SSLContext, not {type(verify).__name__}")
    headers = {"Accept": "application/json, image/svg+xml"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return Options(base_url=url, headers=headers, timeout=_TIMEOUT, verify=verify)


def _checked(url: str) -> str:
    try:
        parsed = httpx.URL(url)
        # As it will be looked up.
        parsed.host.encode("idna")
    except (httpx.InvalidURL, TypeError, UnicodeError):
        parsed = httpx.URL()
    if not 0 < (parsed.port or 80) < 1 << 16:
        raise InvalidArgument(f"url: {url!r}: there is no port {parsed.port}")
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise InvalidArgument(f"url: {url!r}: expected http://HOST:PORT or https://HOST:PORT")
    return url


def _checked_token(token: str) -> str:
    # Not shown: it is a secret.
    if not all("!" <= character <= "~" for character in arguments.text("token", token)):
        raise InvalidArgument("token: expected visible ASCII characters, without spaces and line breaks")
    return token


def request(http: httpx.Client | httpx.AsyncClient, call: Call[Any]) -> httpx.Request:
    """The request of a call. Raises `Closed` if the client is."""
    if http.is_closed:
        raise Closed("the client is closed")
    headers = None if call.content is None else {"Content-Type": call.content_type}
    parameters = call.parameters or None
    try:
        return http.build_request(
            call.method, call.path, params=parameters, json=call.body, content=call.content, headers=headers
        )
    except httpx.InvalidURL as error:
        raise InvalidArgument(f"{call.path:.60}: too long for an address") from error


@contextmanager
def complete_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write, which gets its name once it is complete. Until then `.part` follows the name."""
    unfinished = f"{os.fspath(path)}.part"
    with open(unfinished, "wb") as file:
        yield file
    os.replace(unfinished, path)


class Attempts:
    """The attempts at one call, which end when patience ends."""

    def __init__(self, patience: float) -> None:
        self._until = time.monotonic() + patience
        self._pause = _FIRST_PAUSE

    def pause_after(self, answer: httpx.Response | httpx.RequestError, *, is_repeatable: bool) -> float:
        """How long to wait before the next attempt.

        Raises `Problem`, `Unreachable` or `UnexpectedAnswer` if there is to be none.
        """
        pause = self._pause
        if isinstance(answer, httpx.Response):
            if not (is_busy(answer) if is_repeatable else answer.status_code in _BUSY):
                raise Problem.of(answer)
            pause = max(pause, retry_after(answer))
            if time.monotonic() + pause > self._until:
                raise Problem.of(answer)
        elif isinstance(answer, httpx.DecodingError):
            raise UnexpectedAnswer(f"{answer.request.url} answered what cannot be decoded: {answer}") from answer
        # What never arrived can be sent again.
        elif (
            (hint := _hint(answer)) is not None
            or not (is_repeatable or isinstance(answer, httpx.ConnectError))
            or time.monotonic() + pause > self._until
        ):
            why = str(answer) or type(answer).__name__
            raise Unreachable(f"{answer.request.url} does not answer: {why}{hint or ''}") from answer
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)
        return pause


def is_busy(response: httpx.Response) -> bool:
    """Whether the same question may be answered later."""
    return response.status_code in _BUSY + _GATEWAY


def retry_after(response: httpx.Response) -> float:
    """How long to wait, in seconds, as the response says."""
    try:
        return float(response.headers.get("Retry-After", ""))
    except ValueError:
        return 0


def _hint(error: httpx.RequestError) -> str | None:
    """What may be wrong, after an error that another attempt would meet again. None if it may pass."""
    text = str(error)
    if isinstance(error, httpx.RemoteProtocolError) and text.startswith("illegal"):
        return "; it does not speak HTTP: is this the gRPC port of a coordinator?"
    if isinstance(error, httpx.LocalProtocolError | httpx.UnsupportedProtocol):
        return ""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        cause = cause.__cause__ or cause.__context__
    # A peer that ends during a handshake may be restarting.
    if cause is None or isinstance(cause, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return None
    if isinstance(cause, ssl.SSLCertVerificationError):
        return "; give its authority as verify=ssl.create_default_context(cafile=...)"
    if cause.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
        return "; it does not seem to speak TLS: write http://"
    return ""


def _token_of_environment() -> str | None:
    if token := os.environ.get("SPROUTNET_TOKEN"):
        return token.strip()
    if file := os.environ.get("SPROUTNET_TOKEN_FILE"):
        return Path(file).read_text(encoding="utf-8", errors="replace").strip()
    return None
