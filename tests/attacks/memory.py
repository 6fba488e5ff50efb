"""A player who measures the responses, and the memory of the processes that make them."""

import http.client
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.support.server import RunningService


class Client:
    """A player, over one connection after the other."""

    def __init__(self, service: RunningService) -> None:
        self._address = urlsplit(service.url).netloc
        self._headers: dict[str, str] = {}
        self._headers = {"Authorization": f"Bearer {self.ask('POST', '/v1/players', {'name': 'Eve'})[2]['token']}"}

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, int, Any]:
        """Send a request; return the status, the number of bytes and the data."""
        connection = http.client.HTTPConnection(self._address, timeout=60)
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, path, sent, {"Content-Type": "application/json", **self._headers})
            answer = connection.getresponse()
            data = answer.read()
            return answer.status, len(data), json.loads(data)
        finally:
            connection.close()


def web_processes(service: RunningService) -> list[Path]:
    """Find the processes that the service started, and those that they started."""
    found, parents = [], {service.pid}
    for _ in range(3):
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                pid, parent = int(stat.parent.name), int(stat.read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue  # it has just ended
            if parent in parents and pid not in parents:
                parents.add(pid)
                found.append(stat.parent)
    return found


def peak(process: Path) -> int:
    """Read the most memory that a process ever held, in bytes."""
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", (process / "status").read_text())
    return 1024 * int(kilobytes)
