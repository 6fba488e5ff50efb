"""Forks: a game of one player's own that begins at a position of another game, as a viewer knew it.

A fork repeats the events of the ruleset up to that position, so its log folds, verifies, and reads like any other. What
the viewer did not know of them is drawn: for every deal a world that looks the same (the ruleset's ``sample``), from
the fork's own committed secret. So a fork depends on what its maker can know, and on that secret, and on nothing else.
"""

from collections.abc import Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple, TypeVar

from domain.chance import Chance, Rng
from domain.errors import NoWorldFound, wrong_moment
from domain.events import ForkedFrom
from domain.game import history
from domain.game.aggregate import Game
from domain.log import chain
from domain.log.effective import effective
from domain.log.record import Record, Shown, visible
from domain.log.redaction import merged
from domain.ruleset import AnyRuleset
from domain.sentences.message import Number
from domain.serialization import Plain, from_plain
from domain.table import EVERYTHING, Viewer

T = TypeVar("T")

DRAWS = "fork"
"""The label of the draws that decide what the maker of a fork does not know."""


class _Deal(NamedTuple):
    """The events of a deal as a viewer sees them, and the viewer's view after the last of them.

    ``records`` are the events as the log has them.
    """

    events: Sequence[Shown]
    view: object
    records: Sequence[Record]


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game at which a seat can act, with everything that a viewer knows of its past."""

    game: Game
    viewer: Viewer
    deals: Sequence[_Deal] = field(repr=False)

    @property
    def origin(self) -> ForkedFrom:
        """Return where a fork of this position comes from."""
        return ForkedFrom(
            game_id=self.game.id,
            version=self.game.version,
            seat=None if self.viewer == EVERYTHING else self.viewer,
            knowledge="full" if self.viewer == EVERYTHING else "own",
            events=sum(len(deal.events) for deal in self.deals),
        )

    @property
    def known(self) -> Iterator[Record | None]:
        """Return for each event of the story the one that it repeats as it is, None if a part of it is drawn.

        That depends on what the viewer can see, and not on what is drawn.
        """
        for deal in self.deals:
            for event, record in zip(deal.events, deal.records, strict=True):
                yield None if _unseen(event) else record

    def story(self, chance: Chance) -> Iterator[object]:
        """Return the events of the ruleset up to here; ``chance`` draws what the viewer does not know of them.

        Raise ``WrongMoment`` if no draw agrees with what the viewer knows.
        """
        draws = _Draws(chance)
        for deal in self.deals:
            for event, parts in zip(deal.events, self._hidden_parts(deal, draws), strict=True):
                yield _told(self.game.ruleset, event, parts)

    def _hidden_parts(self, deal: _Deal, draws: Rng) -> Iterable[Mapping[str, Plain]]:
        """Return the hidden parts of the events of a deal, in a world that is drawn unless it is known."""
        if self.viewer == EVERYTHING:
            return ({} for _ in deal.events)
        ruleset = self.game.ruleset
        try:
            world = ruleset.sample(self.game.options, self.viewer, deal.view, draws)
        except NoWorldFound as error:
            raise wrong_moment("no-world-found") from error
        return ruleset.hidden_parts(world, deal.events)


def decision_at(records: Sequence[Record], at: int) -> Game:
    """Return a game at a version of its log; between the events of one request, at the end of the request.

    Raise ``WrongMoment`` where nobody can act.
    """
    while at < len(records) and records[at].request == records[at - 1].request:
        at += 1
    game = history.fold(records[:at])
    if game.state is None or game.is_over:
        when = "before" if game.state is None else "after"
        raise wrong_moment(f"nothing-to-fork.{when}", version=Number(at))
    if game.rules_version != game.ruleset.version:
        raise wrong_moment("rules-version-gone", version=Number(game.rules_version))
    return game


def position(records: Sequence[Record], game: Game, viewer: Viewer) -> Position:
    """Return what a viewer knows of a game, of which ``records`` is the log, at the version that ``game`` is at."""
    return Position(game, viewer, tuple(_deals(game.ruleset, records[: game.version], viewer)))


def _deals(ruleset: AnyRuleset, records: Sequence[Record], viewer: Viewer) -> Iterator[_Deal]:
    game = None
    counting = {event["version"] for event in effective([record.sealed_form() for record in records])}
    for of_deal in _by_deal(ruleset, records):
        game = history.fold(of_deal, game)
        told = [record for record in of_deal if record.type in ruleset.events and record.version in counting]
        everything = viewer == EVERYTHING
        eyes = None if viewer == EVERYTHING else viewer
        shown = [visible(record, game.secrets, eyes, everything=everything) for record in told]
        yield _Deal(shown, ruleset.project(game.state, viewer), told)


def _by_deal(ruleset: AnyRuleset, records: Sequence[Record]) -> Iterator[Sequence[Record]]:
    """Split a log before each deal but the first."""
    starts = [index for index, record in enumerate(records) if record.type in ruleset.deals]
    for start, end in zip([0, *starts[1:]], [*starts[1:], len(records)], strict=True):
        yield records[start:end]


def _told(ruleset: AnyRuleset, event: Shown, parts: Mapping[str, Plain]) -> object:
    """Read an event as a viewer sees it, with its hidden parts filled in."""
    data = merged(event["data"], {pointer: parts[pointer] for pointer in _unseen(event)})
    if event["seat"] is not None:
        data["seat"] = event["seat"]
    told: object = from_plain(ruleset.events[event["type"]], data)
    return told


def _unseen(event: Shown) -> set[str]:
    """Return where an event has hidden parts that the viewer does not see; what a bot thought is not repeated."""
    return {*event["sealed"]} - {*event["salts"], chain.THOUGHT}


class _Draws:
    """Committed chance as the source of a sample: each draw has a number of its own."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._numbers = count(1)

    def shuffle(self, x: MutableSequence[T]) -> None:
        """Put a list into random order, in place."""
        x[:] = self._chance.permutation(DRAWS, next(self._numbers), x)

    def randrange(self, stop: int, /) -> int:
        """Draw an integer from 0 to ``stop`` - 1."""
        return self._chance.below(DRAWS, next(self._numbers), stop)
