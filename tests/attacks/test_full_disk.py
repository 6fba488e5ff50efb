"""A full disk, while the service runs and when it starts: one line reports it, nothing acknowledged is lost.

The disk is a small file system in memory, in a mount namespace of the service's own.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from bench.chaos.settings import Server
from service.runtime.data_folder import shortage
from tests.support.people import Client
from tests.support.processes import free_port
from tests.support.server import PATIENCE, PROGRAMS, ROOT, fetch, wait_until
from tests.support.small_disk import SmallDisk, can_mount

pytestmark = pytest.mark.skipif(not can_mount(), reason="needs a kernel that lets users mount in their own namespace")


class OnSmallDisk:
    """`plateau serve` with its data on a disk of six megabytes, which outlasts it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "disk"
        self.folder.mkdir()
        self.disk = SmallDisk(self.folder, 6)
        self._errors = folder / "errors"
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Start the service."""
        env = {name: text for name, text in os.environ.items() if not name.startswith(("PLATEAU_", "REDIS_"))}
        env |= {"PLATEAU_PORT": str(self._port), "PLATEAU_DATA": f"{self.folder}/data", "PLATEAU_WORKERS": "0"}
        with self._errors.open("wb") as errors:
            self._service = subprocess.Popen(
                [*self.disk.entering, f"--wd={ROOT}", sys.executable, "-m", "service.cli.main", "serve"],
                env=env,
                stderr=errors,
            )

    def wait(self) -> tuple[int, str]:
        """Wait for its end; return the exit code, and its last line of output."""
        return self._service.wait(PATIENCE), self._errors.read_text().splitlines()[-1]

    def close(self) -> None:
        """End everything."""
        if self._service.poll() is None:
            self._service.terminate()
            self._service.wait(PATIENCE)
        self.disk.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[OnSmallDisk]:
    service = OnSmallDisk(tmp_path)
    service.start()
    yield service
    service.close()


@pytest.mark.long
def test_a_disk_that_fills_up_ends_the_service_with_the_reason_and_costs_nothing(service: OnSmallDisk) -> None:
    wait_until(lambda: fetch(f"{service.url}/readyz")[0] == 200, "the service")
    ada = Client(service.url)
    service.disk.fill()
    kept = []
    deadline = time.monotonic() + PATIENCE
    while (status := ada.ask("PATCH", "/v1/me", {"name": f"Ada {len(kept)} " + "x" * 20})[0]) == 200:
        kept.append(status)
        assert time.monotonic() < deadline
    assert status == 503
    full = f"plateau: The disk of the data folder {service.folder}/data is full. Make room, and start again: "
    wait_until(lambda: fetch(f"{service.url}/readyz") and service._service.poll() is not None, "the service to end")
    code, line = service.wait()
    assert (code, line.startswith(full)) == (3, True)

    service.start()
    code, line = service.wait()
    assert (code, line.startswith(full)) == (3, True)

    service.disk.empty()
    service.start()
    wait_until(lambda: fetch(f"{service.url}/readyz")[0] == 200, "the service to be back")
    acknowledged, refused = f"Ada {len(kept) - 1} ", f"Ada {len(kept)} "
    name = ada.ask("GET", "/v1/me")[1]["name"]
    assert name.startswith((acknowledged, refused))  # refused, if the new name found room and its index did not


@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_log_rewritten_once_there_is_room_has_all_that_was_acknowledged(kind: str, tmp_path: Path) -> None:
    """Without that, the server would not start again: its log has a hole."""
    server = Server.start(kind, tmp_path, tcp=True, extra=("--appendfsync", "everysec"))
    assert server.disk is not None
    with redis.Redis.from_url(server.url) as client:
        server.rewrite_log()  # of the file with which a server starts, it would leave no hole
        client.set("first", "x")  # the file has room to the end of its first block
        server.disk.fill()
        acknowledged = set(written_until_it_is_full(client))
        server.disk.empty()
        server.rewrite_log()
        client.set("later", "x")
        server.kill()
        server.restart()
        assert acknowledged | {b"later"} <= {*client.scan_iter()}
    server.stop()


def written_until_it_is_full(client: redis.Redis) -> Iterator[bytes]:
    """Write values of many lengths, and give the keys of those that were acknowledged."""
    for number in range(10_000):
        try:
            client.set(f"{number}", "x" * (100 + number % 700))
        except redis.ResponseError:
            return
        yield b"%d" % number
    raise AssertionError("the disk does not get full")


def test_a_folder_with_room_has_no_shortage_and_is_left_as_it_was(tmp_path: Path) -> None:
    assert shortage(tmp_path) == ""
    assert list(tmp_path.iterdir()) == []
