"""Opening: between the last seat and the start, players open the seeds that they committed to.

Nobody can sit down or get up in this time, so a seed that was opened has only two answers: another one stays closed, or
the creator cancels the game. Both show in the log. Then the game starts; or, if one is missing and the table chose so,
it ends.
"""

from collections.abc import Sequence
from functools import reduce

from domain.errors import InvalidOptions, OptionProblem, wrong_moment
from domain.events import BotSeated, GameAborted, SeedOpened, SeedsClosed
from domain.game.aggregate import Decided, Game, check_seat, evolve
from domain.game.seating import started
from domain.game.seeds import USUAL, opens
from domain.sentences.message import message, seat_number
from domain.table import Seat


def open_seed(game: Game, seat: Seat, seed: str) -> Decided:
    """Open the seed that the player of a seat committed to; the game starts with the last one."""
    if game.awaited is None:
        raise wrong_moment("no-seeds-awaited")
    check_seat(game, seat)
    sitter = game.sitters[seat]
    if sitter is None or sitter.player is None or seat not in game.unopened:
        raise wrong_moment("no-seed-awaited", seat=seat_number(seat))
    if not opens(seed, sitter.seed_commitment, game.id, sitter.player):
        raise InvalidOptions([OptionProblem("client_seed", "wrong-seed", message("fault.wrong-seed"))])
    return _closed_if_complete(game, [SeedOpened(seat, seed)])


def close(game: Game, now: int) -> Decided:
    """Leave out the seeds that are not opened when their time is over, in ms since 1970."""
    if game.awaited is None or game.awaited.until > now:
        raise wrong_moment("not-over.seeds")
    return _closed(game, [])


def give_up(game: Game, seat: Seat, bot: str) -> Decided:
    """Have a bot take the seat of a player who is gone for good; their seed, if it is not open, stays out."""
    check_seat(game, seat)
    if game.bot_of(seat):
        raise wrong_moment("seat-taken", seat=seat_number(seat))
    return _closed_if_complete(game, [BotSeated(seat, bot)])


def _closed_if_complete(game: Game, events: Sequence[object]) -> Decided:
    after = reduce(evolve, events, game)
    return (events, after) if after.unopened else _closed(after, events)


def _closed(game: Game, before: Sequence[object]) -> Decided:
    """Start the game, or end it if a seed is missing and the table chose so; ``before`` are the events up to here."""
    seats = game.awaited.seats if game.awaited else ()
    missing = tuple(seat for seat in seats if (sitter := game.sitters[seat]) and sitter.client_seed is None)
    closed = SeedsClosed(missing)
    if missing and (game.opening or USUAL).unopened == "abort":
        aborted = GameAborted("unopened", game.secret.hex())
        return [*before, closed, aborted], reduce(evolve, [closed, aborted], game)
    return started([*before, closed], evolve(game, closed))
