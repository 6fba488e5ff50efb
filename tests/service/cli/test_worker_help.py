"""The help of the commands beside the web lists exactly the settings that they read, in words that need no glossary."""

import re
from dataclasses import fields

import pytest
from click.testing import CliRunner

from service.cli.main import main
from service.config.settings import Settings

SHARED = {"REDIS_URL", "PLATEAU_SHARDS", "PLATEAU_ALLOW_UNSAFE_REDIS", "PLATEAU_LOG_LEVEL", "PLATEAU_LOG_FORMAT"}
JOBS = {"QUEUE_URL", "PLATEAU_BOT_SECONDS"}
OWN = {
    "worker": JOBS | {
        "PLATEAU_BOT_PACE_MS", "PLATEAU_DATA", "PLATEAU_OPEN_GAME_DAYS", "PLATEAU_EMPTY_GAME_HOURS",
        "PLATEAU_IDLE_GAME_DAYS", "PLATEAU_REPLICAS", "PLATEAU_ARCHIVE",
    },
    "dispatch": JOBS | {
        "PLATEAU_HEADS_SECONDS", "PLATEAU_SIGNING_KEYS", "PLATEAU_IDLE_GAME_DAYS", "PLATEAU_ANSWER_HOURS",
        "PLATEAU_ARCHIVE", "PLATEAU_ARCHIVE_AFTER_DAYS",
    },
    "courier": {
        "PLATEAU_COURIER_THREADS", "PLATEAU_ALLOW_UNSAFE_WEBHOOKS", "PLATEAU_SMTP_URL", "PLATEAU_MAIL_FROM",
        "PLATEAU_PUBLIC_URL", "PLATEAU_ARCHIVE",
    },
}  # fmt: skip


@pytest.mark.parametrize("command", OWN)
def test_help_lists_the_settings_of_the_command_alone(command: str) -> None:
    shown = CliRunner().invoke(main, [command, "--help"]).output
    every = {each.metadata["variable"] for each in fields(Settings)}
    assert every & {*re.findall(r"^  ([A-Z_]+)\b", shown, re.MULTILINE)} == SHARED | OWN[command]
    assert "outlet" not in shown
