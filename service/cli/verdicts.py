"""What a command that verifies says of each game, and how it ends."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass

from domain.audit.verifying import Report
from service.cli.output import say

VERIFIED, WRONG, UNREADABLE, INCOMPLETE = 0, 1, 2, 3
"""The exit codes."""
_WORST_FIRST = (WRONG, UNREADABLE, INCOMPLETE, VERIFIED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to print for a game, its exit code, and how many events it has."""

    code: int
    lines: tuple[str, ...]
    events: int = 0


def verdict_of(name: str, report: Report) -> Verdict:
    """Put a report into lines: the fault, or else one that the game verifies, one for each warning and each note."""
    if report.fault is not None:
        return Verdict(WRONG, (f"{name}: WRONG: {report.fault}",))
    said = [f"{name}: verified, {report.version} events"]
    said += [f"{name}: warning: {each}" for each in report.unchecked]
    said += [f"{name}: note: {each}" for each in report.notes]
    return Verdict(INCOMPLETE if report.unchecked else VERIFIED, tuple(said), report.version)


def show(verdicts: Iterable[Verdict]) -> None:
    """Print what was found, and exit with the worst code."""
    codes = set()
    for verdict in verdicts:
        codes.add(verdict.code)
        for line in verdict.lines:
            say(line, err=verdict.code in {WRONG, UNREADABLE})
    sys.exit(next(code for code in _WORST_FIRST if code in codes))
