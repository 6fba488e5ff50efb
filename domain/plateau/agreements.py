"""What the players can agree on, which is a draw; and how a player gives up or runs out of time.

See rules.md, draws and resignation.
"""

from collections.abc import Callable, Mapping

from domain.errors import Refusals
from domain.plateau import events as ev
from domain.plateau.endings import RULE, revealed
from domain.plateau.lines import LOST_ON_TIME, RESIGNATION
from domain.plateau.state import State
from domain.table import Seat
from domain.wellformed import check_agreement, check_seat

_refuse = Refusals(__package__)


def offers(state: State, seat: Seat) -> Mapping[str, int]:
    """Offer a draw at any time; the offer lapses when the player who made it acts."""
    return {} if state.phase == "over" else {"draw": sum(line.own.seat == seat for line in state.history)}


def agree(state: State, kind: str) -> list[ev.Event]:
    """Return the events that end the game as a draw."""
    check_agreement(offers(state, 0), kind, RULE)
    return [ev.GameDrawn("agreement"), revealed(state)]


def resigned(state: State, seat: Seat) -> list[ev.Event]:
    """Return the events of a resignation: the other player wins."""
    return [ev.Resigned(seat), *_lost(state, seat, "resign")]


def lost_on_time(state: State, seat: Seat) -> list[ev.Event]:
    """Return the events with which a player loses whose time is up: the other player wins."""
    return [ev.TimeLost(seat), *_lost(state, seat, "time")]


GIVEN_UP: Mapping[str, Callable[[State, Seat], list[ev.Event]]] = {RESIGNATION: resigned, LOST_ON_TIME: lost_on_time}
"""How a player loses without an action, by its text."""


def _lost(state: State, seat: Seat, reason: ev.Win) -> list[ev.Event]:
    check_seat(2, seat, RULE)
    if state.phase == "over":
        raise _refuse("game-over", RULE)
    won = ev.GameWon(1 - seat, reason, state.plies, state.quiet_plies, state.min_tender)
    return [won, revealed(state)]
