"""The table of a duel: a ruleset, a number of players, options, and the seats of each bot in each game of a deal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from domain.game.aggregate import Game
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.table import Seat
from workers.research import tables as laboratory
from workers.research.tables import deals_of, read_options


@dataclass(frozen=True, slots=True)
class Table:
    """A ruleset, a number of players, and options, as ``name=value``.

    Games of Le Plateau and French Tarot are one deal, unless they are ``whole``; in the others they always are.
    """

    ruleset_id: str
    seats: int
    options: tuple[str, ...] = ()
    whole: bool = False

    @property
    def ruleset(self) -> AnyRuleset:
        """Return the rules."""
        return RULESETS[self.ruleset_id]

    @property
    def complete_options(self) -> Any:
        """Return all options; raise ``InvalidOptions``."""
        return _of_laboratory(self).options

    def scores(self, game: Game) -> Sequence[int] | None:
        """Return the scores once a game is over, or its only hand; None before.

        A team has 1 if it won, and 0 if it lost.
        """
        at = _of_laboratory(self)
        if game.outcome is None and not at.is_left(game.state):
            return None
        scores = at.scores(game.state)
        return [max(score, 0) for score in scores] if at.deals.teams else scores

    @property
    def lineups(self) -> Sequence[frozenset[Seat]]:
        """List the seats of one of two bots in each game of a deal; the other has the rest, and gets as many turns.

        Every seat alone, then all but one. With two players or two teams, that is either side.
        """
        if teams := deals_of(self.ruleset_id).teams:
            return teams
        everyone = frozenset(range(self.seats))
        alone = [frozenset({seat}) for seat in everyone]
        return tuple(dict.fromkeys([*alone, *(everyone - one for one in alone)]))


def tables(
    ruleset_ids: Iterable[str], seats: Iterable[int], options: Sequence[str] = (), *, whole: bool = False
) -> list[Table]:
    """List the tables of these rulesets, with these numbers of players where the rules allow them, or with all."""
    wanted = {*seats}
    return [
        Table(ruleset_id, number, tuple(options), whole)
        for ruleset_id in ruleset_ids
        for number in RULESETS[ruleset_id].seats
        if not wanted or number in wanted
    ]


@cache
def _of_laboratory(at: Table) -> laboratory.Table:
    options, whole = read_options(at.options), at.whole or bool(deals_of(at.ruleset_id).teams)
    return laboratory.table(at.ruleset_id, at.seats, options, whole_game=whole)
