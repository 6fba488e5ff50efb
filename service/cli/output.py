"""The one way out to a terminal, for every command: nothing that a service or a file sent can act on it.

A name, a sentence or a whole drawing can hold escape codes, which would move the cursor, hide text or type for the
user. So lines are cleaned here, and files are written as they are only where no terminal reads them.
"""

import sys
from typing import Any, BinaryIO, NoReturn

import click

from service.cli.exit_codes import MEANINGS, ExitCode

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


class Command(click.Command):
    """A command whose help ends with its exit codes; settings or a store that cannot be used end it with a line."""

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out the command."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            from service.config.setting_fields import InvalidSettings  # noqa: PLC0415 - loaded only where a command fails
            from service.store.redis.availability import StoreUnavailable  # noqa: PLC0415

            if isinstance(error, InvalidSettings):
                fail(ExitCode.CONFIGURATION, str(error))
            if isinstance(error, StoreUnavailable):
                fail(ExitCode.UNREACHABLE, f"the store of the service cannot be reached: {error}")
            raise

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in MEANINGS[self.name or ""].items()])


class Group(Command, click.Group):
    """A group of commands whose help ends with their exit codes."""
