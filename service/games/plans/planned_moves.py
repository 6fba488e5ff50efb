"""Planned moves: the turn of a player with a plan has come, and the plan says what to do.

The append that acts takes the step from the plan as well, so a worker that is killed plays no step twice and loses
none. It needs the plan that was decided by, so a player who has changed or removed it in between is not overruled.
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
        """Leave the turn to the seats to act, if none has a plan any more: whatever was due of plans is due no longer.

        A player who removed a plan after the turn had come gets the notice of the turn now.
        """
        seats = seats_to_act(game)
        if not self._planning.stored(game, seats):
            for seat in seats:
                self._planning.leave(game, seat, b"", is_last=True)

    def _carry_out(self, game: Game, seat: Seat, *, is_last: bool) -> bool:
        """Act by the plan of a seat, or drop it as far as it does not fit; return whether the seat acted.

        It is decided on again after each change of the plan or of the game, until the turn is taken or left.
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
        """Act as the player, at this version and by this plan; return whether that took effect.

        A decision stays open while other seats act, but a condition that held may hold no longer.
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
