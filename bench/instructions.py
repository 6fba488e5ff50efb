"""Instructions of the processor, counted by Valgrind, so that a slow machine gives the same figures as a fast one.

    python -m bench.instructions [accept] [--quick]

One process does what web processes and workers do, one request after the other; Redis and the policy processes are not
counted. Each row, as a ratio to the bare route of ``bench.throughput``, is compared with the one stored in
``bench/instructions.json``. A row that differs by more than 3 % ends with an error. ``accept`` stores the new ratios:
explain in the commit why they have grown.
"""

import asyncio
import ctypes
import gc
import json
import os
import random
import re
import secrets
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from bench.servers import engine
from bench.sizes import given, is_quick
from bench.throughput import prepare
from service.config.settings import Settings

KEPT = Path(__file__).with_suffix(".json")
TOLERANCE = 0.03
TABLES = {"le-plateau": 4, "french-tarot": 4, "plute": 6, "plateau": 2}
_WARM, _COUNTED = 16, 2 if is_quick() else 32
_BARE = "the bare route"
_MARKS = """
#include <valgrind/callgrind.h>
void forget(void) { CALLGRIND_ZERO_STATS; }
void begin(void) { CALLGRIND_START_INSTRUMENTATION; }
void end(void) { CALLGRIND_STOP_INSTRUMENTATION; }
void keep(const char *row) { CALLGRIND_DUMP_STATS_AT(row); }
"""
"""C code that tells Valgrind when to count; compiled for each run."""

Ask = Callable[[bytes], Awaitable[None]]
"""Sends a request as it is on the wire, and waits for the response."""
Step = Callable[[], Awaitable[object]]


def main() -> None:
    """Print each row beside the stored ratio; exit with 1 if one differs by more than the tolerance."""
    if missing := [program for program in ("valgrind", "gcc") if which(program) is None]:
        sys.exit(f"not installed: {', '.join(missing)} (apt-get install valgrind gcc)")
    counted = _measured()
    bare = counted.pop(_BARE)
    ratios = {row: round(number / bare, 3) for row, number in counted.items()}
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    print(f"{_BARE:36} {bare:10,.0f} instructions")
    for row, number in counted.items():
        print(f"{row:36} {number:10,.0f} instructions {ratios[row]:7.2f} times, kept {kept.get(row, 0):.2f}")
    if "accept" in given():
        KEPT.write_text(json.dumps(ratios, indent=2) + "\n")
    elif not is_quick() and (changed := off(ratios, kept)):
        sys.exit(f"not within {TOLERANCE:.0%} of {KEPT.name}: {', '.join(changed)}")


def off(ratios: Mapping[str, float], kept: Mapping[str, float]) -> Sequence[str]:
    """Return the rows that differ from the stored ones by more than the tolerance."""
    return [row for row, ratio in ratios.items() if abs(ratio - kept.get(row, 0.0)) > TOLERANCE * kept.get(row, 0.0)]


def _measured() -> dict[str, float]:
    """Run everything under Valgrind; return the instructions that one time of each row takes."""
    with TemporaryDirectory() as folder, engine() as url:
        marks = Path(folder, "marks.so")
        compiling = ["gcc", "-shared", "-fPIC", "-O1", "-x", "c", "-", "-o", str(marks)]
        subprocess.run(compiling, input=_MARKS.encode(), check=True)
        environ = {"REDIS_URL": url, "QUEUE_URL": url, "PLATEAU_LOG_LEVEL": "error", "PLATEAU_LIMITS": "requests=0"}
        environ |= {"PYTHONHASHSEED": "0", "BENCH_EVENT_BYTES": "200", "BENCH_MARKS": str(marks)}
        ran = subprocess.run(
            [
                *(
                    "valgrind",
                    "--tool=callgrind",
                    "--instr-atstart=no",
                    "--separate-threads=yes",
                    f"--callgrind-out-file={folder}/out",
                ),
                *(sys.executable, "-c", "from bench import instructions; instructions.run()"),
                *([] if not is_quick() else ["--quick"]),
            ],
            env={**os.environ, **environ},
            capture_output=True,
            check=False,
        )
        if ran.returncode:
            sys.exit(ran.stderr.decode())
        return dict(_rows(Path(folder)))


def _rows(folder: Path) -> Iterator[tuple[str, float]]:
    """Read the counts of the main thread; other threads, such as the reporter, depend on the clock."""
    for part in sorted(folder.glob("out.*-01")):
        text = part.read_text()
        row, total = re.search(r"Client Request: (.*)", text), re.search(r"^totals: (\d+)", text, re.M)
        if row and total:
            yield row[1], int(total[1]) / _COUNTED


# -- under Valgrind ------------------------------------------------------------------------------------------------


def run() -> None:
    """Count everything, and end the process."""
    gc.disable()  # the time of a collection depends on chance
    rng = random.Random(1)
    with patch.multiple(secrets, token_bytes=rng.randbytes, token_hex=lambda number: rng.randbytes(number).hex()):
        asyncio.run(_count_all())  # the same games in every run
    sys.stdout.flush()
    os._exit(0)  # the cost of an orderly exit does not count


