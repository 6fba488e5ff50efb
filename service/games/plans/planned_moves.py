"""Planned moves: a player with a plan is to act, and the plan chooses the action.

The append of the move also removes the step from the plan, so if a worker is killed, no step is played twice or lost.
The append requires the plan by which the move was decided, so a player's change to it always counts.
"""

from dataclasses import dataclass
from functools import partial

from domain.errors import WrongMoment
from domain.game.aggregate import Game
from domain.table import Seat
from service.accounts.players import GUEST_SCOPES, Caller
from service.common.errors import AtVersion, Forbidden, Stale
from service.games.commands import Act
from service.games.commit import seats_to_act
from service.games.desk import Desk, PlanChanged
from service.games.plans.plan import Chosen, carried, is_of_holder, read
from service.games.plans.planning import Planning
from service.games.repository import GameRepository


@dataclass(eq=False)
class PlannedMoves:
    _desk: Desk
    _repository: GameRepository
    _planning: Planning

    def carry_out(self, game: Game) -> bool:
        """Carry out the plans of the seats to act; return whether a seat acted."""
        planned = [*self._planning.stored(game, seats_to_act(game))]
        acted = [self._carry_out(game, seat, is_last=seat == planned[-1]) for seat in planned]
        return any(acted)

    def leave(self, game: Game) -> None:
        """Leave the turn to the players, if no seat to act has a plan any more, and remove the deadline of the plans.

        A player who removed a plan after the turn had come gets the notice of the turn now.
        """
        seats = seats_to_act(game)
        if not self._planning.stored(game, seats):
            for seat in seats:
                self._planning.leave(game, seat, b"", is_last=True)

    def _carry_out(self, game: Game, seat: Seat, *, is_last: bool) -> bool:
        """Act by the plan of a seat, or drop the steps that do not fit; return whether the seat acted.

        It is decided again after each change of the plan or of the game, until the turn is taken or left.
        """
        game = self._repository.cached(game.id) or game
        while seat in seats_to_act(game):
            stored = self._planning.stored(game, [seat]).get(seat, b"")
            plan = read(stored) if stored else None
            chosen = None if plan is None else self._planning.chosen(plan, game, seat)
            if chosen is not None:
                if self._acted(game, seat, stored, chosen):
                    return True
            elif plan is not None and (plan.steps or not is_of_holder(plan, game, seat)):
                self._planning.drop_steps(game, seat, stored)
            elif self._planning.leave(game, seat, stored, is_last=is_last) == "written":
                return False
            game = self._repository.fresh(game.id)
        return False

    def _acted(self, game: Game, seat: Seat, stored: bytes, chosen: Chosen) -> bool:
        """Act as the player, at this version and by this plan; return whether that succeeded.

        The version is required because a condition that held may not hold after another seat has acted.
        """
        act = Act(
            caller=Caller(chosen.rest.player, frozenset(GUEST_SCOPES), seat=seat, game=game.id),
            seat=seat,
            action=chosen.action,
            expected=game.version,
            by_plan=partial(carried, seat, stored, chosen.rest),
        )
        try:
            self._desk.do(game, act)
        except (PlanChanged, Forbidden):
            return False
        except AtVersion as refused:
            if not isinstance(refused.refusal, WrongMoment | Stale):
                raise
            return False
        return True
