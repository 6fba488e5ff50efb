"""Who can see a game, from which seat, and who can act in it."""

from collections.abc import Callable
from typing import Literal

from domain.game.aggregate import Game, status_of
from domain.ruleset import AnyRuleset
from domain.sentences.message import Number, Text, message, seat_number
from domain.table import Seat
from service.accounts.players import GUEST_SCOPES, Caller, Scope
from service.bots import BOTS
from service.common.errors import Fault, Forbidden, Malformed, NotFound, Unprocessable, no_such_game, refusal

SEAT_SCOPES: tuple[Scope, ...] = ("games:read", "games:play")
"""The scopes that a seat token can have."""

Wanted = Seat | Literal["spectator"] | None
"""The requested viewer; None for the reader's own seat, or else a spectator."""


IsInvited = Callable[[Game, Caller], bool]
"""Whether a player is invited to an open game; called only for private games."""


def no_invitations(_game: Game, _caller: Caller) -> bool:
    """Return false: without invitations, only its creator and its players can see a private game."""
    return False


def check_may_play(game: Game, caller: Caller, is_invited: IsInvited = no_invitations) -> None:
    check_visible(game, caller, is_invited)
    check_scope(caller, "games:play")


def check_may_read(game: Game, caller: Caller | None, is_invited: IsInvited = no_invitations) -> None:
    check_visible(game, caller, is_invited)
    if caller is not None:
        check_scope(caller, "games:read")


def playing_seat(game: Game, caller: Caller, seat: Seat | None = None) -> Seat:
    """Return the caller's seat, or the requested one; reject a caller who cannot play or does not hold it."""
    check_may_play(game, caller)
    return held_seat(game, caller, seat)


def looking_seat(game: Game, caller: Caller, seat: Seat | None = None) -> Seat:
    """Return the caller's seat, or the requested one; reject a caller who cannot read or does not hold it."""
    check_may_read(game, caller)
    return held_seat(game, caller, seat)


def seat_to_hand_over(game: Game, caller: Caller, seat: Seat) -> Seat:
    """Return the seat that a caller gives to a bot; reject one that does not exist, or that is not theirs to give."""
    check_may_play(game, caller)
    _check_exists(game, seat)
    if game.sitters[seat] is not None or not is_creator(game, caller):
        held_seat(game, caller, seat)
    return seat


def seat_without_player_or_own(game: Game, caller: Caller, seat: Seat) -> Seat:
    """Return the seat that a caller leaves, or an open one, which counts as left already; reject another player's."""
    check_may_play(game, caller)
    _check_exists(game, seat)
    is_open = game.status == "open" and game.sitters[seat] is None
    return seat if is_open else held_seat(game, caller, seat)


def seat_to_hand_over_again(game: Game, caller: Caller, seat: Seat) -> Seat:
    """Return the seat as ``seat_to_hand_over`` does, or one that a bot holds already."""
    check_may_play(game, caller)
    is_handed_over = not game.is_over and seat < len(game.sitters) and game.bot_of(seat) is not None
    return seat if is_handed_over else seat_to_hand_over(game, caller, seat)


def seat_to_share(game: Game, caller: Caller, seat: Seat) -> Seat:
    """Return the seat for which a caller makes a token; reject one that does not exist, or is not theirs."""
    check_may_play(game, caller)
    _check_exists(game, seat)
    return held_seat(game, caller, seat)


def _check_exists(game: Game, seat: Seat) -> None:
    if seat >= len(game.sitters):
        raise NotFound("no-such-seat", refusal("no-such-seat", last=Number(len(game.sitters) - 1)))


def no_such_seat(pointer: str, seat: Seat, game: Game) -> Malformed:
    at, last = Text(pointer[1:]), Number(len(game.sitters) - 1)
    detail = message("fault.no-such-seat.at", at=at, seat=Number(seat), last=last)
    return Malformed([Fault(pointer, "no-such-seat", detail)])


def check_created(game: Game, caller: Caller) -> None:
    check_may_play(game, caller)
    if not is_creator(game, caller):
        raise Forbidden("not-the-creator", refusal("not-the-creator"))


def check_operates(game: Game, caller: Caller) -> None:
    if "admin" not in caller.scopes:
        check_visible(game, caller)
        check_scope(caller, "admin")


