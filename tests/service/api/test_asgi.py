"""The ASGI app by itself: what it makes of a request for the WSGI app, and of what comes in badly.

What only a real web server can show: bodies in chunks, and headers as they go over the wire.
"""

import asyncio
import http.client
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from urllib.parse import urlsplit

import pytest

from service.api.http.asgi import AT_ONCE, AsgiApp
from service.api.http.environ import IN_THREAD, Environ, Message
from service.api.http.overload import Admission
from service.api.http.request import BODY_FAULT, MOST_BYTES
from service.common.greenlets import LoopGreenlet, current
from tests.support.live import Response
from tests.support.server import PATIENCE

Headers = Iterable[tuple[bytes, bytes]]
CHUNKED = [(b"transfer-encoding", b"chunked")]
CUT_SHORT = {"type": "http.disconnect"}


class Wsgi:
    """A WSGI app that notes the environs and the bodies it gets, and answers "well"."""

    def __init__(self) -> None:
        self.environs: list[Environ] = []
        self.bodies: list[bytes] = []

    def __call__(self, environ: Environ, start_response: Callable[..., object]) -> Iterable[bytes]:
        self.environs.append(environ)
        self.bodies.append(environ["wsgi.input"].read())
        start_response("200 OK", [("X-Name", "é")])
        return [b"we", b"ll"]


class Client:
    """Sends one request after the other to the app; after the last message it sends nothing more, nor does it leave."""

    def __init__(self, app: Callable[..., Iterable[bytes]], body_seconds: float = 20.0) -> None:
        self._app = AsgiApp(app, 1, body_seconds)
        self.unread: list[Message] = []
        self.has_waited = False

    def ask(
        self,
        *body: bytes | Message,
        method: str = "POST",
        path: str = "/",
        headers: Headers = (),
        leave_at: threading.Event | None = None,
    ) -> list[Message]:
        """Send a request, with its body in these chunks; return the messages that come back.

        With ``leave_at``, the client leaves at that event, and the request is cancelled.
        """
        sent: list[Message] = []
        last = len(body) - 1
        self.unread = [
            {"type": "http.request", "body": chunk, "more_body": place < last} if isinstance(chunk, bytes) else chunk
            for place, chunk in enumerate(body)
        ]

        async def receive() -> Message:
            if not self.unread:
                self.has_waited = True
                await asyncio.sleep(60)
            return self.unread.pop(0)

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {
            "type": "http", "method": method, "raw_path": path.encode(), "query_string": b"a=%C3%A9", "scheme": "http",
            "headers": list(headers), "server": ("127.0.0.1", 8000), "client": ("192.0.2.7", 4321),
        }  # fmt: skip

        async def run() -> None:
            answering = asyncio.ensure_future(self._app(scope, receive, send))
            if leave_at is not None:
                await asyncio.to_thread(leave_at.wait, PATIENCE)
                answering.cancel()
            await asyncio.wait_for(answering, PATIENCE)

        asyncio.run(run())
        return sent


def length(number: int) -> Headers:
    return [(b"content-length", str(number).encode())]


@pytest.fixture
def app() -> Wsgi:
    return Wsgi()


def test_an_answer_is_two_messages_whatever_the_chunks_of_the_app(app):
    assert Client(app).ask(b"") == [
        {"type": "http.response.start", "status": 200, "headers": [(b"X-Name", b"\xe9")]},
        {"type": "http.response.body", "body": b"well"},
    ]


def test_the_environ_has_the_request_line_and_the_addresses(app):
    Client(app).ask(method="PUT", path="/v1/games", headers=[(b"host", b"plateau.example")])
    expected = {
        "REQUEST_METHOD": "PUT", "PATH_INFO": "/v1/games", "QUERY_STRING": "a=%C3%A9", "REMOTE_ADDR": "192.0.2.7",
        "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "8000", "HTTP_HOST": "plateau.example", "wsgi.url_scheme": "http",
    }  # fmt: skip
    assert app.environs[0].items() >= expected.items()


