"""Why the rules reject something: an illegal action, options that contradict each other, or a world not found."""

from collections.abc import Sequence
from dataclasses import dataclass


class IllegalAction(ValueError):
    """The rules forbid it: a stable kebab-case code, a message that names what is wrong, the section of the rules."""

    def __init__(self, code: str, message: str, rule: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rule = rule


class NoWorldFound(Exception):
    """None of the worlds drawn at random agrees with a view; another draw can find one."""


@dataclass(frozen=True, slots=True)
class OptionProblem:
    """One option that is rejected: its name, a stable code, and why."""

    option: str
    code: str
    message: str


class InvalidOptions(ValueError):
    """Options that the rules do not allow; lists every problem."""

    def __init__(self, problems: Sequence[OptionProblem]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)
