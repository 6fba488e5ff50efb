"""Which positions a take-back can return to.

Every player must agree (``proposals``), and nothing hidden can have been disclosed since. A take-back changes only the
position: it leaves seats, pauses, votes and the time that was used as they are.
"""

from domain.game.aggregate import Game, WrongMoment
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
        message = f"something hidden can have been disclosed before version {disclosed}, the earliest to go back to"
        raise WrongMoment("disclosed-since", message)
    if not found:
        raise _nothing(game)
    listed = ", ".join(map(str, found))
    raise WrongMoment("no-such-position", f"the versions that the game can go back to are {listed}")


def _own_target(game: Game, seat: Seat) -> int:
    own = own_version(game, seat)
    if own is not None:
        return own
    if not versions(game):
        raise _nothing(game)
    message = f"seat {seat} has not acted since something hidden was disclosed; name a version in to_version"
    raise WrongMoment("nothing-to-take-back", message)


def _nothing(game: Game) -> WrongMoment:
    message = f"nobody has acted since version {_disclosed(game)}, up to which something hidden can have been disclosed"
    return WrongMoment("nothing-to-take-back", message)


def _disclosed(game: Game) -> int:
    """Return the version up to which something hidden can have been disclosed."""
    return game.positions[0].version if game.positions else game.version
