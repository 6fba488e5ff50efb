"""The options of a ruleset: the possible values of each for a number of players, and how they depend on others."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Generic, TypeAlias, TypeVar

from domain.errors import InvalidOptions, OptionProblem, Reason
from domain.sentences.catalogue import SHARED, catalogue
from domain.sentences.message import Message, Number, Parameter, Text, message
from domain.serialization import Plain, from_plain
from domain.wellformed import check_options

OptionsT = TypeVar("OptionsT")
Chosen: TypeAlias = Mapping[str, Plain]
"""Options by name, as plain data."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The possible values of an option for a number of players.

    ``values`` lists all of them, or is None if they are too many to list. ``needs`` holds, for a value that requires
    it, the values that other options must have. ``comes_with`` holds, for a value that requires it, the options that
    must be given with it and have too many values to list. ``note`` says what all this depends on, in the words
    of the ruleset's package; a rejection quotes it and carries the ``code``.
    """

    values: tuple[Plain, ...] | None
    default: Plain
    note: Reason = ""
    code: str = "no-such-value"
    needs: Mapping[Plain, Mapping[str, tuple[Plain, ...]]] = field(default_factory=dict)
    comes_with: Mapping[Plain, tuple[str, ...]] = field(default_factory=dict)


def first_dealer(seats: int) -> Choice:
    """Return the choice of who deals first."""
    note = message("note.first_dealer", last=Number(seats - 1))
    return Choice((None, *range(seats)), None, note, "no-such-seat")


@dataclass(frozen=True, slots=True)
class OptionRules(Generic[OptionsT]):
    """The options of a ruleset, and how those that a creator gives are completed and checked.

    ``shape`` is the frozen dataclass that holds them all. ``choices`` lists the possible values of each for a number of
    seats, in the order of the dataclass: clients see this list, and rejections follow it. ``consequences`` returns the
    omitted options that the given ones change from their defaults. ``problems`` finds what choices cannot express.
    ``package`` has the words of the notes.
    """

    shape: type[OptionsT]
    seats: range
    choices: Callable[[int], Mapping[str, Choice]]
    consequences: Callable[[Chosen, Chosen, int], Chosen] = lambda _asked, _chosen, _seats: {}
    problems: Callable[[Chosen, int], Iterable[OptionProblem]] = lambda _chosen, _seats: ()
    package: str = SHARED

    def complete(self, given: Chosen, seats: int) -> OptionsT:
        """Complete the given options with the defaults for a number of seats; raise ``InvalidOptions``."""
        check_options(self.shape, given, self.seats, seats)
        choices = self.choices(seats)
        asked = {name: value for name, value in given.items() if value is not None}
        chosen = {name: choice.default for name, choice in choices.items()} | asked
        chosen |= self.consequences(asked, chosen, seats)
        problems = [*self._rejected(choices, chosen, seats), *self.problems(chosen, seats)]
        if problems:
            raise InvalidOptions(problems)
        return from_plain(self.shape, chosen)

    def note(self, choice: Choice, language: str) -> str:
        """Return what a choice depends on in a language, as a sentence."""
        said = choice.note
        return said if isinstance(said, str) else catalogue(self.package, language).sentence(said)

    def _rejected(self, choices: Mapping[str, Choice], chosen: Chosen, seats: int) -> Iterable[OptionProblem]:
        for name, choice in choices.items():
            objection = _objection(choice, chosen[name], chosen)
            if objection:
                reason = choice.note or json.dumps(choice.values, ensure_ascii=False)
                said = message(
                    "fault.choice",
                    option=Text(name),
                    value=as_given(chosen[name]),
                    objection=objection,
                    seats=Number(seats),
                    reason=Text(reason) if isinstance(reason, str) else reason,
                )
                yield OptionProblem(name, choice.code, said, self.package)


def as_given(value: object) -> Text:
    """Write a value as JSON does."""
    return Text(json.dumps(value, ensure_ascii=False)[:80])


def _objection(choice: Choice, value: Plain, chosen: Chosen) -> Message | None:
    if choice.values is None:
        return None
    if value not in choice.values:
        return message("fault.impossible")
    for other, values in choice.needs.get(value, {}).items():
        if chosen[other] not in values:
            given: Iterable[Parameter] = map(as_given, values)
            needed = reduce(_or, given)
            return message("fault.needs", option=Text(other), needed=needed, value=as_given(chosen[other]))
    return None


def _or(first: Parameter, last: Parameter) -> Parameter:
    return message("list.or", first=first, last=last)
