"""What the operator can do to a game: end it, or replace a player by a bot, for a public reason."""

from functools import reduce

from domain.errors import wrong_moment
from domain.events import GameAborted, OperatorActed
from domain.game.aggregate import Decided, Game, check_seat, evolve, status_of, with_pending
from domain.game.seating import bot_seated
from domain.sentences.message import seat_number
from domain.table import Seat


def abort(game: Game, reason: str) -> Decided:
    """End a game that is not over, without a result."""
    _check_not_over(game)
    events = [OperatorActed("abort", reason), GameAborted("operator", game.secret.hex())]
    return events, with_pending(game, reduce(evolve, events, game), events)


def replace(game: Game, seat: Seat, bot: str, reason: str) -> Decided:
    """Put a bot in place of the player who holds a seat, as if the player had done so."""
    _check_not_over(game)
    check_seat(game, seat)
    sitter = game.sitters[seat]
    if sitter is None or sitter.player is None:
        raise wrong_moment("no-player-there", seat=seat_number(seat))
    return bot_seated(game, seat, bot, OperatorActed("replace", reason))


def _check_not_over(game: Game) -> None:
    if game.is_over:
        raise wrong_moment("game-not-active.operator", status=status_of(game))
