"""What the player in turn has noticed of a deal: friends, players behind, suits that they lack, unseen cards."""

from workers.bots.compiled import INT, WORDS, Words, kernel, popcount
from workers.bots.french_tarot.kernel import (
    ATTACK,
    GONE_SUITS,
    GONE_TRUMPS,
    LOOSE,
    PETIT,
    PLAINS,
    PLAYED,
    PLAYERS,
    RANKS,
    SECRET,
    SUIT,
    SUIT_CARDS,
    TAKER,
    TRUMP,
    TRUMP_CARDS,
    TURN,
    VOIDS,
)

_ALL_TRUMPS = (1 << 21) - 1


@kernel(INT, WORDS, INT)
def is_friend(game: Words, other: int) -> int:
    """Return whether the player in turn regards another one as a friend; the taker's secret partner has none."""
    player, attack = game[TURN], game[ATTACK]
    if game[SECRET] < 0 or (attack >> player & 1 and player != game[TAKER]):
        return int(attack >> player & 1 == attack >> other & 1)
    return int(player == other or (player != game[TAKER] and other != game[TAKER]))


@kernel(INT, WORDS)
def opponents_behind(game: Words) -> int:
    """Return the players who will still play to this trick and are not friends, as bits."""
    behind = 0
    for step in range(1, game[PLAYERS] - game[PLAYED]):
        other = (game[TURN] + step) % game[PLAYERS]
        if not is_friend(game, other):
            behind |= 1 << other
    return behind


@kernel(INT, WORDS, INT, INT)
def lacking(game: Words, players: int, suit: int) -> int:
    """Return the players who have shown to lack a suit but not trumps, as bits."""
    found = 0
    for player in range(game[PLAYERS]):
        voids = game[VOIDS] >> PLAINS * player
        if players >> player & 1 and voids >> suit & 1 and not voids >> TRUMP & 1:
            found |= 1 << player
    return found


@kernel(INT, WORDS, INT)
def out_of(game: Words, suit: int) -> int:
    """Return the cards of a suit that the other players can hold, as the player in turn knows."""
    gone = game[GONE_SUITS] | game[SUIT_CARDS + game[TURN]]
    return SUIT & ~(gone >> RANKS * suit)


@kernel(INT, WORDS)
def trumps_out(game: Words) -> int:
    """Return the trumps that the other players can hold, as the player in turn knows."""
    return _ALL_TRUMPS & ~(game[GONE_TRUMPS] | game[TRUMP_CARDS + game[TURN]] | game[LOOSE])


@kernel(INT, WORDS, INT, INT)
def holds(game: Words, card: int, behind: int) -> int:
    """Return whether the best card of the trick will stay the best, as far as the player in turn can tell."""
    if not behind:
        return 1
    if card >= PETIT:
        return int(not trumps_out(game) >> (card - PETIT))
    suit = card // RANKS
    out = out_of(game, suit)
    if out >> card % RANKS or (lacking(game, behind, suit) and trumps_out(game)):
        return 0
    return int(popcount(out) > popcount(behind) or not trumps_out(game))
