"""The commands ``plateau worker``, ``dispatch`` and ``courier``: processes that run separately from the web processes.

``python -m service.cli.workers`` runs them without loading a web server.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click

from service.cli.exit_codes import ExitCode
from service.cli.output import Command, fail
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings, check_rulesets, documented
from service.runtime import logs
from service.runtime.store_check import check_stores
from service.store.event_store import StoreUnavailable
from service.store.redis.redis_server import StoreMisconfigured

if TYPE_CHECKING:
    from workers.loops import StopSignal


class HelpWithSettings(Command):
    """A command whose help ends with its exit codes and with the settings (or some of them) in the environment."""

    settings: frozenset[str] | None = None

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        with formatter.section("Environment (options on the command line take precedence)"):
            formatter.write_dl([each for each in documented() if self.settings is None or each[0] in self.settings])


_OF_ALL = frozenset(
    {"REDIS_URL", "PLATEAU_SHARDS", "PLATEAU_ALLOW_UNSAFE_REDIS", "PLATEAU_LOG_LEVEL", "PLATEAU_LOG_FORMAT"}
)
_OF_JOBS = _OF_ALL | {"QUEUE_URL", "PLATEAU_BOT_SECONDS"}


class _Worker(HelpWithSettings):
    settings = _OF_JOBS | {
        "PLATEAU_BOT_PACE_MS", "PLATEAU_DATA", "PLATEAU_OPEN_GAME_DAYS",
        "PLATEAU_IDLE_GAME_DAYS", "PLATEAU_REPLICAS", "PLATEAU_ARCHIVE",
    }  # fmt: skip


class _Dispatch(HelpWithSettings):
    settings = _OF_JOBS | {
        "PLATEAU_HEADS_SECONDS", "PLATEAU_SIGNING_KEYS", "PLATEAU_IDLE_GAME_DAYS", "PLATEAU_ANSWER_HOURS",
        "PLATEAU_ARCHIVE", "PLATEAU_ARCHIVE_AFTER_DAYS",
    }  # fmt: skip


class _Courier(HelpWithSettings):
    settings = _OF_ALL | {
        "PLATEAU_COURIER_THREADS", "PLATEAU_ALLOW_UNSAFE_WEBHOOKS", "PLATEAU_SMTP_URL", "PLATEAU_MAIL_FROM",
        "PLATEAU_PUBLIC_URL", "PLATEAU_ARCHIVE",
    }  # fmt: skip


@click.command(cls=_Worker)
def worker() -> None:
    """Move for bots until Ctrl-C or SIGTERM.

    A worker also moves for players whose time is up, and ends pauses and open games. Any number of workers can run, on
    any number of machines. They need REDIS_URL; 'plateau serve' starts its own workers unless PLATEAU_WORKERS is 0. At
    SIGTERM, a worker finishes its job first. If a worker is killed, another one continues its work.
    """
    settings = _settings()
    from workers import processes  # noqa: PLC0415 - a web process need not load what workers do

    processes.work(settings)


@click.command(cls=_Dispatch)
def dispatch() -> None:
    """Queue jobs for the workers until Ctrl-C or SIGTERM.

    This runs the dispatcher, which handles changes, the sweeper, which handles deadlines, and the notifier, which
    writes notices to players. It also moves finished games to the archive, if there is one. One process is
    enough; several share the work. It needs REDIS_URL; 'plateau serve' starts its own dispatcher unless PLATEAU_WORKERS
    is 0.
    """
    settings = _settings()
    from workers import processes  # noqa: PLC0415 - a web process need not load what workers do

    _run(partial(processes.dispatch, settings))


@click.command(cls=_Courier)
def courier() -> None:
    """Send mails, push messages and webhooks until Ctrl-C or SIGTERM.

    They tell players that it is their turn, that they are invited, or that a game is over. One process is enough;
    several share the work. It needs REDIS_URL; 'plateau serve' starts its own courier unless PLATEAU_WORKERS is 0. At
    SIGTERM, a courier finishes its deliveries first. If a courier is killed, another one repeats its deliveries.
    """
    settings = _settings(with_queue=False)
    from workers.courier import carry  # noqa: PLC0415 - a web process need not load what couriers do

    _run(partial(carry, settings))


def _run(process: Callable[["StopSignal"], None]) -> None:
    from workers.loops import StopSignal  # noqa: PLC0415 - as above

    stop = StopSignal()
    stop.on_signals()
    process(stop)
    if stop.failed:
        sys.exit(ExitCode.FAILED)


def _settings(*, with_queue: bool = True) -> Settings:
    """Read the settings of a process that shares the Redis of others, and check that it can be used."""
    try:
        settings = Settings.from_environment(os.environ)
        check_rulesets()
        logs.configure(settings.log_level, settings.log_format)
        logs.begin_traces(os.environ)
        if settings.redis_url is None:
            raise InvalidSettings("REDIS_URL is not set; this command needs the Redis of a running service.")
        check_stores(settings, settings.redis_url, settings.redis_place, with_queue=with_queue)
    except (StoreMisconfigured, StoreUnavailable) as error:
        fail(ExitCode.UNREACHABLE, str(error))
    return settings


if __name__ == "__main__":
    click.Group(commands=[worker, dispatch, courier])()