def test_a_header_with_an_underscore_is_dropped(app):
    spoofed = [(b"x-forwarded-for", b"192.0.2.1"), (b"x_forwarded_for", b"203.0.113.9"), (b"content_length", b"9")]
    Client(app).ask(headers=spoofed)
    assert app.environs[0]["HTTP_X_FORWARDED_FOR"] == "192.0.2.1"
    assert "CONTENT_LENGTH" not in app.environs[0]


def test_doubled_headers_are_joined_in_their_order(app):
    Client(app).ask(headers=[(b"x-forwarded-for", b"a"), (b"accept", b"b/c"), (b"x-forwarded-for", b"d, e")])
    assert app.environs[0]["HTTP_X_FORWARDED_FOR"] == "a,d, e"


def test_a_path_that_is_not_ascii_stands_in_the_environ_as_wsgi_wants_it(app):
    Client(app).ask(path="/v1/games/gâm 🂡")
    assert app.environs[0]["PATH_INFO"].encode("latin-1").decode() == "/v1/games/gâm 🂡"


@pytest.mark.parametrize("headers", [length(6), CHUNKED])
def test_a_body_in_several_chunks_arrives_whole(app, headers):
    Client(app).ask(b"ab", b"", b"cd", b"ef", headers=headers)
    assert (app.bodies, app.environs[0][BODY_FAULT]) == ([b"abcdef"], None)


def test_a_body_of_the_announced_length_is_not_waited_for_any_longer(app):
    client = Client(app)
    client.ask(b"ab", b"cd", b"more", headers=length(4))
    assert app.bodies == [b"abcd"]
    assert len(client.unread) == 1


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_a_method_without_a_body_has_none_read(app, method):
    client = Client(app)
    assert client.ask(b"ab", method=method, headers=length(2))[0]["status"] == 200
    assert (app.bodies, app.environs[0][BODY_FAULT]) == ([b""], None)
    assert len(client.unread) == 1


def test_a_request_that_announces_no_body_is_not_waited_for(app):
    client = Client(app)
    client.ask()
    assert app.bodies == [b""]
    assert not client.has_waited


def test_a_body_announced_as_too_large_is_not_read_at_all(app):
    client = Client(app)
    client.ask(b"ab", headers=length(MOST_BYTES + 1))
    assert app.bodies == [b""]
    assert app.environs[0]["CONTENT_LENGTH"] == str(MOST_BYTES + 1)
    assert len(client.unread) == 1


def test_of_a_body_in_chunks_that_is_too_large_no_more_is_read_than_shows_it(app):
    client = Client(app)
    client.ask(*[b"a" * 1024] * 1000, headers=CHUNKED)
    assert len(app.bodies[0]) == MOST_BYTES + 1024
    assert len(client.unread) == 1000 - 65


@pytest.mark.parametrize("headers", [length(6), CHUNKED])
def test_a_body_that_is_cut_short_is_empty_and_named(app, headers):
    more = {"type": "http.request", "body": b"ab", "more_body": True}
    Client(app).ask(more, CUT_SHORT, headers=headers)
    assert (app.bodies, app.environs[0][BODY_FAULT]) == ([b""], "cut-short")


@pytest.mark.parametrize("headers", [length(6), CHUNKED])
def test_a_body_that_is_too_slow_is_empty_and_named(app, headers):
    more = {"type": "http.request", "body": b"ab", "more_body": True}
    Client(app, body_seconds=0.05).ask(more, headers=headers)
    assert (app.bodies, app.environs[0][BODY_FAULT]) == ([b""], "too-slow")


