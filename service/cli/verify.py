"""The command ``plateau verify``: check bundles of games without a server, and name the first thing that is wrong."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TypeVar

import click

from domain.audit.bundle import Unreadable, read
from domain.audit.verifying import NOTHING, Known, verify
from service.cli.cleaning import clean

T = TypeVar("T")

_VERIFIED, _WRONG, _UNREADABLE, _INCOMPLETE = 0, 1, 2, 3
_WORST_FIRST = (_WRONG, _UNREADABLE, _INCOMPLETE, _VERIFIED)
_MANY = 8
"""From so many files on, they are shared among processes, and a bar shows how many are done."""


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What to print for a file, and its exit code."""

    code: int
    lines: tuple[str, ...]


class _Pair(click.ParamType[tuple[int, str]]):
    """A number and a text, with a sign between them."""

    def __init__(self, name: str, sign: str) -> None:
        self.name = name
        self._sign = sign

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, str]:
        """Take a text apart at the sign."""
        number, sign, text = value.partition(self._sign)
        if not sign or not number.isdecimal() or not text:
            self.fail(f"{value!r} is not {self.name}", param, ctx)
        return int(number), text


@click.command("verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option(
    "--mine", multiple=True, type=_Pair("SEAT=SEED", "="), help="The seed that you brought to a seat, counted from 0."
)
@click.option("--seen", multiple=True, type=_Pair("VERSION:HASH", ":"), help="A head that you saw during the game.")
@click.option(
    "--joined-after",
    multiple=True,
    type=_Pair("VERSION:HASH", ":"),
    help="A head that you saw before you joined; needs --mine.",
)
@click.option(
    "--opened-after",
    multiple=True,
    type=_Pair("VERSION:HASH", ":"),
    help="A head that you saw before you opened a seed.",
)
def verify_files(
    files: tuple[Path, ...],
    mine: tuple[tuple[int, str], ...],
    seen: tuple[tuple[int, str], ...],
    joined_after: tuple[tuple[int, str], ...],
    opened_after: tuple[tuple[int, str], ...],
) -> None:
    """Verify games without a server.

    FILE is an export in the format `bundle`; of a folder, all files *.jsonl are taken. Checked are the chain, the
    seals, the secret, every draw, and that each event follows from those before it by the rules. For each file, one
    line names the first thing that is wrong: the version, the field, what was expected and what was found. What you
    know of a game (--mine, --seen, --joined-after, --opened-after) goes with one FILE.

    Exit codes: 0 verified, 1 something is wrong, 2 a file cannot be read or wrong usage, 3 verified as far as it goes:
    something could not be checked, and a line says what. Of several files, 1 comes before 2, and 2 before 3.
    """
    if joined_after and not mine:
        raise click.UsageError("--joined-after needs --mine, which says whose join is meant")
    known = Known(seeds=mine, seen=seen, joined_after=joined_after, opened_after=opened_after)
    paths = [*chain.from_iterable(sorted(path.glob("*.jsonl")) if path.is_dir() else [path] for path in files)]
    if not paths:
        click.echo("plateau: there is no file *.jsonl in this folder", err=True)
        sys.exit(_UNREADABLE)
    if len(paths) > 1 and known != NOTHING:
        raise click.UsageError(
            "--mine, --seen, --joined-after and --opened-after are about one game: name its file alone"
        )
    codes = set()
    for verdict in _shown(_each(partial(_judged, known=known), paths), len(paths)):
        codes.add(verdict.code)
        for line in verdict.lines:
            click.echo(clean(line), err=verdict.code in {_WRONG, _UNREADABLE})
    sys.exit(next(code for code in _WORST_FIRST if code in codes))


def _judged(path: Path, known: Known) -> _Verdict:
    """Verify a file; of a file that is verified, one line says so, and one names each thing that was not checked."""
    try:
        report = verify(read(path.read_bytes()), known)
    except (OSError, Unreadable) as error:
        return _Verdict(_UNREADABLE, (f"{path}: unreadable: {error}",))
    except Exception as error:  # noqa: BLE001 - rulesets from outside can raise anything, and other files go on
        return _Verdict(_WRONG, (f"{path}: WRONG: the rules cannot read it: {type(error).__name__}: {error}",))
    name = f"{path}: {report.game_id}"
    if report.fault is not None:
        return _Verdict(_WRONG, (f"{name}: WRONG: {report.fault}",))
    lines = (f"{name}: verified, {report.version} events", *(f"{name}: warning: {each}" for each in report.unchecked))
    return _Verdict(_INCOMPLETE if report.unchecked else _VERIFIED, lines)


def _each(judge: Callable[[Path], T], paths: Sequence[Path]) -> Iterator[T]:
    """Judge files in order, many of them in several processes."""
    if len(paths) < _MANY:
        yield from map(judge, paths)
        return
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(paths))) as processes:
        yield from processes.map(judge, paths, chunksize=max(1, min(32, len(paths) // 64)))


def _shown(verdicts: Iterable[T], count: int) -> Iterable[T]:
    """Show on a terminal how many of many files are done."""
    if count < _MANY or not sys.stderr.isatty():
        yield from verdicts
        return
    with click.progressbar(verdicts, length=count, label="Verifying", file=sys.stderr) as bar:
        yield from bar
