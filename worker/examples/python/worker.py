"""A worker of Sproutnet for one game, Wythoff's: it joins a coordinator, searches jobs and reports what it finds.

    pip install grpcio grpcio-tools xxhash
    python3 worker.py 127.0.0.1:7350

Ctrl+C ends it. The token of the coordinator, if it has one, is in SPROUTNET_TOKEN. The file `identity` in the current
folder holds the number by which the coordinator knows this worker again.
"""

import os
import secrets
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path
from types import ModuleType

import grpc

import wythoff

PROTO = Path(__file__).resolve().parents[3] / "proto"
sys.path.append(str(PROTO))
# The package that asks a coordinator over HTTP has the same name, and may be installed.
sys.modules["sproutnet"] = ModuleType("sproutnet")
sys.modules["sproutnet"].__path__ = [str(PROTO / "sproutnet")]
pb, services = grpc.protos_and_services("sproutnet/v1/worker.proto")
say = partial(print, flush=True)

ENDING = threading.Event()
TOKEN = os.environ.get("SPROUTNET_TOKEN")
METADATA = [("authorization", f"Bearer {TOKEN}")] if TOKEN else None
FINAL = ["NOT_FOUND", "INVALID_ARGUMENT", "OUT_OF_RANGE", "FAILED_PRECONDITION", "PERMISSION_DENIED", "UNAUTHENTICATED"]


def call(method, request):
    """Makes a call until the coordinator answers. Every call may be repeated."""
    while True:
        try:
            return method(request, timeout=30, metadata=METADATA)
        except grpc.RpcError as error:
            if error.code().name in FINAL:
                raise
            say("trying again:", error.details())
            time.sleep(1)


def session(calls, identity):
    """Works from one registration to the next. What was found before may rest on revoked records, and is forgotten."""
    game = {"encodings": [{"game": wythoff.NAME, "version": wythoff.ENCODING}], "games": [wythoff.NAME]}
    request = pb.RegisterRequest(protocol=3, cores=1, name="python", identity=identity, **game)
    worker = call(calls.Register, request).worker
    say(f"registered as worker {worker}")
    search, held, ended = wythoff.Search(), [], threading.Event()
    threading.Thread(target=renew, args=(calls, worker, search, held, ended), daemon=True).start()
    try:
        while not ENDING.is_set():
            answer = call(calls.Lease, pb.LeaseRequest(worker=worker, slot=0))
            if answer.HasField("job"):
                held[:] = [answer.job.lease]
                work(calls, worker, search, answer.job)
                held.clear()
            else:
                say("nothing to do")
    finally:
        ended.set()


def renew(calls, worker, search, held, ended):
    """Every second: renews the lease, and learns whether its job is still wanted and which facts are."""
    while not ended.wait(1):
        leases = list(held)
        request = pb.RenewRequest(worker=worker, leases=leases, expansions=search.visits, visits=search.visits)
        try:
            answer = calls.Renew(request, timeout=10, metadata=METADATA)
        except grpc.RpcError:
            continue  # the next call of the session says what is wrong
        search.least_worth = answer.least_worth
        search.unwanted = held == leases and any(lease in answer.unwanted for lease in leases)


def work(calls, worker, search, job):
    """Searches a job, and reports its outcome with the facts that it rests on; or returns it."""
    before, search.unwanted, search.until = search.visits, False, time.monotonic() + job.slice_ms / 1000
    try:
        wins = search.solve(job.state, job.play)
        numbers = {"proof": 0 if wins else 2**32 - 1, "disproof": 2**32 - 1 if wins else 0}
        counts = {"visits": search.visits - before, "expansions": search.visits - before}
        finding = {"lease": job.lease, "numbers": numbers, "blocks": list(search.blocks()), **counts}
        call(calls.Report, pb.ReportRequest(worker=worker, finding=finding))
        say(f"job {job.lease}:", "win" if wins else "loss")
    except (wythoff.Stopped, KeyboardInterrupt) as stopped:
        say(f"job {job.lease}:", "unwanted" if search.unwanted else "not solved yet")
        call(calls.Report, pb.ReportRequest(worker=worker, delivery={"blocks": list(search.blocks())}))
        call(calls.Release, pb.ReleaseRequest(worker=worker, lease=job.lease))
        if isinstance(stopped, KeyboardInterrupt):
            raise


def interrupt(*_):
    """Ends the worker. The gRPC library may swallow the exception, so it is noted as well."""
    ENDING.set()
    raise KeyboardInterrupt


def main(address):
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    sys.setrecursionlimit(1_000_000)
    file = Path("identity")
    identity = int(file.read_text()) if file.exists() else secrets.randbits(64)
    file.write_text(str(identity))
    calls = services.WorkerServiceStub(grpc.insecure_channel(address))
    while not ENDING.is_set():
        try:
            session(calls, identity)
        except KeyboardInterrupt:
            break
        except grpc.RpcError as error:
            if error.code().name != "NOT_FOUND":
                sys.exit(f"refused: {error.details()}")
            say("the coordinator does not know this worker any more")
    say("ended")


if __name__ == "__main__":
    main(sys.argv[1])
