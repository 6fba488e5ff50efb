"""Why the rules reject something: an illegal action, options that contradict each other, or a world not found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from domain.sentences.catalogue import ORIGINAL, SHARED, catalogue
from domain.sentences.message import Message, Parameter

Reason: TypeAlias = Message | str
"""What is wrong: a message with words in the catalogues of a package, or else a text for every language."""


class Rejected(Exception):
    """Something is rejected: a stable kebab-case code, and what is wrong."""

    def __init__(self, code: str, said: Reason, package: str = SHARED) -> None:
        super().__init__(code)
        self.code = code
        self.said = said
        self._package = package

    @property
    def message(self) -> str:
        """Return what is wrong in the original language."""
        return self.in_words(ORIGINAL)

    def in_words(self, language: str) -> str:
        """Return what is wrong in a language."""
        return worded(self.said, self._package, language)

    def __str__(self) -> str:
        return self.message


class IllegalAction(Rejected, ValueError):
    """The rules forbid it; ``rule`` is the section of the rules."""

    def __init__(self, code: str, said: Reason, rule: str, package: str = SHARED) -> None:
        super().__init__(code, said, package)
        self.rule = rule


class WrongMoment(Rejected):
    """A valid request at the wrong moment; what is wrong includes what to do instead."""


def wrong_moment(message_id: str, package: str = SHARED, /, **parameters: Parameter) -> WrongMoment:
    """Return a refusal in the words of ``moment.<message_id>``; the code is the part of the id before a dot."""
    code = message_id.partition(".")[0]
    return WrongMoment(code, Message(f"moment.{message_id}", parameters), package)


def worded(said: Reason, package: str, language: str = ORIGINAL) -> str:
    """Put into words what is wrong, as a phrase."""
    return said if isinstance(said, str) else catalogue(package, language).phrase(said)


@dataclass(frozen=True, slots=True)
class Refusals:
    """Makes the refusals of a package, which has their words under ``refused.<code>``.

    Where one code has several texts, the rest of their ids follows after a dot.
    """

    package: str

    def __call__(self, message_id: str, rule: str, /, **parameters: Parameter) -> IllegalAction:
        """Return a refusal, to be raised."""
        code = message_id.partition(".")[0]
        return IllegalAction(code, Message(f"refused.{message_id}", parameters), rule, self.package)


class NoWorldFound(Exception):
    """None of the worlds drawn at random agrees with a view; another draw can find one."""


@dataclass(frozen=True, slots=True)
class OptionProblem:
    """One option that is rejected: its name, a stable code, and why."""

    option: str
    code: str
    said: Reason
    package: str = SHARED

    @property
    def message(self) -> str:
        """Return what is wrong in the original language."""
        return self.in_words(ORIGINAL)

    def in_words(self, language: str) -> str:
        """Return what is wrong in a language."""
        return worded(self.said, self.package, language)


class InvalidOptions(ValueError):
    """Options that the rules do not allow; lists every problem."""

    def __init__(self, problems: Sequence[OptionProblem]) -> None:
        super().__init__()
        self.problems = tuple(problems)

    def in_words(self, language: str) -> str:
        """Return everything that is wrong in a language."""
        return "; ".join(problem.in_words(language) for problem in self.problems)

    def __str__(self) -> str:
        return self.in_words(ORIGINAL)
