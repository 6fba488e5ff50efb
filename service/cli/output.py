"""The one way out to a terminal, for every command: nothing that a service or a file sent can act on it.

A name, a sentence or a whole drawing can hold escape codes, which would move the cursor, hide text or type for the
user. So lines are cleaned here, and files are written as they are only where no terminal reads them.
"""

import sys
from typing import BinaryIO, NoReturn

import click

from service.cli.exit_codes import ExitCode

_SPACES = str.maketrans({"\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "\n": " "})


def clean(text: object) -> str:
    """Leave out whatever acts on a terminal, so that the text is one line."""
    return "".join(sign for sign in str(text).translate(_SPACES) if sign.isprintable())


def say(line: object, *, err: bool = False) -> None:
    """Write one line to standard output or standard error; a line feed in it becomes a space."""
    click.echo(clean(line), err=err)  # noqa: TID251 - here it is


def say_lines(text: str, *, err: bool = False) -> None:
    """Write a text of several lines, which this program has put together."""
    for line in text.removesuffix("\n").split("\n"):
        say(line, err=err)


def save(content: bytes, file: BinaryIO) -> None:
    """Write a file as it is; clean its lines if a terminal shows it."""
    if file.isatty():
        say_lines(content.decode(errors="replace"))
    else:
        file.write(content)


def fail(code: ExitCode, message: str) -> NoReturn:
    say_lines(f"plateau: {message}", err=True)
    sys.exit(code)
