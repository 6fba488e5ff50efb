"""Sending: to the address that was checked, over TLS that verifies the name, within limits of time and size."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import trustme

from service.notifications.delivery import http_sending as sending
from service.notifications.delivery.http_sending import MOST_BYTES, Outcome, Sender
from service.notifications.delivery.outside_addresses import Rules
from tests.support.processes import free_port
from tests.support.webhook_receiver import Receiver, leads_to

LAX = Rules(anywhere=True)


def send(url: str, seconds: float = 10.0, rules: Rules = LAX) -> Outcome:
    """Send one message."""
    with Sender(LAX.check_url(url), rules, seconds) as sender:
        return sender.send({"webhook-id": "msg_1"}, b"{}")


@contextmanager
def socket_server(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """Run a server that does anything with each connection; yield its address without the scheme."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def accept() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(target=handle, args=(connection,), daemon=True).start()

        def handle(connection: socket.socket) -> None:
            with connection:
                try:
                    serve(connection)
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


def test_a_message_arrives_as_it_was_sent(receiver: Receiver) -> None:
    receiver.status, receiver.said = 200, b"thanks"
    assert send(f"{receiver.url}?a=b") == Outcome(200, None, b"thanks")
    (received,) = receiver.received
    assert (received.path, received.body, received.headers["webhook-id"]) == ("/hook?a=b", b"{}", "msg_1")
    assert received.headers["host"] == f"127.0.0.1:{receiver.port}"


@pytest.mark.parametrize("status", [200, 204, 299, 301, 302, 307, 400, 410, 500, 503])
def test_the_status_decides_and_no_redirect_is_followed(receiver: Receiver, status: int) -> None:
    with Receiver() as elsewhere:
        receiver.status, receiver.headers = status, {"Location": elsewhere.url}
        outcome = send(receiver.url)
        assert (outcome.status, outcome.is_success) == (status, status < 300)
        assert elsewhere.received == []


def test_several_messages_share_a_connection_and_survive_that_it_is_closed(receiver: Receiver) -> None:
    with Sender(LAX.check_url(receiver.url), LAX) as sender:
        for headers in ({}, {}, {"Connection": "close"}, {}):
            receiver.headers = headers
            assert sender.send({}, b"{}").is_success
    assert len(receiver.received) == 4


def test_a_connection_that_the_receiver_closed_without_a_word_is_made_again() -> None:
    connections = []

    def once(connection: socket.socket) -> None:
        connections.append(connection)
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

    with socket_server(once) as place, Sender(LAX.check_url(f"http://{place}/"), LAX) as sender:
        for _ in range(3):
            assert sender.send({}, b"{}").is_success
            time.sleep(0.05)
    assert len(connections) == 3


def test_the_first_bytes_of_a_response_are_read_as_they_are(receiver: Receiver) -> None:
    receiver.status, receiver.said, receiver.headers = 200, b"\x1f\x8bnot really", {"Content-Encoding": "gzip"}
    assert send(receiver.url).said == b"\x1f\x8bnot really"
    receiver.said, receiver.headers = b"x" * 10_000_000, {}
    assert send(receiver.url).said == b"x" * MOST_BYTES


def test_nothing_listens_or_the_name_leads_nowhere() -> None:
    assert send(f"http://127.0.0.1:{free_port()}/") == Outcome(None, "not-reached")
    assert send("http://nowhere.invalid/") == Outcome(None, "no-address")


@pytest.mark.parametrize("said", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 2", b"HTTP/1.1 abc OK\r\n\r\n"])
def test_what_is_not_http_is_broken_off(said: bytes) -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(said)

    with socket_server(serve) as place:
        assert send(f"http://{place}/") == Outcome(None, "broken-off")


def _drip_status(connection: socket.socket) -> None:
    for byte in b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


def _drip_interim(connection: socket.socket) -> None:
    while True:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.01)


def _say_nothing(connection: socket.socket) -> None:
    while connection.recv(1000):
        pass


@pytest.mark.parametrize("serve", [_drip_status, _drip_interim, _say_nothing])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_receiver_holds_a_sender_for_longer_than_the_limit(
    serve: Callable[[socket.socket], None], scheme: str
) -> None:
    with socket_server(serve) as place:
        began = time.monotonic()
        problem = send(f"{scheme}://{place}/", seconds=0.4).problem
        assert time.monotonic() - began < 3
    assert problem == "too-slow" or (scheme == "https" and serve is not _say_nothing and problem == "tls")


def test_a_body_that_never_ends_takes_no_longer_and_the_status_counts() -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
        for _ in range(100):
            connection.sendall(b"x")
            time.sleep(0.05)

    with socket_server(serve) as place:
        began = time.monotonic()
        assert send(f"http://{place}/", seconds=0.4).status == 200
        assert time.monotonic() - began < 3


# -- the address ---------------------------------------------------------------------------------------------------


def test_a_private_receiver_hears_nothing_whatever_its_name(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    leads_to(monkeypatch, "127.0.0.1")
    assert send(f"https://ada.example:{receiver.port}/", rules=Rules()) == Outcome(None, "no-address")
    assert receiver.received == []


def test_a_name_is_looked_up_once_and_what_was_checked_is_connected_to(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = leads_to(monkeypatch, "127.0.0.1")
    with Sender(LAX.check_url(f"http://rebound.example:{receiver.port}/"), LAX) as sender:
        assert sender.send({}, b"{}").is_success
        leads_to(monkeypatch, "127.0.0.9")
        assert sender.send({}, b"{}").is_success
    assert asked == ["rebound.example"]
    assert receiver.received[0].headers["host"] == f"rebound.example:{receiver.port}"


def test_the_check_is_made_for_every_connection(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    class Noting(Rules):
        def resolve(self, host: str, port: int) -> list[str]:
            seen.append(host)
            return super().resolve(host, port)

    receiver.headers = {"Connection": "close"}
    leads_to(monkeypatch, "127.0.0.1")
    with Sender(LAX.check_url(f"http://ada.example:{receiver.port}/"), Noting(anywhere=True)) as sender:
        for _ in range(3):
            assert sender.send({}, b"{}").is_success
    assert seen == ["ada.example"] * 3


def test_an_address_that_does_not_respond_gives_way_to_the_next(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    leads_to(monkeypatch, "127.0.0.9", "127.0.0.1")
    assert send(f"http://ada.example:{receiver.port}/").is_success


# -- TLS -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def secure(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver with a certificate for ada.example, by an authority that senders trust."""
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("ada.example").configure_cert(context)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    monkeypatch.setattr(sending, "_tls", lambda: trusting)
    leads_to(monkeypatch, "127.0.0.1")
    with Receiver(context) as receiver:
        yield receiver


def test_tls_verifies_the_name_though_the_connection_goes_to_an_address(secure: Receiver) -> None:
    with Sender(LAX.check_url(f"https://ada.example:{secure.port}/hook"), LAX) as sender:
        for _ in range(2):
            assert sender.send({}, b"{}").is_success
    assert secure.received[0].headers["host"] == f"ada.example:{secure.port}"


@pytest.mark.parametrize("host", ["eve.example", "127.0.0.1"])
def test_a_certificate_for_another_name_is_refused(secure: Receiver, host: str) -> None:
    assert send(f"https://{host}:{secure.port}/") == Outcome(None, "tls")
    assert secure.received == []


def test_a_certificate_of_an_unknown_authority_is_refused(secure: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    leads_to(monkeypatch, "127.0.0.1")
    assert send(f"https://ada.example:{secure.port}/") == Outcome(None, "tls")
    assert secure.received == []