async def _count_all() -> None:
    url = os.environ["REDIS_URL"]
    (script, *_), _ = prepare(url, 1, actions=_WARM + _COUNTED)
    bare, ask = _bare(), _service()
    await _count(_BARE, [partial(bare, each) for each in script])
    for ruleset, seats in TABLES.items():
        (script, *_), _ = prepare(url, 1, ruleset, seats, _WARM + _COUNTED)
        await _count(f"an action, {ruleset}", [partial(ask, each) for each in script])
    await _count_reads(ask, url)
    await _count_bots_moves(url)


async def _count(row: str, steps: Sequence[Step], before: Callable[[], object] | None = None) -> None:
    """Take steps, and count the instructions of all but the first few, without the preparation of each.

    Whenever counting begins, Valgrind translates the program again, which takes seconds.
    """
    marks = ctypes.CDLL(os.environ["BENCH_MARKS"])
    marks.forget()
    for place, step in enumerate(steps):
        if before is not None:
            marks.end()
            before()
        if place == _WARM or (place > _WARM and before is not None):
            marks.begin()
        await step()
    marks.keep(row.encode())
    marks.end()


async def _count_reads(ask: Ask, url: str) -> None:
    """Count views, pages of events, and actions that every seat follows."""
    (script, *_), _ = prepare(url, 1, actions=4 + _WARM + _COUNTED)
    for action in script[:4]:
        await ask(action)
    path, seats = script[0].split(b" ")[1].removesuffix(b"/actions"), range(TABLES["le-plateau"])
    bearer = next(line for line in script[0].split(b"\r\n") if line.startswith(b"Authorization"))
    number = range(_WARM + _COUNTED)
    views = [_get(b"%b/view?as=%d" % (path, place % len(seats)), bearer) for place in number]
    await _count("a view", [partial(ask, each) for each in views])
    page = _get(b"%b/events?limit=100" % path, bearer)
    await _count("a page of events", [partial(ask, page) for _ in number])
    sse = b"Accept: text/event-stream\r\n"
    streams = [asyncio.ensure_future(ask(_get(b"%b/events?as=%d" % (path, seat), bearer, sse))) for seat in seats]
    await asyncio.sleep(1)

    async def tell(action: bytes) -> None:
        await ask(action)
        await asyncio.sleep(0.2)  # until all followers have received it

    await _count("an action of which four are told", [partial(tell, each) for each in script[4:]])
    for stream in streams:
        stream.cancel()
        with suppress(asyncio.CancelledError):
            await stream


def _get(path: bytes, bearer: bytes, rest: bytes = b"") -> bytes:
    return b"GET %b HTTP/1.1\r\nHost: bench\r\n%b\r\n%b\r\n" % (path, bearer, rest)


def _service() -> Ask:
    from service.api.http.asgi import AsgiApp  # noqa: PLC0415 - it is loaded with the settings of the environment
    from service.runtime.wsgi import app  # noqa: PLC0415

    asgi = AsgiApp(app, 16, 20.0)

    async def ask(request: bytes) -> None:
        head, _, body = request.partition(b"\r\n\r\n")
        first, *lines = head.split(b"\r\n")
        method, target, _ = first.decode().split(" ")
        path, _, query = target.partition("?")
        headers = [(name.lower(), value) for name, _, value in (line.partition(b": ") for line in lines)]
        scope = {
            "type": "http", "method": method, "raw_path": path.encode(), "query_string": query.encode(),
            "scheme": "http", "headers": headers, "server": ("127.0.0.1", 8000), "client": ("192.0.2.7", 4321),
        }  # fmt: skip
        rest = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return rest.pop() if rest else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start" and message["status"] not in (200, 201):
                raise SystemExit(f"refused: {target}: {message['status']}")

        await asgi(scope, receive, send)

    return ask


def _bare() -> Ask:
    from bench.ceiling import app  # noqa: PLC0415 - it reads the environment

    client = app.test_client()

    async def ask(request: bytes) -> None:
        head, _, body = request.partition(b"\r\n\r\n")
        client.post(head.split(b" ")[1].decode(), data=body)

    return ask


async def _count_bots_moves(url: str) -> None:
    """Count the moves of a bot, each as a worker handles it, at a table where the others play through the API."""
    from bench.walks import BOT, Table, worker  # noqa: PLC0415 - it loads the service
    from service.runtime.wsgi import app  # noqa: PLC0415

    with worker(url, Settings(redis_url=url)) as (_, handle):
        table = Table(app.test_client(), bot=BOT)

        async def move() -> None:
            handle(table.id)

        def play_until_its_turn() -> None:
            table.play_until(lambda view: view["to_act"] == [BOT])

        await _count("a bot's move", [move] * (_WARM + _COUNTED), play_until_its_turn)


if __name__ == "__main__":
    main()
