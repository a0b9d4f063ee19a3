"""How schemathesis asks for lines of JSON and for streams of events (see .ci/api)."""

import json
import threading

import requests
import schemathesis

NDJSON = "application/x-ndjson"
# Sent with each generated line, so that a line with a fault stands beside one without.
GOOD = {"position": "0*3", "id": "good"}
# Computations are cancelled after this many seconds, so that their events end.
SECONDS = 0.2


@schemathesis.serializer(NDJSON)
def to_lines(ctx, question):
    return b"".join(json.dumps(line).encode() + b"\n" for line in (question, GOOD, question))


@schemathesis.deserializer(NDJSON)
def from_lines(ctx, response):
    """Returns the answer to the generated line, for validation. Checks the others."""
    answers = [json.loads(line) for line in response.content.splitlines()]
    assert [answer["line"] for answer in answers] == [1, 2, 3], answers
    assert answers[1]["id"] == "good" and answers[1]["canonical"] == "0*3", answers
    assert ("error" in answers[0]) == ("error" in answers[2]), answers
    return answers[0]


def is_stream(case):
    return case.operation.path.endswith("/events")


@schemathesis.hook
def before_call(ctx, case, kwargs):
    if is_stream(case):
        cancel = case.operation.base_url + f"/computations/{case.path_parameters['id']}/cancel"
        threading.Timer(SECONDS, requests.post, [cancel]).start()


@schemathesis.check
def events_are_whole(ctx, response, case):
    """A stream has a computation in each event, and ends with the event `end`."""
    if not is_stream(case) or response.status_code != 200:
        return
    *events, rest = response.content.decode().split("\n\n")
    assert rest == "", rest
    fields = [dict(line.split(": ", 1) for line in event.splitlines() if not line.startswith(":")) for event in events]
    fields = [event for event in fields if event]
    assert [event.get("event") for event in fields] == [None] * (len(fields) - 1) + ["end"], fields
    for event in fields:
        assert json.loads(event["data"])["id"] == int(case.path_parameters["id"]), event
