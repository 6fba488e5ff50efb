"""The command ``plateau verify``: check bundles of games without a server, and name the first thing that is wrong."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click

from domain.audit.bundle import Unreadable, read
from domain.audit.signed import Trust
from domain.audit.verifying import NOTHING, Known, verify
from service.cli.many import each, with_bar
from service.cli.trusting import trust_of, trusting
from service.cli.verdicts import UNREADABLE, WRONG, Verdict, show, verdict_of
from service.cli.workers import fail


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
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE…")
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
@trusting
@click.option("--all", "whole_store", is_flag=True, help="Verify all games in the store of the service on this host.")
def verify_files(
    files: tuple[Path, ...],
    mine: tuple[tuple[int, str], ...],
    seen: tuple[tuple[int, str], ...],
    joined_after: tuple[tuple[int, str], ...],
    opened_after: tuple[tuple[int, str], ...],
    *,
    whole_store: bool,
    **trusted: Any,
) -> None:
    """Verify games without a server.

    FILE is an export in the format `bundle`; of a folder, all files *.jsonl are taken. Checked are the chain, the
    seals, the secret, every draw, and that each event follows from those before it by the rules. For each file, one
    line names the first thing that is wrong: the version, the field, what was expected and what was found. What you
    know of a game (--mine, --seen, --joined-after, --opened-after) goes with one FILE.

    Signatures are checked with the keys that you trust (--keys). Without them, the keys in the file are used, which are
    its own claim, and a line says so.

    With --all instead of FILE, all games in the store of a running service are verified, also those that go on, and
    compared with the log of heads. It reads the store itself, at REDIS_URL or in the data folder (PLATEAU_DATA).

    Exit codes: 0 verified, 1 something is wrong, 2 a file or the store cannot be read, or wrong usage, 3 verified as
    far as it goes: something could not be checked, and a line says what. Of several files, 1 comes before 2, and 2
    before 3.
    """
    if joined_after and not mine:
        raise click.UsageError("--joined-after needs --mine, which says whose join is meant")
    known, trust = (
        Known(seeds=mine, seen=seen, joined_after=joined_after, opened_after=opened_after),
        trust_of(**trusted),
    )
    if whole_store and (files or known != NOTHING or any(trusted.values())):
        raise click.UsageError("--all takes no files and no other options")
    if not whole_store and not files:
        raise click.UsageError("Missing argument 'FILE…'.")
    if whole_store:
        from service.cli.verify_store import audited  # noqa: PLC0415 - files are verified without a store

        show(audited())
    paths = bundles_in(files)
    if len(paths) > 1 and known != NOTHING:
        raise click.UsageError(
            "--mine, --seen, --joined-after and --opened-after are about one game: name its file alone"
        )
    show(_in_files(paths, known, trust))


def _in_files(paths: Sequence[Path], known: Known, trust: Trust) -> Iterable[Verdict]:
    judge: Callable[[Path], Verdict] = partial(_judged, known=known, trust=trust)
    return with_bar(each(judge, paths, len(paths)), len(paths), "Verifying")


def bundles_in(files: Sequence[Path]) -> Sequence[Path]:
    """Return files, and those *.jsonl in folders; end the command if there are none."""
    paths = [*chain.from_iterable(sorted(path.glob("*.jsonl")) if path.is_dir() else [path] for path in files)]
    if not paths:
        fail(UNREADABLE, "there is no file *.jsonl in this folder")
    return paths


def _judged(path: Path, known: Known, trust: Trust) -> Verdict:
    """Verify a file; of a file that is verified, one line says so, and one names each thing that was not checked."""
    try:
        report = verify(read(path.read_bytes()), known, trust)
    except (OSError, Unreadable) as error:
        return Verdict(UNREADABLE, (f"{path}: unreadable: {error}",))
    except Exception as error:  # noqa: BLE001 - rulesets from outside can raise anything, and other files go on
        return Verdict(WRONG, (f"{path}: WRONG: the rules cannot read it: {type(error).__name__}: {error}",))
    return verdict_of(f"{path}: {report.game_id}", report)
