"""The play of one deal of French Tarot in plain integers: legal cards, tricks, the Excuse. ``scoring`` has the score.

A game is one array of integers; the names below are places in it. Players are numbered in turn; the first to bid is 0.
A card is its number in the pack (``cards``). Suit cards are bits of one set, trumps and Excuse of another, which begins
with the petit, so that both fit into 64 bits. Everything is known here, even the partner: this is one world, not the
view of a seat. ``loading`` makes such an array from a state of the rules.
"""

from workers.bots.compiled import INT, WORDS, Words, kernel, popcount
from workers.bots.drawing import SEED

(
    PLAYERS,
    SIZE,  # tricks of the deal
    TURN,
    TRICK_NUMBER,  # tricks that are complete
    PLAYED,  # cards in the trick on the table
    LED,  # the suit led: 0 to 3, 4 for trumps, -1 for none yet
    BEST,  # the best card in the trick, -1 for none yet
    BEST_PLAYER,
    LOOSE,  # the trumps that are played as an Excuse, as bits of the second set
    ATTACK,  # the players of the attack, as bits
    ATTACK_TRICKS,
    HALVES,  # half points of the attack
    OUDLERS,  # oudlers of the attack
    PETIT_TRICK,  # the number of the trick that the petit was played to, from 1; 0 before
    PETIT_AU_BOUT,  # 1 for the attack, -1 for the defence
    BANNED,  # the called card while its suit must not be led, -1 otherwise
    IS_BANNED_AFTER_EXCUSE,
    EXCUSE_WINS,  # whose Excuse can win the last trick: TAKER_ONLY, ATTACK_ONLY, EITHER_SIDE, or NO_SIDE
    EXCUSE_TO_WINNER,  # whether an Excuse in the last trick goes to who won it
    TAKER,
    PARTNER,  # -1 for none
    MULTIPLIER,
    POIGNEES,  # what the poignées pay together
    SLAM,  # 1 if a slam was announced, 2 for a petit chelem
    SHORT,  # what a contract short by half a point is: LOST, NOTHING or MADE
    STEP,  # what differences are rounded to
    SPLITS_EQUALLY,
    SECRET,  # the called card until it is played, -1 otherwise
    GONE_SUITS,  # the cards that were played, as both sets
    GONE_TRUMPS,
    VOIDS,  # the suits that players have shown to lack: for each player in turn, a bit for each suit and for trumps
    LEGAL_SUITS,
    LEGAL_TRUMPS,
) = range(SEED + 1, SEED + 34)
CARDS = 34
"""The cards of the trick on the table, in the order in which they were played; five places."""
BY = 39
"""The players of these cards."""
SUIT_CARDS, TRUMP_CARDS = 44, 49
"""The two sets of cards of each player."""
MISERES = 54
"""The payments for misères to each player."""
LENGTH = 59

NO_SIDE, ATTACK_ONLY, EITHER_SIDE, TAKER_ONLY = 0, 1, 2, 3
LOST, NOTHING, MADE = 0, 1, 2
RANKS, TRUMP, PETIT, T21, EXCUSE = 14, 4, 56, 76, 77
SUIT = (1 << RANKS) - 1
PLAINS = 5
"""How many bits of ``VOIDS`` a player has."""
COLUMN = 1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS
"""The aces of all suits; shifted by a rank, the cards of that rank."""
WORTH = (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 5, 7, 9)
"""Half points by rank."""


@kernel(INT, INT)
def halves_of(card: int) -> int:
    """Return what a card is worth, in half points."""
    if card < PETIT:
        return WORTH[card % RANKS]
    is_oudler = card == PETIT or card >= T21
    return 9 if is_oudler else 1


@kernel(INT, WORDS, INT)
def suit_of(game: Words, card: int) -> int:
    """Return the suit that a card counts as, -1 for none."""
    if card < PETIT:
        return card // RANKS
    return -1 if game[LOOSE] >> (card - PETIT) & 1 else TRUMP


@kernel(INT, WORDS)
def list_legal(game: Words) -> int:
    """Write the cards that the player in turn can play, from ``LEGAL_SUITS`` on; return how many they are."""
    player = game[TURN]
    suits, trumps = game[SUIT_CARDS + player], game[TRUMP_CARDS + player]
    loose = trumps & game[LOOSE]
    usual = trumps & ~game[LOOSE]
    led = game[LED]
    if led < 0:
        suits = _free_choice(game, suits, trumps)
    elif led < TRUMP and suits & SUIT << RANKS * led:
        suits, trumps = suits & SUIT << RANKS * led, loose
    elif usual:
        higher = usual & -(2 << (game[BEST] - PETIT)) if game[BEST] >= PETIT else usual
        suits, trumps = 0, (higher if higher else usual) | loose
    game[LEGAL_SUITS], game[LEGAL_TRUMPS] = suits, trumps
    return popcount(suits) + popcount(trumps)


