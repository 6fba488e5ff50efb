"""The values of the spaces, cards and tricks of a hand, by their importance for an objective."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from domain.cardplay.cards import EXCUSE
from domain.le_plateau.board import OBJECTIVES, Objective, Space
from domain.le_plateau.options import Edition
from workers.bots.compiled import fast, words
from workers.bots.le_plateau import reckoning as r
from workers.bots.le_plateau.grid import BITS, WHOLE
from workers.bots.le_plateau.importance import GRID, weigh
from workers.bots.le_plateau.kernel import FRENCH_EXCUSE
from workers.bots.le_plateau.loader import SUIT_BITS, TRUMP_BITS, board_of, spaces_as_bits

FILLINGS: Final = 300
"""Fillings for one decision: the error of an importance is then about 6 in 100."""

FILLINGS_AHEAD: Final = 1500
"""Fillings of an empty board, which is valued once."""

KING: Final = 120
"""The value of holding back a king, in hundredths of the mean importance of a space (measured, docs/bots.md)."""

Worth: TypeAlias = Mapping[Space, int]


@dataclass(frozen=True, slots=True)
class Arena:
    """The aim of a hand: the board, the edition that judges it, and the objective."""

    tokens: tuple[Space, ...]
    edition: Edition
    objective: Objective


def importance(
    arena: Arena, mine: Iterable[Space], gone: Iterable[Space], chance: int, fillings: int = FILLINGS
) -> dict[Space, int]:
    """Return the importance of each free space; ``gone`` are those that the opposing team has, or will have."""
    tokens, board = arena.tokens, board_of(arena.tokens, arena.edition)
    owned = spaces_as_bits(tokens, mine)
    free = WHOLE & ~owned & ~spaces_as_bits(tokens, gone)
    result = words([0] * GRID + [fillings])
    fast(weigh)(owned, free, 1 << OBJECTIVES.index(arena.objective), words(board), words([chance]), result)
    return {token: int(result[bit.bit_length() - 1]) for token, bit in zip(tokens, BITS, strict=True) if bit & free}


@lru_cache(maxsize=64)
def importance_ahead(arena: Arena) -> Worth:
    """Return the importance of each space of an empty board."""
    return importance(arena, (), (), 1, FILLINGS_AHEAD)


def worths(of_spaces: Worth, king: int = KING) -> list[int]:
    """Return the array of worths that ``reckoning`` reads."""
    result = [0] * r.WORTHS
    for space, worth in of_spaces.items():
        if space.startswith("#"):
            result[r.WORTH_TRICKS + int(space[1:])] = worth
        elif space in SUIT_BITS:
            result[SUIT_BITS[space].bit_length() - 1] = worth
        else:
            result[r.WORTH_TRUMPS + TRUMP_BITS[space].bit_length() - 1] = worth
            if space == EXCUSE:
                result[r.WORTH_TRUMPS + FRENCH_EXCUSE.bit_length() - 1] = worth
    result[r.WORTH_OF_POWER] = king * sum(of_spaces.values()) // (100 * max(len(of_spaces), 1))
    return result
