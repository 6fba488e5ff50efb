"""The secrets of a game: its own, and one for each deal, so that a finished deal opens during the game.

The secrets of the deals are a chain that ends where the game publishes its anchor, before anything is dealt:

    s_256 = HMAC-SHA256(game secret, canonical(["deals", game id])),  s_(n-1) = SHA-256(s_n),  anchor = s_0

Deal n has the secret s_n, which also gives those of all deals before it, and none of those after it. The deals from 256
on share the last one.
"""

import hashlib
import hmac
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from domain.log import chain
from domain.serialization import Plain

REVEALED = "secret_revealed"
"""The type of the event that reveals the secret of a deal."""

DEALS = 256
"""How many deals of a game have a secret of their own."""

DEAL_SECRET, MASK = "/deal_secret", "/mask"
OF_THE_SET = (DEAL_SECRET, MASK)
"""The hidden parts of a game's first event that stay hidden until the deal set of its deal has closed.

The mask is sealed under the secret of the deal: it is one of a few, which could be tried out otherwise.
"""

OF_THE_GAME = frozenset({"/secret", DEAL_SECRET, chain.THOUGHT})
"""The hidden parts that stay hidden until the game is over: its secrets, and what bots thought."""

_KEPT = 4096
"""How many secrets of deals are kept: about 200 bytes each."""


@lru_cache(_KEPT)
def _earlier(secret: bytes, deals: int) -> bytes:
    for _ in range(deals):
        secret = hashlib.sha256(secret).digest()
    return secret


@dataclass(frozen=True, slots=True)
class DealSecrets:
    """The secrets of the deals of a game, as far as the latest one that is known: that of ``deal``."""

    latest: bytes = field(repr=False)
    deal: int = DEALS

    def of(self, deal: int) -> bytes:
        """Return the secret of a deal, from 1 on; 0 gives the anchor."""
        if not 0 <= deal <= self.deal:
            raise ValueError(f"the secret of deal {deal} is not known; that of deal {self.deal} is the latest")
        return _earlier(self.latest, self.deal - deal)

    def revealed(self, deal: int) -> str:
        """Return the secret of a deal as an event reveals it: 64 hex digits; 0 gives the anchor."""
        return self.of(deal).hex()


def of_deals(game_secret: bytes, game_id: str) -> DealSecrets:
    """Derive the secrets of all deals."""
    return DealSecrets(hmac.new(game_secret, chain.canonical(["deals", game_id]), hashlib.sha256).digest())


def of_set(secret: str) -> DealSecrets:
    """Return the secret of the only deal of a game, which its set has given out as hex digits."""
    return DealSecrets(bytes.fromhex(secret), 1)


@dataclass(frozen=True, slots=True)
class Secrets:
    """What seals the hidden parts of a log: ``game`` alone, or also a secret for each deal.

    ``revealed`` are the versions of the events that revealed the secret of a deal, in order: the first deal's first.
    """

    game_id: str
    game: bytes = field(repr=False)
    deals: DealSecrets | None = None
    revealed: tuple[int, ...] = ()
    withheld: tuple[str, ...] = ()
    """The pointers of the parts that nobody sees, also after the end."""

    def salt(self, version: int, pointer: str) -> str:
        """Derive the salt (32 hex digits) of a hidden part."""
        return chain.salt(self._sealing(version, pointer), self.game_id, version, pointer)

    def is_open(self, version: int, pointer: str) -> bool:
        """Return whether the secret that seals a part is already public."""
        return bool(self.revealed) and version < self.revealed[-1] and pointer not in OF_THE_GAME

    def after(self, version: int) -> "Secrets":
        """Return the secrets after an event that revealed that of a deal, which can be known already."""
        return self if version in self.revealed else replace(self, revealed=(*self.revealed, version))

    def deal_of(self, version: int) -> int:
        """Return the number of the deal that an event belongs to: 1 also before the first deal."""
        return bisect_left(self.revealed, version) + 1

    def _sealing(self, version: int, pointer: str) -> bytes:
        if self.deals is None or pointer in OF_THE_GAME:
            return self.game
        return self.deals.of(self.deal_of(version))


def in_first_event(game_id: str, data: Mapping[str, Plain]) -> Secrets:
    """Return the secrets of a game, as the whole data of its first event has them.

    Raise ``LookupError``, ``TypeError`` or ``ValueError`` if it has none.
    """
    secret, of_deal = bytes.fromhex(data["secret"]), data.get("deal_secret")
    if of_deal is not None:
        return Secrets(game_id, secret, of_set(of_deal))
    return Secrets(game_id, secret, None if data.get("deal_anchor") is None else of_deals(secret, game_id))
