"""Where a duel takes place: a ruleset, a number of players, options, and who sits where in each game of a deal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain.game.aggregate import Game
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.serialization import Plain
from domain.table import Seat
from workers.research import written_options

ONE_DEAL: Mapping[str, Mapping[str, Plain]] = {"french-tarot": {"deals": 1}}
"""The options with which a game is one deal, where there are any."""
ENDS_WITH_A_HAND = frozenset({"le-plateau"})
"""Where a game always has several hands, it is left after the first; its state has ``results`` and ``scores``."""

TEAMS: Mapping[str, Sequence[frozenset[Seat]]] = {"plute": (frozenset({0, 2, 4}), frozenset({1, 3, 5}))}
"""Where sides are fixed, whole sides are exchanged."""


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
        of_one_deal = {} if self.whole else ONE_DEAL.get(self.ruleset_id, {})
        return self.ruleset.options.complete({**of_one_deal, **written_options.read(self.options)}, self.seats)

    def scores(self, game: Game) -> Sequence[int] | None:
        """Return the scores once a game is over, or its only hand of interest; None before.

        A team has won or not, whatever it scored: in Plute, the other one can lose by its sets.
        """
        if game.outcome is not None:
            winners = game.outcome.winners
            return (
                [int(seat in winners) for seat in range(self.seats)]
                if self.ruleset_id in TEAMS
                else game.outcome.scores
            )
        if self.whole or self.ruleset_id not in ENDS_WITH_A_HAND:
            return None
        state: Any = game.state
        scores: Sequence[int] | None = state.scores if state.results else None
        return scores

    @property
    def lineups(self) -> Sequence[frozenset[Seat]]:
        """List the seats of one of two bots in each game of a deal; the other has the rest, and gets as many turns.

        Every seat alone, then all but one. With two players or two teams, that is either side.
        """
        if self.ruleset_id in TEAMS:
            return TEAMS[self.ruleset_id]
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