@kernel(INT, WORDS, INT, INT)
def _free_choice(game: Words, suits: int, trumps: int) -> int:
    """Return the suit cards that can be led: while the called suit is banned, only the called card of it."""
    called = game[BANNED]
    if called < 0 or game[TRICK_NUMBER] or (game[PLAYED] and not game[IS_BANNED_AFTER_EXCUSE]):
        return suits
    others = suits & ~(SUIT << called // RANKS * RANKS)
    return others | suits & 1 << called if others or trumps else suits


@kernel(INT, WORDS, INT)
def play(game: Words, card: int) -> int:
    """Play a legal card of the player in turn, settle the trick if it is full, and return how many are complete."""
    player = game[TURN]
    _lay_down(game, player, card)
    game[CARDS + game[PLAYED]] = card
    game[BY + game[PLAYED]] = player
    suit = suit_of(game, card)
    if suit >= 0:
        if game[LED] < 0:
            game[LED] = suit
        elif suit != game[LED]:
            _show_void(game, player, suit)
        if _beats(game, card, suit):
            game[BEST], game[BEST_PLAYER] = card, player
    if card == PETIT:
        game[PETIT_TRICK] = game[TRICK_NUMBER] + 1
    game[PLAYED] += 1
    game[TURN] = (player + 1) % game[PLAYERS]
    if game[PLAYED] == game[PLAYERS]:
        _settle(game)
    return game[TRICK_NUMBER]


@kernel(INT, WORDS, INT, INT)
def _lay_down(game: Words, player: int, card: int) -> int:
    """Take a card from a hand, visible to all."""
    if card < PETIT:
        game[SUIT_CARDS + player] ^= 1 << card
        game[GONE_SUITS] |= 1 << card
    else:
        game[TRUMP_CARDS + player] ^= 1 << (card - PETIT)
        game[GONE_TRUMPS] |= 1 << (card - PETIT)
    if card == game[SECRET]:
        game[SECRET] = -1
    return card


@kernel(INT, WORDS, INT, INT)
def _show_void(game: Words, player: int, suit: int) -> int:
    """Note that a player who does not follow suit lacks it, and lacks trumps, too, if the card is no trump."""
    lacked = 1 << game[LED]
    if suit != TRUMP:
        lacked |= 1 << TRUMP
    game[VOIDS] |= lacked << PLAINS * player
    return lacked


@kernel(INT, WORDS, INT, INT)
def _beats(game: Words, card: int, suit: int) -> int:
    best = game[BEST]
    if best < 0:
        return 1
    if suit == suit_of(game, best):
        return int(card > best)
    return int(suit == TRUMP)


@kernel(INT, WORDS)
def _settle(game: Words) -> int:
    """Count a full trick for its winner, who leads the next one; return that player."""
    game[TRICK_NUMBER] += 1
    is_last = int(game[TRICK_NUMBER] == game[SIZE])
    winner = _last_winner(game) if is_last else game[BEST_PLAYER]
    attack_won = game[ATTACK] >> winner & 1
    for place in range(game[PLAYED]):
        card = game[CARDS + place]
        if suit_of(game, card) < 0:
            _count_excuse(game, card, game[BY + place], winner, is_last)
        elif attack_won:
            game[HALVES] += halves_of(card)
            game[OUDLERS] += int(card in (PETIT, T21))
    if is_last:
        _find_petit(game, winner)
    game[ATTACK_TRICKS] += attack_won
    game[TURN] = winner
    game[PLAYED] = 0
    game[LED] = game[BEST] = -1
    return winner


@kernel(INT, WORDS, INT, INT, INT, INT)
def _count_excuse(game: Words, card: int, player: int, winner: int, is_last: int) -> int:
    """Count an Excuse for its owner, who pays half a point if the other side won the trick; return the owner."""
    owner, attack_won = game[ATTACK] >> player & 1, game[ATTACK] >> winner & 1
    if is_last and not _is_safe(game, player):
        owner = attack_won if game[EXCUSE_TO_WINNER] else 1 - owner
    given = int(owner != attack_won)
    game[HALVES] += halves_of(card) - given if owner else given
    game[OUDLERS] += owner
    return owner


@kernel(INT, WORDS, INT)
def _is_safe(game: Words, player: int) -> int:
    """Return whether the side of a player won all tricks before the last one, and its Excuse can win that."""
    is_attack, earlier = game[ATTACK] >> player & 1, game[SIZE] - 1
    if game[EXCUSE_WINS] == NO_SIDE or (game[EXCUSE_WINS] == ATTACK_ONLY and not is_attack):
        return 0
    if game[EXCUSE_WINS] == TAKER_ONLY and player != game[TAKER]:
        return 0
    return int(game[ATTACK_TRICKS] == (earlier if is_attack else 0))


@kernel(INT, WORDS)
def _last_winner(game: Words) -> int:
    """Return the winner of the last trick: an Excuse that completes a slam, if it was led or its side would lose."""
    usual = game[BEST_PLAYER]
    for place in range(game[PLAYED]):
        player = game[BY + place]
        lost = (game[ATTACK] >> usual & 1) != (game[ATTACK] >> player & 1)
        if suit_of(game, game[CARDS + place]) < 0 and (place == 0 or lost) and _is_safe(game, player):
            return player
    return usual


@kernel(INT, WORDS, INT)
def _find_petit(game: Words, winner: int) -> int:
    """Find the winner of the petit au bout: in the last trick, or in the one before if the Excuse won the last."""
    by_excuse = 0
    for place in range(game[PLAYED]):
        if game[BY + place] == winner and suit_of(game, game[CARDS + place]) < 0:
            by_excuse = 1
    if game[PETIT_TRICK] == game[SIZE] or (by_excuse and game[PETIT_TRICK] == game[SIZE] - 1):
        game[PETIT_AU_BOUT] = 1 if game[ATTACK] >> winner & 1 else -1
    return game[PETIT_AU_BOUT]
