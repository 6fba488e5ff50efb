"""The commands ``plateau worker`` and ``plateau dispatch``: what runs beside the web processes, by itself.

Exit codes: 0 stopped as asked, 1 ended by a defect, 2 configuration, 3 trouble with Redis.
"""

import os
import sys
from typing import NoReturn

import click

from service.runtime import logs
from service.runtime.settings import InvalidSettings, Settings, check_rulesets, documented
from service.runtime.store_check import check_stores
from service.store.event_store import StoreUnavailable
from service.store.redis_server import StoreMisconfigured

_DEFECT, _CONFIGURATION, _STORE = 1, 2, 3


class HelpWithSettings(click.Command):
    """A command whose help ends with its exit codes and the settings that the environment can give, or some of them."""

    settings: frozenset[str] | None = None
    exit_codes = ("stopped as asked", "ended by a defect", "configuration", "trouble with Redis")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """Write exit codes and settings below the options."""
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), meaning) for code, meaning in enumerate(self.exit_codes)])
        with formatter.section("Environment (an option on the command line goes first)"):
            formatter.write_dl([each for each in documented() if self.settings is None or each[0] in self.settings])


class _BesideTheWeb(HelpWithSettings):
    """A command for which the settings of the web server and the embedded engine mean nothing."""

    settings = frozenset({
        "REDIS_URL", "QUEUE_URL", "PLATEAU_BOT_SECONDS", "PLATEAU_SHARDS", "PLATEAU_ALLOW_UNSAFE_REDIS",
        "PLATEAU_LOG_LEVEL",
    })  # fmt: skip


def fail(code: int, message: str) -> NoReturn:
    """Say in one line why a command ends."""
    click.echo(f"plateau: {message}", err=True)
    sys.exit(code)


@click.command(cls=_BesideTheWeb)
def worker() -> None:
    """Move for bots until Ctrl-C or SIGTERM.

    Also for players whose time is up, and ends pauses. As many as wanted may run, on as many machines. Needs
    REDIS_URL; 'plateau serve' starts its own unless PLATEAU_WORKERS is 0. A job being done at SIGTERM is finished
    first; what a killed worker leaves is found again.
    """
    settings = _settings()
    from workers import processes  # noqa: PLC0415 - a web process need not load what workers do

    processes.work(settings)


@click.command(cls=_BesideTheWeb)
def dispatch() -> None:
    """Queue jobs for the workers until Ctrl-C or SIGTERM.

    Runs the dispatcher, for what has changed, and the clock, for what is due. One is enough; more share the work.
    Needs REDIS_URL; 'plateau serve' starts its own unless PLATEAU_WORKERS is 0.
    """
    settings = _settings()
    from workers import processes  # noqa: PLC0415 - a web process need not load what workers do

    stop = processes.StopSignal()
    stop.on_signals()
    processes.dispatch(settings, stop)
    if stop.failed:
        sys.exit(_DEFECT)


def _settings() -> Settings:
    """Read the settings of a process that needs the Redis of others, and check that it may be used."""
    try:
        settings = Settings.from_environment(os.environ)
        check_rulesets()
        logs.configure(settings.log_level)
        if settings.redis_url is None:
            raise InvalidSettings("REDIS_URL is not set: it says where the games are, for this runs beside a service.")
        check_stores(settings, settings.redis_url, settings.redis_place, with_queue=True)
    except InvalidSettings as error:
        fail(_CONFIGURATION, str(error))
    except (StoreMisconfigured, StoreUnavailable) as error:
        fail(_STORE, str(error))
    return settings
