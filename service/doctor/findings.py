"""What the doctor finds."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["wrong", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, or could become so: which ``check`` found it, what it is, and what to do."""

    level: Level
    check: str
    problem: str
    remedy: str


def wrong(check: str, problem: str, remedy: str) -> Finding:
    return Finding("wrong", check, problem, remedy)


def warning(check: str, problem: str, remedy: str) -> Finding:
    return Finding("warning", check, problem, remedy)
