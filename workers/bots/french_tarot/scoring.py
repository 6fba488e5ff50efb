"""The payment of each player for a deal of French Tarot that was played to its end, in plain integers (``kernel``)."""

from workers.bots.compiled import INT, WORDS, Words, kernel
from workers.bots.french_tarot.kernel import (
    ATTACK,
    ATTACK_TRICKS,
    HALVES,
    LOST,
    MADE,
    MISERES,
    MULTIPLIER,
    OUDLERS,
    PARTNER,
    PETIT_AU_BOUT,
    PLAYERS,
    POIGNEES,
    SHORT,
    SIZE,
    SLAM,
    SPLITS_EQUALLY,
    STEP,
    TAKER,
)

_TARGETS = (56, 51, 41, 36)
"""The card points that the attack needs, by the number of its oudlers."""


@kernel(INT, WORDS)
def unit_of(game: Words) -> int:
    """Return what each defender pays the attack once all tricks are played."""
    halves, target = game[HALVES], _TARGETS[game[OUDLERS]]
    points, sign = halves // 2, -1
    if halves >= 2 * target:
        points, sign = (halves + 1) // 2, 1
    elif halves == 2 * target - 1 and game[SHORT] != LOST:
        points, sign = target, (1 if game[SHORT] == MADE else 0)
    difference = abs(points - target)
    paid = (difference + game[STEP] // 2) // game[STEP] * game[STEP]
    contract = sign * (25 + paid) * game[MULTIPLIER]
    return contract + game[PETIT_AU_BOUT] * 10 * game[MULTIPLIER] + sign * game[POIGNEES] + _slam(game)


@kernel(INT, WORDS)
def _slam(game: Words) -> int:
    """Return the value of slams to the attack."""
    is_made = game[ATTACK_TRICKS] == game[SIZE]
    points = 200 if is_made else 0
    if game[SLAM] == 1:
        points = 400 if is_made else -200
    elif game[SLAM] == 2:
        points = 300 if game[ATTACK_TRICKS] >= game[SIZE] - 1 else -150
    return points - (0 if game[ATTACK_TRICKS] else 200)


@kernel(INT, WORDS, INT)
def score_of(game: Words, player: int) -> int:
    """Return what a player wins or loses."""
    unit, others = unit_of(game), game[PLAYERS] - 1
    if not game[ATTACK] >> player & 1:
        return game[MISERES + player] - unit
    if game[PARTNER] < 0:
        return game[MISERES + player] + others * unit
    half = unit
    if game[SPLITS_EQUALLY]:
        half = abs(3 * unit) // 2
        if unit < 0:
            half = -half
    return game[MISERES + player] + (3 * unit - half if player == game[TAKER] else half)
