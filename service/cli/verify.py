"""The command ``plateau verify``: check games without a server, in files or a store, and name what is wrong."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

import click

from domain.audit import tournaments
from domain.audit.bundle import Unreadable, read
from domain.audit.faults import Wrong
from domain.audit.signed import Trust
from domain.audit.verifying import NOTHING, Known, Report, verify
from service.cli.exit_codes import ExitCode
from service.cli.many import each, with_bar
from service.cli.output import Command, fail, say
from service.cli.store import games_here
from service.cli.trusting import trust_of, trusting
from service.games.store_audit import StoreAudit
from service.store.event_store import StoreUnavailable

_WORST_FIRST = (ExitCode.WRONG, ExitCode.UNREADABLE, ExitCode.INCOMPLETE, ExitCode.DONE)


@dataclass(frozen=True, slots=True)
class Verdict:
    code: ExitCode
    lines: tuple[str, ...]
    events: int = 0


def verdict_of(name: str, report: Report) -> Verdict:
    """Put a report into lines: the fault, or else one that the game verifies, one for each warning and each note."""
    if report.fault is not None:
        return Verdict(ExitCode.WRONG, (f"{name}: WRONG: {report.fault}",))
    said = [f"{name}: verified, {report.version} events"]
    said += [f"{name}: warning: {each}" for each in report.unchecked]
    said += [f"{name}: note: {each}" for each in report.notes]
    return Verdict(ExitCode.INCOMPLETE if report.unchecked else ExitCode.DONE, tuple(said), report.version)


class _Pair(click.ParamType[tuple[int, str]]):
    def __init__(self, name: str, sign: str) -> None:
        self.name = name
        self._sign = sign

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, str]:
        number, sign, text = value.partition(self._sign)
        if not sign or not number.isdecimal() or not text:
            self.fail(f"{value!r} is not {self.name}", param, ctx)
        return int(number), text


@click.command("verify", cls=Command)
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

    FILE is an export in the format `bundle`; a folder means all its files *.jsonl. The command checks the chain, the
    seals, the secret, every draw, and that each event follows from those before it by the rules. For each file, one
    line reports the first fault: the version, the field, the expected and the found value. The options --mine, --seen,
    --joined-after and --opened-after take a single FILE.

    Signatures are checked with the keys that you trust (--keys). Without them, the keys in the file are used, which
    are its own claim, and a line says so.

    FILE can also hold the logs of a tournament and its deal sets, one page a line. Then the command draws the tables of
    each round again, and computes the points and the standings again.

    With --all instead of FILE, the command verifies all games in the store of a running service, finished or not, and
    compares them with the log of heads. It reads the store at REDIS_URL or in the data folder (PLATEAU_DATA).
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
        _show(_in_store())
    paths = bundles_in(files)
    if len(paths) > 1 and known != NOTHING:
        raise click.UsageError(
            "--mine, --seen, --joined-after and --opened-after are about one game: name its file alone"
        )
    _show(_in_files(paths, known, trust))


def _of_tournament(name: str, logs: tournaments.Logs) -> Verdict:
    try:
        checked = tournaments.check(logs)
    except Wrong as wrong:
        return Verdict(ExitCode.WRONG, (f"{name}: WRONG: {wrong.fault}",))
    warnings = (f"{name}: warning: {each}" for each in checked.unchecked)
    said = (f"{name}: verified, {checked.events} events", *warnings)
    return Verdict(ExitCode.INCOMPLETE if checked.unchecked else ExitCode.DONE, said, checked.events)


def _in_files(paths: Sequence[Path], known: Known, trust: Trust) -> Iterable[Verdict]:
    judge: Callable[[Path], Verdict] = partial(_of_file, known=known, trust=trust)
    return with_bar(each(judge, paths, len(paths)), len(paths), "Verifying")


def bundles_in(files: Sequence[Path]) -> Sequence[Path]:
    """Return files, and those *.jsonl in folders; end the command if there are none."""
    paths = [*chain.from_iterable(sorted(path.glob("*.jsonl")) if path.is_dir() else [path] for path in files)]
    if not paths:
        fail(ExitCode.UNREADABLE, "there is no file *.jsonl in this folder")
    return paths


def _of_file(path: Path, known: Known, trust: Trust) -> Verdict:
    """Verify a file; of a file that is verified, one line says so, and one names each thing that was not checked."""
    try:
        content = path.read_bytes()
        if (logs := tournaments.read(content)) is not None:
            return _of_tournament(str(path), logs)
        report = verify(read(content), known, trust)
    except (OSError, Unreadable) as error:
        return Verdict(ExitCode.UNREADABLE, (f"{path}: unreadable: {error}",))
    except Exception as error:  # noqa: BLE001 - rulesets from outside can raise anything, and other files continue
        return Verdict(ExitCode.WRONG, (f"{path}: WRONG: the rules cannot read it: {type(error).__name__}: {error}",))
    return verdict_of(f"{path}: {report.game_id}", report)


def _in_store() -> Iterator[Verdict]:
    """Verify all games, and return what is to be said: nothing of those that verify, but in the end how many did."""
    games, events = Counter[ExitCode](), 0
    try:
        store = games_here()
        count = store.count_games()
        for verdict in with_bar(each(_of_game, store.game_ids(), count, forget_store), count, "Verifying"):
            games[verdict.code] += 1
            events += verdict.events
            yield replace(verdict, lines=()) if verdict.code == ExitCode.DONE else verdict
    except StoreUnavailable as error:
        fail(ExitCode.UNREADABLE, f"the store of the service cannot be reached: {error}")
    whole, partly, wrong = (games[code] for code in (ExitCode.DONE, ExitCode.INCOMPLETE, ExitCode.WRONG))
    said = f"{whole} games verified, {partly} as far as they go, {wrong} wrong"
    yield Verdict(ExitCode.DONE, (f"{said}; {events} events",))


def _of_game(game_id: str) -> Verdict:
    try:
        return verdict_of(game_id, _audit().check(game_id))
    except StoreUnavailable:
        raise
    except Exception as error:  # noqa: BLE001 - rulesets from outside can raise anything, and other games continue
        return Verdict(
            ExitCode.WRONG, (f"{game_id}: WRONG: the rules cannot read it: {type(error).__name__}: {error}",)
        )


@cache
def _audit() -> StoreAudit:
    return StoreAudit(games_here())


def forget_store() -> None:
    games_here.cache_clear()
    _audit.cache_clear()


def _show(verdicts: Iterable[Verdict]) -> None:
    codes = set()
    for verdict in verdicts:
        codes.add(verdict.code)
        for line in verdict.lines:
            say(line, err=verdict.code in {ExitCode.WRONG, ExitCode.UNREADABLE})
    sys.exit(next(code for code in _WORST_FIRST if code in codes))
