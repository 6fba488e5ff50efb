"""The command ``plateau``; ``plateau serve`` starts everything a service needs and stops it in the right order.

Other commands are in modules of their own, named after them. Exit codes of ``serve``:
0 stopped as asked, 1 the web processes failed, 2 configuration, 3 trouble with the engine or with Redis.
"""

import errno
import http.client
import importlib
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, NoReturn, cast

import click
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import Server

from service import logs
from service.board_command import board
from service.config import ConfigError, Settings
from service.crew import crew
from service.data_folder import EngineError
from service.engine import die_with_parent
from service.engine import start as start_engine
from service.notation_command import check
from service.redis_server import StoreMisconfigured
from service.store import StoreUnavailable
from service.store_check import check_stores
from service.worker_commands import HelpWithSettings, dispatch, fail, worker

_CONFIGURATION, _STORE = 2, 3
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PORT_SECONDS = 1.0
_WEB_STOP_SECONDS = 4
_FORKING_SECONDS = 0.1
"""How long nothing else goes on here while the web processes are forked: a lock held then would stay held there."""
_CONNECTIONS = 1024
"""Open connections that one web process accepts, busy or idle; how many requests run at once is up to its threads."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="plateau-server", prog_name="plateau")
def main() -> None:
    """Plateau: a server for turn-based games with hidden information, over REST."""


main.add_command(board)
main.add_command(check)
main.add_command(dispatch)
main.add_command(worker)


class _Serve(HelpWithSettings):
    """``serve``, with its own exit codes."""

    exit_codes = ("stopped as asked", "the web processes failed", "configuration", "trouble with the engine or Redis")


@main.command(cls=_Serve)
@click.option("--host", metavar="ADDRESS", help="Address to listen on.")
@click.option("--port", metavar="NUMBER", help="Port to listen on; 0 takes any free one.")
@click.option("--data", metavar="FOLDER", help="Folder in which the embedded engine keeps the games.")
@click.option("--memory", is_flag=True, help="Keep the games in memory only: nothing outlives the process.")
@click.option("--workers", metavar="NUMBER", help="Worker processes to start, with a dispatcher; 0 for neither.")
@click.option("--target", default="service.wsgi:app", hidden=True)
def serve(target: str, *, memory: bool, **given: str | None) -> None:
    """Serve games until Ctrl-C or SIGTERM.

    Without REDIS_URL it starts an engine of its own, which keeps the games in the data folder across restarts. It also
    starts what moves for bots and for those whose time is up.
    """
    options = {f"PLATEAU_{name.upper()}": text for name, text in given.items()} | {
        "PLATEAU_MEMORY": "1" if memory else None
    }
    os.environ.update({variable: text for variable, text in options.items() if text is not None})
    try:
        settings = Settings.from_environment(os.environ)
        logs.configure(settings.log_level)
        _stop_on_signals()
        _let_signals_end_children()
        _serve(settings, target)
    except ConfigError as error:
        fail(_CONFIGURATION, str(error))
    except (EngineError, StoreMisconfigured, StoreUnavailable) as error:
        fail(_STORE, str(error))


def _stop_on_signals() -> None:
    """Let a signal unwind what has been started so far; once the web processes run, the web server takes over."""

    def stop(*_: object) -> NoReturn:
        sys.exit(0)

    for each in _ENDING:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, stop)


def _let_signals_end_children() -> None:
    """Give a forked child the default way with signals from its first moment on.

    With the handlers inherited, a signal that comes before the child has its own would be swallowed.
    """
    ending = {each for each in _ENDING if signal.getsignal(each) is not signal.SIG_IGN}

    def in_child() -> None:
        for each in ending:
            signal.signal(each, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ending)

    os.register_at_fork(
        before=partial(signal.pthread_sigmask, signal.SIG_BLOCK, ending),
        after_in_parent=partial(signal.pthread_sigmask, signal.SIG_UNBLOCK, ending),
        after_in_child=in_child,
    )


def _serve(settings: Settings, target: str) -> None:
    with ExitStack() as running:
        address, port = running.enter_context(_reserved_port(settings.host, settings.port))
        redis_url, words = _open_store(settings, running)
        os.environ |= {"PLATEAU_PORT": str(port)} | ({"REDIS_URL": redis_url} if redis_url else {})
        if redis_url:
            running.enter_context(crew(settings.workers, redis_url))
        _run_web(settings, target, address, port, _banner(address, port, words))


def _open_store(settings: Settings, running: ExitStack) -> tuple[str | None, str]:
    """Give the address of the Redis that keeps the games (None: memory), and in words where they are."""
    if settings.memory:
        return None, "in the memory of this process: nothing is kept when it stops"
    if settings.redis_url:
        server = check_stores(settings, settings.redis_url, settings.redis_place, with_queue=settings.workers > 0)
        return settings.redis_url, f"{settings.redis_place}  ({server})"
    engine = running.enter_context(start_engine(settings.data, settings.fsync))
    threading.Thread(target=engine.keep_alive, daemon=True).start()
    check_stores(settings, engine.url, "the embedded engine", with_queue=settings.workers > 0)
    return engine.url, f"{settings.data}  ({engine.description}; kept across restarts)"


@contextmanager
def _reserved_port(host: str, port: int) -> Iterator[tuple[str, int]]:
    """Take the port for this service alone, and give its IP address and number.

    The web processes share the port, which the kernel also grants to a second service that asks in the same way: hence
    one exclusive bind comes first, and on Linux is kept, opened to the web processes only afterwards.
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
        raise ConfigError(f"PLATEAU_HOST is {host!r}, which names no address here ({error.strerror}).") from error
    family, *_, address = min(found, key=lambda each: each[0] != socket.AF_INET)
    return family, address