def check_bot_plays(bot: str, ruleset: AnyRuleset) -> None:
    if not BOTS[bot].plays(ruleset.id):
        detail = refusal("bot-does-not-play", bot=Text(bot), game=Text(ruleset.id))
        raise Unprocessable("bot-does-not-play", detail)


def check_scope(caller: Caller, scope: str) -> None:
    if scope not in caller.scopes:
        raise Forbidden("scope-missing", refusal("scope-missing", scope=Text(scope)))


def check_owns_account(caller: Caller) -> None:
    """Reject a token with fewer scopes than its owner: it cannot change the account."""
    missing = [scope for scope in GUEST_SCOPES if scope not in caller.scopes]
    if missing:
        detail = refusal("scope-missing.account", scopes=Text(", ".join(missing)))
        raise Forbidden("scope-missing", detail)


def check_visible(game: Game, caller: Caller | None, is_invited: IsInvited = no_invitations) -> None:
    """Reject a private game to a caller without a part in it and without an invitation, as if it did not exist.

    A game of a deal set is private, for its player alone, until the set has closed; then anyone can see it.
    """
    if game.deal is not None:
        if game.sealed and not has_part(game, caller):
            raise no_such_game()
        return
    if game.visibility == "private" and not has_part(game, caller) and not (caller and is_invited(game, caller)):
        raise no_such_game()


def has_part(game: Game, caller: Caller | None) -> bool:
    return is_creator(game, caller) or bool(seats_of(game, caller))


def is_creator(game: Game, caller: Caller | None) -> bool:
    """Return whether the caller has the rights of the game's creator; a seat token does not."""
    return caller is not None and caller.seat is None and caller.player == game.creator


def check_opens_all(caller: Caller) -> None:
    """Reject a seat token: it opens its own seat, and nothing else."""
    if caller.game is not None:
        detail = refusal("seat-token", seat=seat_number(caller.seat or 0), game=Text(caller.game))
        raise Forbidden("seat-token", detail)


def seats_of(game: Game, caller: Caller | None) -> tuple[Seat, ...]:
    if caller is None:
        return ()
    if caller.seat is None:
        return game.seats_of(caller.player)
    opens = caller.game is None or (caller.game == game.id and caller.seat in game.seats_of(caller.player))
    return (caller.seat,) if opens else ()


def own_seat(game: Game, caller: Caller | None) -> Seat | None:
    """Return the caller's seat (None: a spectator): of several (sandbox) the one to act, else the lowest."""
    seats = seats_of(game, caller)
    return _looked_from(game, seats) if seats else None


def _looked_from(game: Game, seats: tuple[Seat, ...]) -> Seat:
    return next((seat for seat in game.waiting_for if seat in seats), seats[0]) if len(seats) > 1 else seats[0]


def held_seat(game: Game, caller: Caller, wanted: Seat | None) -> Seat:
    seats = seats_of(game, caller)
    if not seats and wanted is None:
        raise Forbidden("not-seated", refusal("not-seated"))
    if wanted is None:
        return _looked_from(game, seats)
    if wanted >= len(game.sitters):
        raise no_such_seat("?as", wanted, game)
    if wanted not in seats:
        raise Forbidden("not-your-seat", refusal("not-your-seat", seat=seat_number(wanted)))
    return wanted


def reader_seat(game: Game, caller: Caller | None, wanted: Wanted) -> Seat | None:
    """Return the seat to read a log from: by default the reader's own, of several (sandbox) the lowest."""
    seats = seats_of(game, caller)
    return seats[0] if wanted is None and seats else viewer_seat(game, caller, wanted)


def check_opens_everything(game: Game) -> None:
    """Reject a reader who requests everything hidden while the game is running."""
    if not game.is_over:
        raise Forbidden("game-not-over", refusal("game-not-over", status=status_of(game)))


def viewer_seat(game: Game, caller: Caller | None, wanted: Wanted) -> Seat | None:
    """Return the seat to view a game from; another player's only once the game is over."""
    if wanted == "spectator":
        return None
    if wanted is None:
        return own_seat(game, caller)
    if wanted >= len(game.sitters):
        raise no_such_seat("?as", wanted, game)
    if not game.is_over and wanted not in seats_of(game, caller):
        raise Forbidden("not-your-seat", refusal("not-your-seat.look", seat=seat_number(wanted)))
    return wanted
