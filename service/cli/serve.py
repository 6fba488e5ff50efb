"""The command ``plateau serve``: it starts everything a service needs and stops it in the right order."""

import errno
import http.client
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NoReturn
from urllib.parse import unquote, urlsplit

import click

from service.cli.exit_codes import ExitCode
from service.cli.output import fail, say_lines
from service.cli.workers import HelpWithSettings
from service.config.operator_page import OperatorPage
from service.config.setting_fields import InvalidSettings, place_of
from service.config.settings import Settings, check_rulesets, shortcomings
from service.runtime import logs
from service.runtime.data_folder import EngineError
from service.runtime.embedded_redis import start as start_engine
from service.runtime.store_check import check_stores
from service.runtime.supervisor import Group
from service.store.archive.buckets import Folder, place_at
from service.store.event_store import StoreUnavailable
from service.store.redis.redis_rights import GAMES, WEB
from service.store.redis.redis_server import StoreMisconfigured
from service.web import manual_pages

_log = logging.getLogger(__name__)
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PORT_SECONDS = 1.0
_WEB_STOP_SECONDS = 4.0
_WORKERS_STOP_SECONDS = 8.0
_WARM_SECONDS = 3.0
"""For so long a service that is up waits for a worker to be ready for the first move of a bot."""


@click.command(cls=HelpWithSettings)
@click.option("--host", metavar="ADDRESS", help="Address to listen on.")
@click.option("--port", metavar="NUMBER", help="Port to listen on; 0 selects any free port.")
@click.option("--data", metavar="FOLDER", help="Folder in which the embedded engine keeps the games.")
@click.option("--memory", is_flag=True, help="Keep the games only in memory; they are lost when the process ends.")
@click.option(
    "--workers", metavar="NUMBER", help="Worker processes to start, with a dispatcher and a courier; 0 for none."
)
@click.option("--target", default="service.runtime.wsgi:app", hidden=True)
def serve(target: str, *, memory: bool, **given: str | None) -> None:
    """Serve games until Ctrl-C or SIGTERM.

    Without REDIS_URL, it starts an embedded engine, which keeps the games in the data folder across restarts. It also
    starts workers, which move for bots and for players whose time is up.
    """
    options = {f"PLATEAU_{name.upper()}": text for name, text in given.items()} | {
        "PLATEAU_MEMORY": "1" if memory else None
    }
    os.environ.update({variable: text for variable, text in options.items() if text is not None})
    settings = Settings.from_environment(os.environ)
    check_rulesets()
    logs.configure(settings.log_level, settings.log_format)
    for line in shortcomings():
        _log.warning(line)
    if settings.public_url and settings.contact is None:
        _log.warning("players cannot reach the operator: set PLATEAU_MAIL_FROM to an address that people read")
    if settings.public_url and (fault := OperatorPage(settings).fault()):
        _log.warning(fault)
    logs.check_traces(os.environ)
    _stop_on_signals()
    try:
        _serve(settings, target)
    except (EngineError, StoreMisconfigured, StoreUnavailable) as error:
        fail(ExitCode.UNREACHABLE, str(error))


def _stop_on_signals() -> None:
    """Let a signal unwind what has been started so far."""

    def stop(*_: object) -> NoReturn:
        for each in _ENDING:
            signal.signal(each, signal.SIG_IGN)  # it is stopping already
        sys.exit(0)

    for each in _ENDING:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, stop)


def _serve(settings: Settings, target: str) -> None:
    with ExitStack() as running:
        address, port = running.enter_context(_reserved_port(settings.host, settings.port))
        if isinstance(archive := place_at(settings.archive), Folder):
            archive.check()
        redis_url, words = _open_store(settings, running)
        environ = os.environ | {"PLATEAU_HOST": address, "PLATEAU_PORT": str(port), **_mails(settings, address, port)}
        if redis_url:
            environ |= {"REDIS_URL": redis_url}
        workers = running.enter_context(_workers(settings.workers if redis_url else 0, environ))
        ended = threading.Event()
        web = running.enter_context(_web(settings, target, environ, ended))
        if _comes_up(address, port, ended):
            web.report_up()
            workers.wait_until_ready(_WARM_SECONDS)
            say_lines(_banner(address, port, words, _mail_words(environ.get("PLATEAU_SMTP_URL"))))
            sys.stdout.flush()
        ended.wait()
        fail(ExitCode.FAILED, "the web processes do not stay up; see their log messages for the reason")


def _mails(settings: Settings, address: str, port: int) -> dict[str, str]:
    folder = None if settings.redis_url else (settings.data / "mails").as_uri()
    where = settings.smtp_url or folder
    links = {"PLATEAU_PUBLIC_URL": settings.public_url or _url(address, port)}
    return links if where is None else links | {"PLATEAU_SMTP_URL": where}


