"""Instructions of the processor a request, as ratios to the bare route of ``bench.throughput``, so no cost can creep.

    python -m bench.instructions [accept | --quick]

Valgrind counts the instructions of one web process that handles requests one after the other, so the load on the
machine does not matter. Each row is the difference of two runs, of which one handles more requests. The ratios are
compared with ``bench/instructions.json``, which ``accept`` writes; the reason for a change belongs into the commit.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple

from bench.servers import engine
from bench.sizes import given, is_quick
from bench.throughput import ACTIONS, SEATS, prepare

KEPT = Path(__file__).with_suffix(".json")
WARM, MORE = 20, 4 if is_quick() else 60
TOLERANCE = 0.03

Ask = Callable[[bytes], Awaitable[None]]
"""Sends a request as it is on the wire, and waits for the response."""


class Row(NamedTuple):
    """A kind of request: what it follows or asks for besides an action."""

    listens: bool = False
    views: bool = False
    is_bare: bool = False


ROWS: Mapping[str, Row] = {
    "bare route": Row(is_bare=True),
    "accepted action": Row(),
    "accepted action, every seat listening": Row(listens=True),
    "accepted action and a view with legal actions": Row(views=True),
}


def main() -> None:
    """Print each ratio beside the kept one; exit with 1 if one is off by more than the tolerance."""
    if which("valgrind") is None:
        sys.exit("valgrind is not installed: apt-get install valgrind")
    counted = measure()
    bare = counted.pop("bare route")
    ratios = {name: round(each / bare, 2) for name, each in counted.items()}
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    print(f"{'bare route':50} {bare:10,.0f} instructions a request")
    for name, each in counted.items():
        print(f"{name:50} {each:10,.0f}  {ratios[name]:.2f} times the bare route, kept {kept.get(name, 0.0):.2f}")
    if "accept" in given():
        KEPT.write_text(json.dumps(ratios, indent=2) + "\n")
    elif not is_quick() and (wrong := off(ratios, kept)):
        sys.exit(f"not within {TOLERANCE:.0%} of bench/instructions.json: {', '.join(wrong)}")


def off(ratios: Mapping[str, float], kept: Mapping[str, float]) -> Sequence[str]:
    """Return the rows that differ from what is kept by more than the tolerance."""
    return [name for name, each in ratios.items() if abs(each - kept.get(name, 0.0)) > TOLERANCE * each]


def measure() -> dict[str, float]:
    """Return the instructions a request of each row."""
    counted = {}
    for name in ROWS:
        few, many = (_count(name, number) for number in (WARM, WARM + MORE))
        counted[name] = (many - few) / MORE
    return counted


def _count(name: str, number: int) -> int:
    """Return the instructions of a process from its start, with so many requests."""
    with engine() as url:
        scripts, size = prepare(url, 1)
        environ = {"REDIS_URL": url, "QUEUE_URL": url, "PLATEAU_LOG_LEVEL": "error", "PLATEAU_LIMITS": "requests=0"}
        environ |= {"BENCH_EVENT_BYTES": str(size), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": ""}
        command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
        command += [sys.executable, "-c", f"from bench.instructions import serve; serve({name!r}, {number})"]
        ran = subprocess.run(
            command, env={**os.environ, **environ}, input=b"\0".join(scripts[0]), capture_output=True, check=False
        )
    found = re.search(rb"I\s+refs:\s+([\d,]+)", ran.stderr)
    if ran.returncode or found is None:
        sys.exit(ran.stderr.decode())
    return int(found[1].replace(b",", b""))


def serve(name: str, number: int) -> None:
    """Handle requests from standard input in this process, as a web process would, and end it."""
    script = sys.stdin.buffer.read().split(b"\0")[:number]
    assert number <= ACTIONS
    asyncio.run(_handle(script, ROWS[name]))
    sys.stdout.flush()
    os._exit(0)  # what an orderly end costs is not asked


async def _handle(script: Sequence[bytes], row: Row) -> None:
    ask = _bare() if row.is_bare else _service()
    path = script[0].split(b" ")[1].removesuffix(b"/actions")
    authorization = next(line for line in script[0].split(b"\r\n") if line.startswith(b"Authorization"))
    listening = [
        _get(b"%b/events?after=1&as=%d" % (path, seat), authorization, b"Accept: text/event-stream\r\n")
        for seat in range(SEATS * row.listens)
    ]
    streams = [asyncio.ensure_future(_stream(ask, each)) for each in listening]
    for version, request in enumerate(script):
        await ask(request)
        if row.views:
            await ask(_get(b"%b/view?as=%d" % (path, version % SEATS), authorization))
        if row.listens:
            await asyncio.sleep(0.05)  # until every listener has been told
    for stream in streams:
        stream.cancel()


async def _stream(ask: Ask, request: bytes) -> None:
    with suppress(asyncio.CancelledError):
        await ask(request)


def _get(path: bytes, authorization: bytes, rest: bytes = b"") -> bytes:
    return b"GET %b HTTP/1.1\r\nHost: bench\r\n%b\r\n%b\r\n" % (path, authorization, rest)


def _service() -> Ask:
    from service.api.http.asgi import AsgiApp  # noqa: PLC0415 - the bare route must not load the service
    from service.runtime.wsgi import app  # noqa: PLC0415

    asgi = AsgiApp(app, 16, 20.0)

    async def ask(request: bytes) -> None:
        head, _, body = request.partition(b"\r\n\r\n")
        first, *lines = head.split(b"\r\n")
        method, target, _ = first.decode().split(" ")
        path, _, query = target.partition("?")
        scope = {
            "type": "http", "method": method, "raw_path": path.encode(), "query_string": query.encode(),
            "scheme": "http", "headers": [*_headers(lines)], "server": ("127.0.0.1", 8000),
            "client": ("192.0.2.7", 4321),
        }  # fmt: skip
        rest = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return rest.pop() if rest else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                assert message["status"] in (200, 201), message

        await asgi(scope, receive, send)

    return ask


def _headers(lines: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
    for line in lines:
        name, _, value = line.partition(b": ")
        yield name.lower(), value


def _bare() -> Ask:
    from bench.ceiling import app  # noqa: PLC0415 - it needs an environment

    client = app.test_client()

    async def ask(request: bytes) -> None:
        head, _, body = request.partition(b"\r\n\r\n")
        assert client.post(head.split(b" ")[1].decode(), data=body).status_code == 201

    return ask


if __name__ == "__main__":
    main()
