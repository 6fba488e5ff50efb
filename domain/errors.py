"""Why the rules reject something: an illegal action, options that contradict each other, or a world not found."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.sentences.catalogue import ORIGINAL, SHARED, catalogue
from domain.sentences.message import Message, Parameter


class IllegalAction(ValueError):
    """The rules forbid it: a stable kebab-case code, what is wrong, the section of the rules.

    What is wrong is a message with words in the catalogues of ``package``, or else a text for every language.
    """

    def __init__(self, code: str, said: Message | str, rule: str, package: str = SHARED) -> None:
        super().__init__(code)
        self.code = code
        self.said = said
        self.rule = rule
        self._package = package

    @property
    def message(self) -> str:
        """Return what is wrong in the original language."""
        return self.in_words(ORIGINAL)

    def in_words(self, language: str) -> str:
        """Return what is wrong in a language."""
        return self.said if isinstance(self.said, str) else catalogue(self._package, language).phrase(self.said)

    def __str__(self) -> str:
        return self.message


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
    message: str


class InvalidOptions(ValueError):
    """Options that the rules do not allow; lists every problem."""

    def __init__(self, problems: Sequence[OptionProblem]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)
