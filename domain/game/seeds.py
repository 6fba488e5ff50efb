"""Seeds that players commit to when they join, and open once every seat is taken.

So nobody knows the seed of another before all are fixed: neither the server nor the last to join can choose a deal by
trying seeds. ``seating`` begins the phase in which they are opened, ``opening`` leads through it.
"""

import hashlib

from domain.errors import InvalidOptions, OptionProblem, wrong_moment
from domain.events import Opening, SeedsAwaited
from domain.game.aggregate import Game
from domain.game.durations import DAY, SECOND, duration, instant, lasting, moment
from domain.log.chain import canonical
from domain.sentences.message import Message, Parameter, Text, message
from domain.wellformed import fault_of

USUAL = Opening(within="PT2M", unopened="start")
"""How seeds are opened where the table did not choose."""

SHORTEST, LONGEST = 5 * SECOND, 14 * DAY
"""How long players can have to open their seeds, in ms."""

LONGEST_SEED = 64
"""How many characters a seed can have."""


def commitment_to(seed: str, game_id: str, player: str) -> str:
    """Return a player's commitment to a seed for a game: a SHA-256, in hex."""
    return hashlib.sha256(canonical(["seed", game_id, player, seed])).hexdigest()


def opens(seed: object, commitment: str | None, game_id: str, player: str) -> bool:
    """Return whether something is the seed that a player committed to; what UTF-8 cannot write is no seed."""
    try:
        return (
            type(seed) is str and 1 <= len(seed) <= LONGEST_SEED and commitment_to(seed, game_id, player) == commitment
        )
    except UnicodeEncodeError:
        return False


def check_opening(opening: Opening | None) -> None:
    """Reject a choice that is not possible, or gives too little or too much time; raise ``InvalidOptions``."""
    if opening is None:
        return
    fault = fault_of(Opening, opening)
    if fault is not None:
        raise _problem("opening", "wrong-type", fault)
    try:
        fits = SHORTEST <= duration(opening.within) <= LONGEST
    except ValueError:
        raise _problem("opening/within", "no-duration", _about(opening.within, "no-duration")) from None
    if not fits:
        bounds = {"least": Text(lasting(SHORTEST)), "most": Text(lasting(LONGEST))}
        raise _problem("opening/within", "out-of-bounds", _about(opening.within, "out-of-bounds", **bounds))


def check_none_awaited(game: Game) -> None:
    """Reject a change of who sits where, or of whether the game takes place, while seeds are opened."""
    if game.awaited is not None:
        raise wrong_moment("seeds-awaited", until=Text(moment(game.awaited.until)))


def awaited(game: Game, now: int) -> SeedsAwaited | None:
    """Return whose seeds are to be opened in a game without an open seat, from now on; None if there are none."""
    sitters = enumerate(game.sitters)
    seats = tuple(seat for seat, sitter in sitters if sitter and sitter.player and sitter.seed_commitment)
    if not seats:
        return None
    within = duration((game.opening or USUAL).within)
    return SeedsAwaited(seats, moment(max(now, instant(game.at)) + within))


def _about(given: str, code: str, **bounds: Parameter) -> Message:
    return Message(f"fault.{code}", {"given": Text(given), **bounds})


def _problem(option: str, code: str, fault: Message) -> InvalidOptions:
    return InvalidOptions([OptionProblem(option, code, message("fault.at", at=Text(option), fault=fault))])
