"""The three fuzzers on a service of their own: what ``make fuzz`` runs for minutes, and the tests for seconds."""

from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from tests.fuzz.report import Report
from tests.fuzz.sockets import Sockets
from tests.fuzz.spec import Spec
from tests.fuzz.worlds import Worlds
from tests.support.server import RunningService, running_service


def fuzz_spec(report: Report, seed: int, folder: Path) -> None:
    """Follow the document against a service with a worker."""
    with running_service(folder, {"PLATEAU_WEB_PROCESSES": "2", "PLATEAU_WORKERS": "1"}) as service:
        Spec(report, seed, service.url).run()
        _check_log(report, service)


def fuzz_sockets(report: Report, seed: int, folder: Path) -> None:
    """Send malformed HTTP to a service with a game in progress."""
    with running_service(folder) as service:
        with httpx.Client(base_url=service.url) as client:
            token = client.post("/v1/players", json={"name": "Ada"}).json()["token"]
            wish = {"ruleset": "le-plateau", "seats": [{"player": "me"}] * 3, "sandbox": True}
            game = client.post("/v1/games", json=wish, headers={"Authorization": f"Bearer {token}"}).json()["id"]
        where = urlsplit(service.url)
        Sockets(report, seed, str(where.hostname), int(where.port or 80), token, game).run()
        _check_log(report, service)


def fuzz_worlds(report: Report, seed: int, _folder: Path) -> None:
    """Compare worlds, in this process."""
    Worlds(report, seed).run()


FUZZERS: Mapping[str, Callable[[Report, int, Path], None]] = {
    "spec": fuzz_spec,
    "sockets": fuzz_sockets,
    "worlds": fuzz_worlds,
}


def _check_log(report: Report, service: RunningService) -> None:
    """Look for errors that were not reported to a client."""
    for line in service.errors.splitlines():
        if '"level":"error"' in line or line.startswith("Traceback"):
            report.found("an error in the log", f"    {line[:3000]}")
