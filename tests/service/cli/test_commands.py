"""What all commands have in common: their help, their exit codes, how they refuse, and that they load no more."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest

from service.cli.exit_codes import MEANINGS, ExitCode
from service.cli.main import main
from service.cli.workers import HelpWithSettings
from tests.support.commands import plateau
from tests.support.processes import free_port
from tests.support.server import ROOT, RunningService

HEAVY = ("domain.registry", "flask", "numba", "redis", "rich", "workers")


@pytest.mark.parametrize("line", [["log", "--help"], ["play", "--help"], ["--version"]], ids=" ".join)
def test_what_a_command_does_not_need_is_not_loaded(line: list[str]) -> None:
    look = f"import sys; from service.cli.main import main; main({line}, standalone_mode=False)"
    look += f"; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")


def test_every_command_is_listed_and_has_exit_codes() -> None:
    assert main.list_commands(click.Context(main)) == [*MEANINGS]
    shown = plateau("--help").output
    assert [name for name in MEANINGS if f"\n  {name} " not in shown] == []


@pytest.mark.parametrize("name", MEANINGS)
def test_the_help_of_a_command_ends_with_what_its_exit_codes_mean(name: str) -> None:
    shown = plateau(name, "--help").output
    assert shown.startswith(f"Usage: main {name} ")
    codes = shown.partition("\nExit codes:\n")[2].partition("\n\n")[0]
    assert " ".join(codes.split()) == " ".join(f"{int(code)} {meaning}" for code, meaning in MEANINGS[name].items())


@pytest.mark.parametrize("name", ["worker", "dispatch", "courier", "mail-test", "warm"])
def test_the_help_of_a_process_lists_all_settings_that_it_names_and_no_other(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert isinstance(command, HelpWithSettings)
    shown = plateau(name, "--help").output.partition("\nEnvironment")[2]
    assert {*re.findall(r"^  ([A-Z_]+)\b", shown, re.MULTILINE)} == command.settings


def test_the_page_for_operators_lists_all_exit_codes() -> None:
    rows = [
        f"| `plateau {name}` | {'; '.join(f'{int(code)}: {meaning}' for code, meaning in codes.items())} |"
        for name, codes in MEANINGS.items()
    ]
    assert "\n".join(rows) in (ROOT / "docs/operations/settings.md").read_text()


USAGE = [
    "board",
    "board gm_x --at 0",
    "board gm_x --at x",
    "board gm_x --url 127.0.0.1:8000",
    "board gm_x --url ftp://127.0.0.1",
    "board gm_x --url http://",
    "board gm_x --url http://a:b@127.0.0.1",
    "board gm_x --url http://127.0.0.1:99999",
    "board gm_x --token two\nlines",
    "board gm_x --token é",
    "board gm_x --svg /no/such/folder/board.svg --colour red",
    "log gm_x --lang xx",
    "analyse gm_x --level random",
    "play plute --option win_at",
    "check /no/such/file.txt",
    "verify",
    "verify --all game.jsonl",
    "verify --all --mine 0=seed",
    f"verify --all --witness {'ab' * 32}",
    "admin abort gm_x",
]


@pytest.mark.parametrize("line", USAGE)
def test_wrong_usage_is_explained(line: str) -> None:
    run = plateau(*line.split(" "))
    assert (run.exit_code, run.stdout) == (ExitCode.USAGE, "")
    assert run.stderr.startswith("Usage: ")


def test_a_port_that_is_none_is_wrong_usage() -> None:
    assert plateau("board", "gm_x", PLATEAU_PORT="eight").exit_code == ExitCode.USAGE


ASKING = {
    "board": [],
    "log": [],
    "export": [],
    "rerun": [],
    "analyse": [],
    "luck": [],
    "play": [],
    "admin abort": ["--reason", "x"],
}
"""The commands that ask a service about a game, and what else each needs."""
SAID = {"play": "Plateau in a terminal. /help lists the commands.\n"}
"""What a command says before it asks."""


@pytest.mark.parametrize("name", ASKING)
def test_a_service_out_of_reach_is_named_with_the_way_out(name: str) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    run = plateau(*name.split(), "gm_x", *ASKING[name], "--url", url)
    assert (run.exit_code, run.stdout) == (ExitCode.UNREACHABLE, SAID.get(name, ""))
    assert run.stderr == f"plateau: no service answers at {url} (Connection refused); start one with: plateau serve\n"


@pytest.mark.parametrize("name", [name for name in ASKING if name != "admin abort"])
def test_a_refusal_is_told_in_the_words_of_the_service(service: RunningService, name: str) -> None:
    run = plateau(*name.split(), "gm_none", *ASKING[name], "--url", service.url)
    assert (run.exit_code, run.stdout) == (ExitCode.REFUSED, SAID.get(name, ""))
    assert run.stderr.startswith("plateau: ")
    assert run.stderr.endswith("(404, no-such-game)\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["entries", "gm_x"], ExitCode.UNREACHABLE),
        (["shards"], ExitCode.UNREACHABLE),
        (["archive", "status"], ExitCode.UNREACHABLE),
        (["keys", "list"], ExitCode.UNREACHABLE),
        (["admin", "token", "pl_x"], ExitCode.UNREACHABLE),
        (["import", __file__], ExitCode.UNREACHABLE),
        (["backup", "FOLDER"], ExitCode.UNREACHABLE),
        (["doctor"], ExitCode.UNREACHABLE),
        (["verify", "--all"], ExitCode.UNREADABLE),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_a_store_that_is_not_there_is_named_in_one_line(words: Sequence[str], code: ExitCode, tmp_path: Path) -> None:
    given = [str(tmp_path / "backups") if word == "FOLDER" else word for word in words]
    run = plateau(*given, PLATEAU_DATA=tmp_path)
    assert (run.exit_code, run.stdout) == (code, "")
    assert run.stderr.startswith("plateau: ")
    assert run.stderr.count("\n") == 1
