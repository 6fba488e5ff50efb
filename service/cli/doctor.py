"""The command ``plateau doctor``: what is wrong with a service, and what to do."""

import json
import os
import sys
from dataclasses import asdict

import click

from service.cli.output import say
from service.cli.progress import Progress
from service.cli.workers import fail
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings, check_rulesets
from service.doctor.examination import examine
from service.doctor.findings import Finding
from service.runtime.running_store import patient_of
from service.store.event_store import StoreUnavailable

_WRONG, _CONFIGURATION, _STORE = 1, 2, 3


@click.command()
@click.option("--quick", is_flag=True, help="Leave out the games: check neither logs nor lists.")
@click.option("--mend", "mends", is_flag=True, help="Write lists again from the logs where they are wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print each finding as a JSON object in a line of its own.")
def doctor(*, quick: bool, mends: bool, as_json: bool) -> None:
    """Diagnose a running service: print one line for each problem, with a remedy.

    It needs the settings of the service: REDIS_URL or PLATEAU_DATA, and QUEUE_URL, PLATEAU_SHARDS and those of open
    games if they are set there. It checks the settings, the server with its persistence, disk and memory, whether
    every kind of process keeps up, the log of every game, and the lists that follow from the logs. Without --mend, it
    changes nothing.

    Exit codes: 0 nothing is wrong, though there can be warnings, 1 something is wrong, 2 the settings are not valid, 3
    the store cannot be reached.
    """
    if quick and mends:
        raise click.UsageError("--mend checks the lists of games, which --quick leaves out")
    progress, is_wrong = Progress("checked {} games"), False
    try:
        check_rulesets()
        settings = Settings.from_environment(os.environ)
        for finding in examine(patient_of(settings), games=not quick, mends=mends, told=progress.show):
            is_wrong |= finding.level == "wrong"
            say(json.dumps(asdict(finding)) if as_json else _line(finding))  # JSON writes what is not ASCII as \\u
    except InvalidSettings as error:
        fail(_CONFIGURATION, str(error))
    except StoreUnavailable as error:
        fail(_STORE, f"the store cannot be reached: {error}")
    if not is_wrong and not as_json:
        say("nothing is wrong")
    sys.exit(_WRONG if is_wrong else 0)


def _line(finding: Finding) -> str:
    return f"{finding.level.upper()} {finding.check}: {finding.problem}; to do: {finding.remedy}"
