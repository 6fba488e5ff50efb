"""What operators check and prepare on a host: ``plateau doctor``, ``plateau mail-test`` and ``plateau warm``."""

import json
import os
import sys
import time
from dataclasses import asdict

import click

from service.cli.exit_codes import ExitCode
from service.cli.many import Progress
from service.cli.output import Command, fail, say
from service.cli.workers import HelpWithSettings
from service.common import wall_clock
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings, check_rulesets
from service.doctor.examination import examine
from service.doctor.findings import Finding
from service.notifications.mail.letters import Letter, mail_of
from service.notifications.mail.mail_destination import checked
from service.notifications.mail.smtp import Postponed, Undeliverable, sender
from service.runtime.running_store import patient_of
from workers.bots import compiled, warming


@click.command(cls=Command)
@click.option("--quick", is_flag=True, help="Skip the games: check neither logs nor lists.")
@click.option("--mend", "mends", is_flag=True, help="Correct lists that do not match the logs.")
@click.option("--json", "as_json", is_flag=True, help="Print each finding as a JSON object, one a line.")
def doctor(*, quick: bool, mends: bool, as_json: bool) -> None:
    """Diagnose a running service: print one line for each problem, with a remedy.

    It needs the settings of the service: REDIS_URL or PLATEAU_DATA, and QUEUE_URL, PLATEAU_SHARDS and those of open
    games if they are set there. It checks the settings, the server with its persistence, disk and memory, delays of
    each kind of process, the log of every game, and the lists that follow from the logs. It changes data only with
    --mend.
    """
    if quick and mends:
        raise click.UsageError("--mend checks the lists of games, which --quick leaves out")
    progress, is_wrong = Progress("checked {} games"), False
    check_rulesets()
    settings = Settings.from_environment(os.environ)
    for finding in examine(patient_of(settings), games=not quick, mends=mends, told=progress.show):
        is_wrong |= finding.level == "wrong"
        say(json.dumps(asdict(finding)) if as_json else _line(finding))  # JSON writes what is not ASCII as \\u
    if not is_wrong and not as_json:
        say("nothing is wrong")
    sys.exit(ExitCode.WRONG if is_wrong else ExitCode.DONE)


def _line(finding: Finding) -> str:
    return f"{finding.level.upper()} {finding.check}: {finding.problem}; to do: {finding.remedy}"


class _WithMailSettings(HelpWithSettings):
    settings = frozenset({"PLATEAU_SMTP_URL", "PLATEAU_MAIL_FROM", "PLATEAU_PUBLIC_URL"})


@click.command("mail-test", cls=_WithMailSettings)
@click.argument("address")
def mail_test(address: str) -> None:
    """Send a test mail to ADDRESS with the settings in the environment.

    Success means only that the mail server has accepted the mail; check the mailbox to see whether it arrives.
    """
    try:
        settings = Settings.from_environment(os.environ)
        if settings.smtp_url is None:
            raise InvalidSettings("PLATEAU_SMTP_URL is not set, so no mail server is known.")
        to = checked(address)
    except (InvalidSettings, ValueError) as error:
        fail(ExitCode.CONFIGURATION, str(error))
    now = wall_clock.now()
    text = f"This is a test of the mail settings of {settings.public_url}.\n\nIf you can read this, they work.\n"
    try:
        sender(settings.smtp_url)(
            mail_of(Letter(f"test {now}", "Test of the mail settings", text), settings.mail_from, to, now)
        )
    except (Postponed, Undeliverable) as error:
        fail(ExitCode.FAILED, str(error))
    say(f"The mail to {to} was handed over to {settings.mail_place}.")


class _Warm(HelpWithSettings):
    settings = frozenset({"PLATEAU_DATA"})


@click.command(cls=_Warm)
@click.option("--data", metavar="FOLDER", help="Folder in which workers look for compiled bots.")
def warm(data: str | None) -> None:
    """Compile the bots' code with numba in advance.

    Workers otherwise do this in the background. Compiled bots choose the same moves in less time. The extra fast-bots
    installs numba.
    """
    folder = Settings.from_environment(os.environ | ({} if data is None else {"PLATEAU_DATA": data})).data
    if not compiled.is_installed():
        fail(
            ExitCode.FAILED, "numba is not installed, so bots play without it: pip install 'plateau-server[fast-bots]'"
        )
    place = warming.place_of(folder)
    if place is None:
        fail(
            ExitCode.NOT_KEPT,
            f"{folder} cannot be written, so compiled bots cannot be kept there; choose another with --data",
        )
    was_complete, began = compiled.is_complete(place), time.monotonic()
    with click.progressbar(length=compiled.number_of_kernels(), label="compiling", file=sys.stderr) as bar:
        compiled.prepared(folder, lambda: bar.update(1))
    took = f"{compiled.number_of_kernels()} functions in {time.monotonic() - began:.1f} s"
    say(f"loaded {took}; they were compiled before" if was_complete else f"compiled {took}")
    say(f"kept in {place}")
