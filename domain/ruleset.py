"""What a ruleset is: a module of a few pure functions.

A ruleset decides what a player's action means (``decide``), what the rules force next (``settle``, the only door for
chance), records facts (``evolve``, which never judges), and builds what one viewer may know (``project``).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from domain.chance import Chance
from domain.notation.lexer import Words
from domain.serialization import Plain

if TYPE_CHECKING:
    from domain.notation.replay import Replay

Seat = int
"""A place at the table, counted from 0; the rules of each game say in which direction."""


class IllegalAction(ValueError):
    """The rules forbid it: a stable kebab-case code, a message naming what was wrong, the section of the rules."""

    def __init__(self, code: str, message: str, rule: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rule = rule


@dataclass(frozen=True, slots=True)
class OptionProblem:
    """One option that is refused: its name, a stable code, and why."""

    option: str
    code: str
    message: str


class InvalidOptions(ValueError):
    """Options that the rules do not allow; all problems are listed."""

    def __init__(self, problems: Sequence[OptionProblem]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Choice:
    """What an option may be with a number of players.

    ``values`` are all that it may be, None where they are too many to list. ``needs`` holds, for a value that asks for
    it, the values that other options must have. ``note`` is a sentence on what all this depends on; a refusal says it
    and carries the ``code``.
    """

    values: tuple[Plain, ...] | None
    default: Plain
    note: str = ""
    code: str = "no-such-value"
    needs: Mapping[Plain, Mapping[str, tuple[Plain, ...]]] = field(default_factory=dict)


def refused(choices: Mapping[str, Choice], chosen: Mapping[str, Plain], seats: int) -> list[OptionProblem]:
    """List the options that are not as the choices for a number of players allow."""
    problems = []
    for name, choice in choices.items():
        objection = _objection(choice, chosen[name], chosen)
        if objection:
            message = (
                f"{name}: {_as_given(chosen[name])} {objection} with {seats} players; {choice.note or choice.values}"
            )
            problems.append(OptionProblem(name, choice.code, message))
    return problems


def _as_given(value: Plain) -> str:
    """Write a value, true and false as JSON does."""
    return str(value).lower() if isinstance(value, bool) else repr(value)[:80]


def _objection(choice: Choice, value: Plain, chosen: Mapping[str, Plain]) -> str | None:
    if choice.values is None:
        return None
    if value not in choice.values:
        return "is not possible"
    for other, values in choice.needs.get(value, {}).items():
        if chosen[other] not in values:
            return f"needs {other} {' or '.join(map(_as_given, values))}, not {_as_given(chosen[other])},"
    return None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: why, who won (ties share), and the final scores by seat."""

    reason: str
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


class Rng(Protocol):
    """The part of ``random.Random`` that ``sample`` uses."""

    def shuffle(self, x: Any) -> None:
        """Put a list into random order, in place."""

    def randrange(self, stop: int, /) -> int:
        """Draw an integer from 0 to ``stop`` - 1."""


class Notation(Protocol):
    """How a game of a ruleset is written as text, between the header and the result (docs/notation.md)."""

    def write(self, options: Any, events: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        """Write the ruleset's events, as the interface shows them to a viewer, in lines; what is hidden is ``?``."""

    def read(self, replay: "Replay", words: Words) -> None:
        """Read words while there are more, and have them played; raises ``NotationError`` at the first fault."""


class Ruleset(Protocol):
    """The rules of one game, as a module. States, actions, events and options are its own frozen dataclasses.

    An event's ``seat``, where it has one, is who acted; whom a forced event merely concerns has another name.
    """

    ID: str
    NAME: str
    SUMMARY: str
    RULES_VERSION: int
    SEATS: range
    ACTIONS: Mapping[str, type]
    EVENTS: Mapping[str, type]
    PROPOSALS: Mapping[str, str]
    """What players may agree on, by its name in the API, with a sentence."""

    @property
    def OPTIONS(self) -> type:  # noqa: N802 - a constant of the module
        """Give the dataclass of the options."""

    @property
    def VIEW(self) -> type:  # noqa: N802 - a constant of the module
        """Give the TypedDict that ``project`` fills."""

    @property
    def NOTATION(self) -> Notation | None:  # noqa: N802 - a constant of the module
        """Give the module that writes games as text and reads them, None if there is no such form yet."""

    def choices(self, seats: int) -> Mapping[str, Choice]:
        """Say what each option may be with a number of seats; ``options`` refuses all else."""

    def options(self, given: Mapping[str, Plain], seats: int) -> Any:
        """Complete and check options for a number of seats; raises ``InvalidOptions``."""

    def setup(self, options: Any, seats: int) -> Any:
        """Give the state before anything is dealt."""

    def to_act(self, state: Any) -> frozenset[Seat]:
        """Say which seats may act now; none once the game is over or while something is forced."""

    def awaited(self, state: Any) -> frozenset[Seat]:
        """Say for which of the seats to act the game waits: their clocks run. Others merely may act, such as claim."""

    def legal_actions(self, state: Any, seat: Seat) -> Sequence[Any]:
        """List every legal action of a seat, without duplicates, in a fixed order.

        Where there can be thousands, the list is one of ``domain.sequences``: its length and its items are asked for
        one by one, and nothing that the service does goes through all of it.
        """

    def decide(self, state: Any, seat: Seat, action: Any) -> list[Any]:
        """Turn an action into events saying only what the player did; raises ``IllegalAction``."""

    def settle(self, state: Any, chance: Chance) -> list[Any]:
        """Give the events that the rules force now; empty when a player must act or the game is over."""

    def proposals(self, state: Any, seat: Seat) -> Mapping[str, Any]:
        """Say what a seat may propose now, and on what ground: a proposal lapses when its ground changes."""

    def agree(self, state: Any, kind: str) -> list[Any]:
        """Give the events of a proposal that every seat accepted."""

    def resign(self, state: Any, seat: Seat) -> list[Any]:
        """Give the events of a resignation; raises ``IllegalAction`` where the rules know none."""

    def evolve(self, state: Any, event: Any) -> Any:
        """Record an event: total, without rules."""

    def project(self, state: Any, viewer: Seat | None) -> dict[str, Plain]:
        """Build what a seat (or a spectator, None) may know, from nothing."""

    def svg(self, view: Mapping[str, Plain]) -> str:
        """Draw what ``project`` answered as an SVG document, from that alone: a picture shows no more than the view."""

    def text(self, view: Mapping[str, Plain]) -> str:
        """Write what ``project`` answered as lines of text for a terminal, from that alone."""

    def sample(self, options: Any, viewer: Seat | None, view: Mapping[str, Plain], rng: Rng) -> Any:
        """Draw a state that is consistent with a view, with its history too: ``project(sample(v)) == v``."""

    def outcome(self, state: Any) -> Outcome | None:
        """Say how the game ended, None while it goes on."""