def _workers(number: int, environ: dict[str, str]) -> Group:
    """Create the group of the dispatcher, the courier and the workers; it is empty for 0."""
    commands = (
        [("service.cli.workers", name) for name in ["dispatch", "courier", *["worker"] * number]] if number else []
    )
    return Group(commands, environ, _WORKERS_STOP_SECONDS)


def _web(settings: Settings, target: str, environ: dict[str, str], ended: threading.Event) -> Group:
    """Create the group of the web processes, which sets ``ended`` when it can no longer serve.

    In memory mode, the only process takes all games with it when it ends, so it is not restarted.
    """
    number = 1 if settings.memory else settings.web_processes
    commands = [("service.runtime.web_process", target)] * number
    return Group(commands, environ, _WEB_STOP_SECONDS, ended.set, restarts=not settings.memory)


def _open_store(settings: Settings, running: ExitStack) -> tuple[str | None, str]:
    """Return the address of the Redis that keeps the games (None: memory), and a description of it."""
    if settings.memory:
        return None, "in the memory of this process; lost when it ends"
    if settings.redis_url:
        works = settings.workers > 0
        needs = GAMES if works else WEB
        server = check_stores(settings, settings.redis_url, settings.redis_place, with_queue=works, needs=needs)
        return settings.redis_url, f"{settings.redis_place}  ({server})"
    engine = running.enter_context(start_engine(settings.data, settings.fsync))
    threading.Thread(target=engine.keep_alive, daemon=True).start()
    check_stores(settings, engine.url, "the embedded engine", with_queue=settings.workers > 0)
    return engine.url, f"{settings.data}  ({engine.description}; kept across restarts)"


@contextmanager
def _reserved_port(host: str, port: int) -> Iterator[tuple[str, int]]:
    """Reserve the port for this service alone, and yield its IP address and number.

    The web processes share the port, and the kernel would also grant it to a second service that shares it in the same
    way. So an exclusive bind comes first; on Linux it is kept, and opened to the web processes afterwards.
    """
    family, address = _look_up(host, port)
    with socket.socket(family, socket.SOCK_STREAM) as reservation:
        reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _bind(reservation, address)
        reserved = reservation.getsockname()[:2]
        if sys.platform == "linux":
            reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
            reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        else:
            reservation.close()
        yield reserved


def _look_up(host: str, port: int) -> tuple[socket.AddressFamily, Any]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        raise InvalidSettings(f"PLATEAU_HOST is {host!r}, which is not an address here ({error.strerror}).") from error
    family, *_, address = min(found, key=lambda each: each[0] != socket.AF_INET)
    return family, address


def _bind(reservation: socket.socket, address: tuple[Any, ...]) -> None:
    """Bind; wait a moment for a port that a service which was just killed is about to release."""
    host, port = address[:2]
    deadline = time.monotonic() + _PORT_SECONDS
    while True:
        try:
            return reservation.bind(address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise InvalidSettings(
                    f"Cannot listen on {host} port {port} ({error.strerror}); set --host or --port."
                ) from error
            if time.monotonic() > deadline:
                raise InvalidSettings(
                    f"Port {port} on {host} is in use, perhaps by another plateau service. Stop that service, or "
                    "choose another port with --port or PLATEAU_PORT (0 selects any free port)."
                ) from error
        time.sleep(0.02)


def _mail_words(where: str | None) -> str:
    """Say where mails go, without the user and the password of a mail server."""
    if not where:
        return "none; set PLATEAU_SMTP_URL to send some"
    place = urlsplit(where)
    return f"written into {unquote(place.path)}" if place.scheme == "file" else f"sent through {place_of(where)}"


def _banner(address: str, port: int, store: str, mails: str) -> str:
    url = _url(address, port)
    body = """-H 'Content-Type: application/json' -d '{"name": "Ada"}'"""
    manual = f"; manual: {url}/manual" if manual_pages.MANUAL.is_dir() else ""
    return (
        f"Plateau is up:  {url}   (open it in a browser to play; docs: {url}/docs{manual})\n"
        f"Data:           {store}\n"
        f"Mails:          {mails}\n"
        f"Try:            curl -s -X POST {url}/v1/players {body}\n"
        f"Stop:           Ctrl-C"
    )


def _url(address: str, port: int) -> str:
    host = _reachable(address)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _reachable(address: str) -> str:
    """Return an address at which this machine reaches a server that listens on `address`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104 - compared, not bound


def _comes_up(address: str, port: int, ended: threading.Event) -> bool:
    while not _answers(address, port):
        if ended.wait(0.02):
            return False
    return True


def _answers(address: str, port: int) -> bool:
    connection = http.client.HTTPConnection(_reachable(address), port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status < http.client.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
