"""The processor time of the programs that a benchmark runs, which other load on the machine hardly changes."""

import os
from pathlib import Path

_PROC = Path("/proc")
_PER_SECOND = os.sysconf("SC_CLK_TCK")


def seconds_of_children() -> float | None:
    """Return the processor time of all processes below this one that are running; None where there is no /proc."""
    if not (_PROC / "self/stat").exists():
        return None
    of_parent: dict[int, list[tuple[int, float]]] = {}
    for folder in _PROC.iterdir():
        if folder.name.isdigit():
            _note(of_parent, folder)
    total, rest = 0.0, [os.getpid()]
    while rest:
        children = of_parent.get(rest.pop(), [])
        total += sum(seconds for _, seconds in children)
        rest += [child for child, _ in children]
    return total


def _note(of_parent: dict[int, list[tuple[int, float]]], folder: Path) -> None:
    try:
        fields = (folder / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return  # it has just ended
    seconds = (int(fields[11]) + int(fields[12])) / _PER_SECOND
    of_parent.setdefault(int(fields[1]), []).append((int(folder.name), seconds))
