"""The processor time of the programs that a benchmark runs, which other load on the machine hardly changes."""

import os
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

_PROC = Path("/proc")
_PER_SECOND = os.sysconf("SC_CLK_TCK")


def seconds_of_children() -> float | None:
    """Return the processor time of all running descendants of this process; None without /proc."""
    return sum(seconds_by_program().values()) if (_PROC / "self/stat").exists() else None


def seconds_by_program() -> Mapping[str, float]:
    """Return the processor time of the running descendants of this process, by the name of their program."""
    of_parent: dict[int, list[tuple[int, str, float]]] = {}
    for folder in _PROC.iterdir():
        if folder.name.isdigit():
            _note(of_parent, folder)
    total, rest = defaultdict[str, float](float), [os.getpid()]
    while rest:
        children = of_parent.get(rest.pop(), [])
        for child, program, seconds in children:
            total[program] += seconds
            rest.append(child)
    return total


def _note(of_parent: dict[int, list[tuple[int, str, float]]], folder: Path) -> None:
    try:
        head, _, rest = (folder / "stat").read_text().rpartition(")")
    except OSError:
        return  # the process has just ended
    fields = rest.split()
    seconds = (int(fields[11]) + int(fields[12])) / _PER_SECOND
    of_parent.setdefault(int(fields[1]), []).append((int(folder.name), head.partition("(")[2], seconds))
