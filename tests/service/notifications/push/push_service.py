"""A push service that a test starts: it keeps what it gets, and responds as the test wants."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class PushService:
    """What the service got: the path, the headers and the body of each message; and the status that it responds.

    ``next`` holds the statuses of the next responses, before those with ``status``.
    """

    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    status: int = 201
    next: list[int] = field(default_factory=list)
    port: int = 0

    def endpoint(self, browser: str = "browser") -> str:
        """Where a browser gets its messages."""
        return f"http://127.0.0.1:{self.port}/push/{browser}"


@contextmanager
def push_service() -> Iterator[PushService]:
    """Run a push service on any port."""
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(service.next.pop(0) if service.next else service.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()
