"""The command ``plateau mail-test``: send one mail with the settings, to check them.

Exit codes: 0 the mail was handed over, 1 it was not, 2 configuration.
"""

import os

import click

from service.cli.output import say
from service.cli.workers import HelpWithSettings, fail
from service.common import wall_clock
from service.config.setting_fields import InvalidSettings
from service.config.settings import Settings
from service.notifications.mail.addresses import checked
from service.notifications.mail.letters import Letter, mail_of
from service.notifications.mail.smtp import Postponed, Undeliverable, sender

_NOT_SENT, _CONFIGURATION = 1, 2


class _WithMailSettings(HelpWithSettings):
    """A command that uses only the settings of mails."""

    settings = frozenset({"PLATEAU_SMTP_URL", "PLATEAU_MAIL_FROM", "PLATEAU_PUBLIC_URL"})
    exit_codes = ("the mail was handed over", "it was not", "configuration")


@click.command("mail-test", cls=_WithMailSettings)
@click.argument("address")
def mail_test(address: str) -> None:
    """Send a test mail to ADDRESS with the settings in the environment.

    Success means that the mail server has accepted the mail. Whether it arrives, only the mailbox shows.
    """
    try:
        settings = Settings.from_environment(os.environ)
        if settings.smtp_url is None:
            raise InvalidSettings("PLATEAU_SMTP_URL is not set, so no mail server is known.")
        to = checked(address)
    except (InvalidSettings, ValueError) as error:
        fail(_CONFIGURATION, str(error))
    now = wall_clock.now()
    text = f"This is a test of the mail settings of {settings.public_url}.\n\nIf you can read this, they work.\n"
    try:
        sender(settings.smtp_url)(
            mail_of(Letter(f"test {now}", "Test of the mail settings", text), settings.mail_from, to, now)
        )
    except (Postponed, Undeliverable) as error:
        fail(_NOT_SENT, str(error))
    say(f"The mail to {to} was handed over to {settings.mail_place}.")
