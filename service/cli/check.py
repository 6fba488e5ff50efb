"""The command ``plateau check``: read a game as text, check it against the rules, and point at the first error."""

import sys
from typing import BinaryIO, NoReturn

import click

from domain.notation.lexer import NotationError
from domain.table import Outcome
from domain.texts import document
from domain.texts.document import Reading
from service.cli.exit_codes import ExitCode
from service.cli.output import Command, clean, say

_SHOWN = 48
"""How many characters of a line to show on either side of an error."""


@click.command(cls=Command)
@click.argument("file", type=click.File("rb"))
def check(file: BinaryIO) -> None:
    """Check a game written as text against the rules.

    FILE can be - for standard input. Prints the result of each hand and of the game, or the line and column of the
    first error.
    """
    name = getattr(file, "name", "<stdin>")
    text = _decoded(name, file.read())
    try:
        reading = document.read(text, say)
    except NotationError as error:
        _fail(name, text, error)
    for line in _summary(reading):
        say(line)


def _decoded(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        _fail(name, before, NotationError(line, column, "this is not UTF-8 text"))


def _fail(name: str, text: str, error: NotationError) -> NoReturn:
    """Print an error as compilers do, show its place, and exit."""
    say(f"{name}:{error}", err=True)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for shown in _excerpt(lines[error.line - 1].replace("\t", " "), error.column - 1):
        say(shown, err=True)
    sys.exit(ExitCode.WRONG)


def _excerpt(line: str, place: int) -> tuple[str, str]:
    start = max(0, place - _SHOWN)
    before = "..." if start else ""
    after = "..." if place + _SHOWN < len(line) else ""
    return before + line[start : place + _SHOWN] + after, " " * (len(before) + place - start) + "^"


def _won(outcome: Outcome) -> str:
    if len(outcome.winners) in (0, len(outcome.scores)):
        return "there is no single winner"
    return " and ".join(f"seat {seat}" for seat in outcome.winners) + " won"


def _summary(reading: Reading) -> list[str]:
    header, outcome = reading.header, reading.outcome
    lines = [f"{header.ruleset.name}, {header.seats} seats: everything follows the rules."]
    if header.draws is not None and reading.has_draws:
        lines.append(f"The deals {'since the fork ' if header.fork else ''}match the secret and the seeds.")
    if outcome is not None:
        scores = " ".join(map(str, outcome.scores))
        lines.append(f"The game is over ({outcome.reason}): {_won(outcome)}; scores by seat: {scores}.")
    elif reading.aborted:
        note = f": {clean(reading.note)}" if reading.note else ""
        lines.append(f"The game was aborted ({reading.aborted}{note}).")
    elif reading.to_act:
        lines.append(f"The game is not over; to act: {', '.join(f'seat {seat}' for seat in reading.to_act)}.")
    else:
        lines.append("The game is not over; the next deal follows.")
    return lines
