"""A server that speaks as much of the protocol of S3 as the archive needs: put, get and head of an object.

It is no object store: it keeps objects in memory, and believes every signature that names the right key. It shows what
the service sends, and what it does with every reply; whether a real store accepts it is for its operator to try.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

KEY = "archive-key"


class Bucket:
    """The bucket ``games`` of such a server; ``status`` is what it replies in place of the truth, unless it is 0."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.asked: list[tuple[str, str]] = []
        self.status = 0
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        """Stop it; what connects then is refused."""
        self.server.shutdown()
        self.server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """Handles the requests to one bucket."""

    protocol_version = "HTTP/1.1"

    def __init__(self, bucket: "Bucket", *of_the_connection: Any) -> None:
        self._bucket = bucket
        super().__init__(*of_the_connection)

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def do_PUT(self) -> None:
        """Keep an object."""
        data = self.rfile.read(int(self.headers["Content-Length"]))
        if self._is_served():
            self._bucket.objects[self._name()] = data
            self._reply(200, b"")

    def do_GET(self) -> None:
        """Send an object."""
        if self._is_served():
            data = self._bucket.objects.get(self._name())
            self._reply(404, b"<Code>NoSuchKey</Code>") if data is None else self._reply(200, data)

    def do_HEAD(self) -> None:
        """Say how long an object is."""
        self.do_GET()

    def _name(self) -> str:
        return unquote(urlsplit(self.path).path).removeprefix("/games/")

    def _is_served(self) -> bool:
        self._bucket.asked.append((self.command, self._name()))
        is_known = f"Credential={KEY}/" in self.headers.get("Authorization", "")
        status = self._bucket.status or (0 if is_known else 403)
        if status:
            self._reply(status, b"<Code>Refused</Code>")
        return not status

    def _reply(self, status: int, data: bytes) -> None:
        self.send_response(status)
        self.send_header("ETag", '"1"')
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def environment(bucket: Bucket) -> dict[str, str]:
    """Return the variables with which the service reaches a bucket."""
    return {
        "AWS_ENDPOINT_URL": bucket.url,
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "here",
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": "secret",
    }


@contextmanager
def running_bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    """Run a bucket that this process can reach."""
    bucket = Bucket()
    for name, value in environment(bucket).items():
        monkeypatch.setenv(name, value)
    try:
        yield bucket
    finally:
        bucket.close()
