"""The published shuffle: every draw of a game can be recomputed once its secret is known.

The server draws a secret of 32 bytes and commits to it (``commitment``, SHA-256 in hex) in ``game_created``; players
may add seeds when they join, afterwards. A draw has a label and a number, used once a game. Where each deal has a
secret of its own (``domain.log.secrets``), its draws take that one. The random bytes of a draw are the blocks

    HMAC-SHA256(secret, canonical([label, game id, [seed or null by seat], number, counter])),  counter = 0, 1, 2, …

read as big-endian 32-bit words. ``below(n)`` takes the next word w, rejects it if w >= 2^32 - (2^32 mod n), and returns
w mod n: no value is favoured. A permutation is Fisher-Yates from the end: for i = n-1 … 1 swap items i and
below(i + 1).
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from domain.log.chain import canonical
from domain.log.secrets import DEALS, DealSecrets

T = TypeVar("T")
_WORDS = 1 << 32


def commitment(secret: bytes) -> str:
    """Return the published commitment to a secret: its SHA-256 in hex."""
    return hashlib.sha256(secret).hexdigest()


def bot_seed(secret: bytes, game_id: str, seat: int, version: int, bot: tuple[str, int]) -> int:
    """Return the seed, of 32 bits, of a move that a bot, by name and version, makes after a version of the game.

    It has nothing to do with what is dealt, and nobody knows it before the secret is revealed: with it, they could try
    which hands would have led the bot to its move.
    """
    message = canonical(["bot", game_id, seat, version, *bot])
    return int.from_bytes(hmac.new(secret, message, hashlib.sha256).digest()[:4], "big")


class Rng(Protocol):
    """The part of ``random.Random`` that samples of unseen worlds use."""

    def shuffle(self, x: MutableSequence[T]) -> None:
        """Put a list into random order, in place."""

    def randrange(self, stop: int, /) -> int:
        """Draw an integer from 0 to ``stop`` - 1."""


def below(limit: int, rng: Rng) -> int:
    """Draw an integer from 0 to ``limit`` - 1 of any size; a source need not draw from more than 2^32 at a time."""
    if limit <= _WORDS:
        return rng.randrange(limit)
    size = limit.bit_length()
    while True:
        drawn = 0
        for _ in range(0, size, 32):
            drawn = drawn << 32 | rng.randrange(_WORDS)
        drawn >>= -size % 32
        if drawn < limit:
            return drawn


@dataclass(frozen=True, slots=True)
class Chance:
    """The source of every draw with one secret: of a game, or of one of its deals."""

    secret: bytes = field(repr=False)
    game_id: str
    seeds: tuple[str | None, ...]

    def below(self, label: str, number: int, limit: int) -> int:
        """Draw one integer from 0 to ``limit`` - 1."""
        return _below(self._words(label, number), limit)

    def permutation(self, label: str, number: int, items: Sequence[T]) -> tuple[T, ...]:
        """Draw one order of the items."""
        words = self._words(label, number)
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = _below(words, i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)

    def _words(self, label: str, number: int) -> Iterator[int]:
        counter = 0
        while True:
            message = canonical([label, self.game_id, self.seeds, number, counter])
            yield from struct.unpack(">8I", hmac.new(self.secret, message, hashlib.sha256).digest())
            counter += 1


@dataclass(frozen=True, slots=True)
class Draws:
    """The source of every draw of one game; ``deals`` are the secrets of its deals, if each has one of its own."""

    secret: bytes = field(repr=False)
    game_id: str
    seeds: tuple[str | None, ...]
    deals: DealSecrets | None = None

    def of_deal(self, deal: int) -> Chance:
        """Return the source of the draws of a deal, from 1 on."""
        secret = self.secret if self.deals is None else self.deals.of(min(deal, DEALS))
        return Chance(secret, self.game_id, self.seeds)


def _below(words: Iterator[int], limit: int) -> int:
    fair = _WORDS - _WORDS % limit
    return next(word for word in words if word < fair) % limit