def test_after_an_exception_of_the_app_the_next_request_is_answered(app):
    def fails_first(environ: Environ, start_response: Callable[..., object]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/fails":
            raise RuntimeError("a fault")
        return app(environ, start_response)

    client = Client(fails_first)
    with pytest.raises(RuntimeError, match="a fault"):
        client.ask(path="/fails")
    assert client.ask()[0]["status"] == 200


class Chunks:
    """What an app returns, which is closed in the end."""

    def __init__(self, *, fails: bool) -> None:
        self._fails = fails
        self.closed = 0

    def __iter__(self) -> Iterator[bytes]:
        yield b"well"
        if self._fails:
            raise RuntimeError("a fault")

    def close(self) -> None:
        self.closed += 1


def test_what_the_app_returned_is_closed_once_even_if_it_fails():
    for fails in (False, True):
        chunks = Chunks(fails=fails)

        def app(_: Environ, start_response: Callable[..., object], chunks: Chunks = chunks) -> Iterable[bytes]:
            start_response("200 OK", [])
            return chunks

        if fails:
            with pytest.raises(RuntimeError, match="a fault"):
                Client(app).ask()
        else:
            assert Client(app).ask()[1]["body"] == b"well"
        assert chunks.closed == 1


def test_a_request_whose_loop_has_ended_leaves_the_thread_at_work(app):
    """The request is cancelled while a thread works on it; the same thread answers the next one."""

    def slow(environ: Environ, start_response: Callable[..., object]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/slow":
            began.set()
            assert environ[IN_THREAD](partial(go_on.wait, PATIENCE))
        return app(environ, start_response)

    began, go_on = threading.Event(), threading.Event()
    client = Client(slow)
    with pytest.raises(asyncio.CancelledError):
        client.ask(path="/slow", leave_at=began)
    assert began.is_set()
    go_on.set()
    assert client.ask()[0]["status"] == 200


def test_requests_that_wait_for_their_turn_get_their_own_replies():
    """Each is started by the end of another one, and then waits itself."""

    def app(environ: Environ, start_response: Callable[..., object]) -> Iterable[bytes]:
        by = current()
        assert by is not None
        assert type(by.parent) is not LoopGreenlet
        by.loop.call_later(0.001, by.switch, environ["PATH_INFO"].encode())
        start_response("200 OK", [])
        return [by.wait()]

    async def ask(asgi: AsgiApp, path: str) -> bytes:
        response = Response()
        response.begin(asyncio.get_running_loop())
        scope = {
            "type": "http", "method": "GET", "raw_path": path.encode(), "query_string": b"", "scheme": "http",
            "headers": [], "server": ("127.0.0.1", 8000), "client": (f"192.0.2.{path[1:]}", 4321),
        }  # fmt: skip
        await asgi(scope, response.receive, response.send)
        return response.body

    async def ask_many() -> list[bytes]:
        asgi = AsgiApp(app, 1, PATIENCE, admission=Admission(1000))
        return await asyncio.gather(*(ask(asgi, f"/{number}") for number in range(3 * AT_ONCE)))

    assert asyncio.run(ask_many()) == [b"/%d" % number for number in range(3 * AT_ONCE)]


@pytest.fixture
def address(service):
    """Where a whole service listens."""
    return urlsplit(service.url).netloc


def post(address, body):
    """POST a new player; a body given in pieces goes out in chunks, without its length."""
    connection = http.client.HTTPConnection(address, timeout=30)
    try:
        connection.request("POST", "/v1/players", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read()), answer.headers
    finally:
        connection.close()


def test_a_body_over_64_kib_is_refused_in_chunks_and_in_one_piece(address):
    body = b'{"name": "Ada"}'.ljust(64 * 1024 + 1)
    for sent in (body, iter([body])):
        status, answer, headers = post(address, sent)
        assert (status, answer["code"]) == (413, "too-large")
        assert headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/metrics", "/docs", "/healthz", "/v1/games"])
def test_a_path_has_one_spelling(address, path):
    def status(spelling):
        connection = http.client.HTTPConnection(address, timeout=30)
        try:
            connection.request("GET", spelling)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    escaped = f"{path[:-1]}%{ord(path[-1]):02X}"
    others = [f"{path}/", f"/{path}", f"//{path}", f"/.{path}", f"{path}%2F", f"{path}//", escaped, path.upper()]
    assert status(path) == 200
    assert {other: status(other) for other in others} == dict.fromkeys(others, 404)
