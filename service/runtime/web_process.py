"""One web process: ``python -m service.runtime.web_process TARGET``, which ``plateau serve`` starts and watches.

Several web processes share one port: each binds it, and the kernel distributes connections among them. The settings
come from the environment; PLATEAU_PORT is the port that was reserved.
"""

import asyncio
import importlib
import logging
import os
import resource
import signal
import socket
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, cast

import uvloop
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server

from service.api.http.asgi import AsgiApp, WsgiApp
from service.api.http.overload import Admission
from service.common.observability import METRICS
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings
from service.runtime import logs
from service.store.redis.redis_server import StoreMisconfigured

_log = logging.getLogger("plateau.start")

HEAD_BYTES = 32 * 1024
"""The maximum size of the head of a request."""
APART = (frozenset({"/healthz"}), frozenset({"/readyz", "/metrics"}))
"""Paths that are never rejected, each set with a thread of its own, so that a busy service can still be monitored."""
_OTHER_FILES = 256
"""Files and sockets that a process holds in addition to its clients' connections: Redis, modules, logs."""


SWITCH_SECONDS = 0.001
"""The time after which a computing thread yields: a short request then takes turns with long ones."""


def main(target: str, settings: Settings) -> None:
    """Serve the WSGI app named by ``target`` (module:name) until SIGTERM; then finish the requests in progress."""
    sys.setswitchinterval(SWITCH_SECONDS)
    module, _, name = target.partition(":")
    app = cast("WsgiApp", getattr(importlib.import_module(module), name))
    admission = Admission(settings.requests, settings.trusted_proxies, settings.cors_origins)
    asgi = AsgiApp(app, settings.web_threads, settings.client_seconds, APART, admission)
    lines = (asgi.line, asgi.long_line)
    METRICS.gauges |= {
        "requests_in_work": lambda: sum(line.in_work for line in lines),
        "requests_waiting": lambda: sum(line.waiting for line in lines),
    }
    uvloop.run(_serve(asgi, settings))


async def _serve(app: AsgiApp, settings: Settings) -> None:
    server = Server(
        app,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,  # with HTTP/2, the server would wait for a stream that its client has closed
        http1_settings=HTTP1Settings(header_read_timeout=settings.client_seconds * 1000, max_buffer_size=HEAD_BYTES),
        websockets=False,
        backlog=settings.connections,
        backpressure=_connections(settings.connections),
        log_level=LogLevels.warning,
        log_dictconfig=_LOGGING,
    )
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, partial(_stop, app, server))
    bounding = loop.create_task(_bound_writing(settings.client_seconds))
    try:
        await server.serve()
    finally:
        bounding.cancel()


def _stop(app: AsgiApp, server: Server) -> None:
    """End the streams, finish the requests in progress, and accept no more."""
    app.close()
    server.stop()  # type: ignore[no-untyped-call]


async def _bound_writing(seconds: int) -> None:
    """Let the kernel end connections whose clients read nothing of a response for this long (Linux only).

    The web server would wait for such clients for ever. Connections inherit the options of the listening socket.
    """
    while sys.platform == "linux" and not _bounded(seconds * 1000):
        await asyncio.sleep(0.01)


def _bounded(milliseconds: int) -> bool:
    """Set the limit on the listening socket of this process; return False if it is not listening yet."""
    found = False
    for each in _sockets():
        with each:
            if each.family != socket.AF_UNIX and each.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
                found = True
    return found


def _sockets() -> Iterator[socket.socket]:
    """List the sockets of this process, each with a new descriptor, which the caller must close."""
    for descriptor in [int(entry.name) for entry in Path("/proc/self/fd").iterdir()]:
        with suppress(OSError):  # it was closed in the meantime
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                yield socket.socket(fileno=os.dup(descriptor))


def _connections(connections: int) -> int:
    """Let this process open as many files as it needs; return how many connections it can then have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = connections + _OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        files = min(files, hard)
    if soft != resource.RLIM_INFINITY and soft < files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(files - _OTHER_FILES, files // 2)


class _NoAdvice(logging.Filter):
    """Drop the web server's hints about its options, which are chosen and tested here."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not record.getMessage().startswith(("Configur", "Embedded server"))


_LOGGING: dict[str, Any] = {
    "filters": {"no-advice": {"()": _NoAdvice}},
    "formatters": {},
    "handlers": {},
    "loggers": {"_granian": {"filters": ["no-advice"]}},
}
"""The web server's messages are logged like all others, except its hints."""


def _run(target: str) -> None:
    """Run with the settings in the environment; end with one line if these, or the Redis they name, cannot be used."""
    try:
        settings = Settings.from_environment(os.environ)
        logs.configure(settings.log_level, settings.log_format)
        main(target, settings)
    except InvalidSettings as error:
        _end(2, error)
    except StoreMisconfigured as error:
        _end(3, error)


def _end(code: int, error: Exception) -> NoReturn:
    _log.error("a web process cannot start: %s", error)
    sys.exit(code)


if __name__ == "__main__":
    _run(sys.argv[1])
