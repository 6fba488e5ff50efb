"""Which positions a take-back can return to.

Every player must agree (``proposals``), and nothing hidden can have been disclosed since. A take-back changes only the
position: it leaves seats, pauses, votes and the time that was used as they are.
"""

from domain.errors import WrongMoment, wrong_moment
from domain.game.aggregate import Game
from domain.sentences.message import Number, Text, seat_number
from domain.table import Seat
from domain.wellformed import is_whole


def versions(game: Game) -> list[int]:
    """List the versions that the game can go back to, lowest first: those with another position than now."""
    if game.status != "active":
        return []
    return [each.version for each in game.positions if each.state is not game.state]


def own_version(game: Game, seat: Seat) -> int | None:
    """Return the version before the last action of a seat; None if the game cannot go back to it."""
    positions = game.positions
    for index in range(len(positions) - 1, 0, -1):
        if seat in positions[index].acted:
            return positions[index - 1].version
    return None


def target(game: Game, seat: Seat, to_version: object) -> int:
    """Return the version to go back to, by default the one before the seat's own last action; raise if it cannot be."""
    if to_version is None:
        return _own_target(game, seat)
    found, disclosed = versions(game), _disclosed(game)
    if is_whole(to_version) and to_version in found:
        return to_version
    if is_whole(to_version) and to_version < disclosed:
        raise wrong_moment("disclosed-since", version=Number(disclosed))
    if not found:
        raise _nothing(game)
    raise wrong_moment("no-such-position", versions=Text(", ".join(map(str, found))))


def _own_target(game: Game, seat: Seat) -> int:
    own = own_version(game, seat)
    if own is not None:
        return own
    if not versions(game):
        raise _nothing(game)
    raise wrong_moment("nothing-to-take-back.own", seat=seat_number(seat))


def _nothing(game: Game) -> WrongMoment:
    return wrong_moment("nothing-to-take-back", version=Number(_disclosed(game)))


def _disclosed(game: Game) -> int:
    """Return the version up to which something hidden can have been disclosed."""
    return game.positions[0].version if game.positions else game.version
