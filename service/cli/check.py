"""The command ``plateau check``: reads a game as text, checks it against the rules, and points at what is wrong.

Exit codes: 0 all is right, 1 something is wrong with the text, 2 the file cannot be read.
"""

import sys
from typing import BinaryIO, NoReturn

import click

from domain.notation import document
from domain.notation.document import Reading
from domain.notation.lexer import NotationError
from domain.table import Outcome

_WRONG = 1
_SHOWN = 48
"""How many characters of a line are shown on either side of a fault."""


@click.command()
@click.argument("file", type=click.File("rb"))
def check(file: BinaryIO) -> None:
    """Check a game written as text against the rules.

    FILE may be - for standard input. Tells what came of each hand and of the game, or the line and column of the first
    thing that is wrong.
    """
    name = getattr(file, "name", "<stdin>")
    text = _decoded(name, file.read())
    try:
        reading = document.read(text, click.echo)
    except NotationError as error:
        _fail(name, text, error)
    for line in _summary(reading):
        click.echo(line)


def _decoded(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        _fail(name, before, NotationError(line, column, "this is not UTF-8 text"))


def _fail(name: str, text: str, error: NotationError) -> NoReturn:
    """Say what is wrong as compilers do, show the place, and give up."""
    click.echo(f"{name}:{error}", err=True)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for shown in _excerpt(lines[error.line - 1].replace("\t", " "), error.column - 1):
        click.echo(shown, err=True)
    sys.exit(_WRONG)


def _excerpt(line: str, place: int) -> tuple[str, str]:
    """Give the part of a line around a place, and a caret under it."""
    start = max(0, place - _SHOWN)
    before = "..." if start else ""
    after = "..." if place + _SHOWN < len(line) else ""
    return before + line[start : place + _SHOWN] + after, " " * (len(before) + place - start) + "^"


def _won(outcome: Outcome) -> str:
    if len(outcome.winners) in (0, len(outcome.scores)):
        return "nobody won alone"
    return " and ".join(f"seat {seat}" for seat in outcome.winners) + " won"


def _summary(reading: Reading) -> list[str]:
    """Tell what has been checked, and how the game stands."""
    header, outcome = reading.header, reading.outcome
    lines = [f"{header.ruleset.name}, {header.seats} seats: everything is as the rules have it."]
    if header.chance is not None and reading.has_draws:
        lines.append("The deals are those that the secret and the seeds give.")
    if outcome is not None:
        scores = " ".join(map(str, outcome.scores))
        lines.append(f"The game is over ({outcome.reason}): {_won(outcome)}; scores by seat: {scores}.")
    elif reading.to_act:
        lines.append(f"The game goes on: to act: {', '.join(f'seat {seat}' for seat in reading.to_act)}.")
    else:
        lines.append("The game goes on with the next deal.")
    return lines
