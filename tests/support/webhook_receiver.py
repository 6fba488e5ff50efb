"""A receiver of webhooks: a real HTTP server that notes what it gets, and responds as the test says."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import orjson
import pytest


@dataclass(frozen=True)
class Received:
    """A request as it arrived, with the time."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def json(self) -> Any:
        """Return the body, parsed."""
        return orjson.loads(self.body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        """Do not print that a sender went away."""


class Receiver:
    """A receiver on this machine; ``status``, ``said`` and ``pause`` decide how it responds from then on.

    It calls ``meanwhile`` before it responds.
    """

    def __init__(self, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self.status, self.said, self.pause = 204, b"", 0.0
        self.headers: dict[str, str] = {}
        self.meanwhile: Callable[[], object] = lambda: None
        self.received: list[Received] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.received.append(Received(self.path, headers, body, time.time()))
                receiver.meanwhile()
                time.sleep(receiver.pause)
                self.send_response(receiver.status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                if receiver.status != 204:
                    self.send_header("Content-Length", str(len(receiver.said)))
                self.end_headers()
                self.wfile.write(receiver.said)

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        self._server = _Server((host, 0), Handler)
        scheme = "http"
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
            scheme = "https"
        self.port = self._server.server_port
        self.url = f"{scheme}://{host}:{self.port}/hook"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def ids(self) -> list[str]:
        """Return the ids of the messages, in the order of their arrival."""
        return [each.headers["webhook-id"] for each in self.received]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()


def leads_to(monkeypatch: pytest.MonkeyPatch, *found: str) -> list[str]:
    """Let every name lead to these addresses; return the names that are looked up."""
    asked, real = list[str](), socket.getaddrinfo

    def look_up(host: str, port: int, *args: int, **more: int) -> object:
        if host in found:
            return real(host, port, *args, **more)
        asked.append(host)
        return [entry for address in found for entry in real(address, port, type=socket.SOCK_STREAM)]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return asked