def _bind(reservation: socket.socket, address: tuple[Any, ...]) -> None:
    """Bind; wait a moment for a port that a service killed just now is about to leave."""
    host, port = address[:2]
    deadline = time.monotonic() + _PORT_SECONDS
    while True:
        try:
            return reservation.bind(address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise ConfigError(
                    f"Cannot listen on {host} port {port} ({error.strerror}); set --host or --port."
                ) from error
            if time.monotonic() > deadline:
                raise ConfigError(
                    f"Port {port} on {host} is in use, perhaps by another plateau service. Stop that one, or choose "
                    f"another port with --port or PLATEAU_PORT (0 takes any free one)."
                ) from error
        time.sleep(0.02)


def _banner(address: str, port: int, store: str) -> str:
    host = _reachable(address)
    url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    body = """-H 'Content-Type: application/json' -d '{"name": "Ada"}'"""
    return (
        f"Plateau is up:  {url}   (docs: {url}/docs)\n"
        f"Data:           {store}\n"
        f"Try:            curl -s -X POST {url}/v1/players {body}\n"
        f"Stop:           Ctrl-C"
    )


def _reachable(address: str) -> str:
    """Give an address at which this machine reaches a server that listens on `address`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104 - compared, not bound


def _run_web(settings: Settings, target: str, address: str, port: int, banner: str) -> None:
    """Run the web processes until a signal; say `banner` when the first of them answers."""
    hangup = signal.getsignal(signal.SIGHUP)
    server = Server(
        target,
        address=address,
        port=port,
        interface=Interfaces.WSGI,
        workers=1 if settings.memory else settings.web_processes,
        blocking_threads=settings.web_threads,
        backpressure=_CONNECTIONS,
        backlog=_CONNECTIONS,
        websockets=False,
        respawn_failed_workers=not settings.memory,
        workers_kill_timeout=_WEB_STOP_SECONDS,
        log_level=LogLevels.warning,
        log_dictconfig=_WEB_LOGGING,
    )

    @server.on_startup
    def announce() -> None:
        if hangup is not signal.SIG_IGN:
            signal.signal(signal.SIGHUP, server.signal_handler_interrupt)
        looking = threading.Timer(_FORKING_SECONDS, _say_when_up, args=(address, port, banner))
        looking.daemon = True
        looking.start()

    loader = partial(_load_web, target, os.getpid())
    server.serve(target_loader=loader, wrap_loader=False)


def _load_web(target: str, parent: int) -> Callable[..., Any]:
    """Begin a web process: bound to its parent's life, out of reach of the terminal's Ctrl-C, with its application."""
    die_with_parent(parent)
    os.setsid()
    module, _, name = target.partition(":")
    return cast("Callable[..., Any]", getattr(importlib.import_module(module), name))


def _say_when_up(address: str, port: int, banner: str) -> None:
    while not _answers(address, port):
        time.sleep(0.02)
    click.echo(banner)
    sys.stdout.flush()


def _answers(address: str, port: int) -> bool:
    connection = http.client.HTTPConnection(_reachable(address), port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status < http.client.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class _NoAdvice(logging.Filter):
    """Drop the web server's advice on the number of processes and threads: the settings are the operator's choice."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not record.getMessage().startswith("Configur")


_WEB_LOGGING: dict[str, Any] = {
    "filters": {"no-advice": {"()": _NoAdvice}},
    "formatters": {},
    "handlers": {},
    "loggers": {"_granian": {"filters": ["no-advice"]}},
}
"""The web server's own messages go the way of all others, but for its advice."""


if __name__ == "__main__":
    main()
