"""A deal set and its log, which is chained and sealed like that of a game.

Deal n has the secret HMAC-SHA256(secret of the set, canonical(["deal", set id, n, root])). A game of the deal takes its
draws from that secret, with the id of the set and without seeds, so all who play the deal get the same cards.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from domain.chance import commitment
from domain.deal_sets.events import EVENTS, DealVoided, SetClosed, SetCreated, SetSealed
from domain.errors import wrong_moment
from domain.events import SetDeal
from domain.game.durations import instant
from domain.log import aggregates, chain
from domain.log.record import Record
from domain.log.secrets import Secrets
from domain.sentences.message import Number


@dataclass(frozen=True, slots=True)
class DealSet:
    """A deal set after ``version`` events."""

    EVENTS: ClassVar[Mapping[str, type]] = EVENTS
    id: str
    created: SetCreated = field(repr=False)
    version: int = 1
    head: str = chain.GENESIS
    at: str = ""
    sealed: SetSealed | None = None
    voided: Mapping[int, str] = field(default_factory=dict)
    """The reason for each deal that does not count, by its number."""
    closed: SetClosed | None = None

    @property
    def secrets(self) -> Secrets:
        """Return what seals the hidden part of the log."""
        return Secrets(self.id, bytes.fromhex(self.created.secret))

    @property
    def opens(self) -> int:
        """Return when deals can be opened, in ms since 1970."""
        return instant(self.created.opens)

    @property
    def closes(self) -> int:
        """Return when it closes, in ms since 1970."""
        return instant(self.created.closes)

    def is_open(self, now: int) -> bool:
        """Return whether deals can be opened at a time, which can be wrong: a set that has closed stays so."""
        return self.sealed is not None and self.closed is None and self.opens <= now < self.closes

    def deal_secret(self, number: int) -> bytes:
        """Return the secret of a deal, from 1 on; raise ``ValueError`` before the set is sealed."""
        if self.sealed is None:
            raise ValueError("a set that is not sealed has no deals yet")
        return secret_of_deal(self.created.secret, self.id, number, self.sealed.root)

    def deal(self, number: int, *, ranked: bool) -> tuple[SetDeal, bytes]:
        """Return a deal as a game names it, and its secret."""
        created = self.created
        return SetDeal(self.id, number, created.closes, ranked, created.auction), self.deal_secret(number)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of the deals that count, in order."""
        return tuple(number for number in range(1, self.created.deals + 1) if number not in self.voided)


def secret_of_deal(secret: str, set_id: str, number: int, root: str) -> bytes:
    """Derive the secret of a deal from that of its set, in hex, and the root by which the set was sealed."""
    return hmac.new(bytes.fromhex(secret), chain.canonical(["deal", set_id, number, root]), hashlib.sha256).digest()


def create(set_id: str, created: SetCreated) -> tuple[Sequence[object], DealSet]:
    """Announce a set."""
    return [created], DealSet(set_id, created)


def seal(before: DealSet, size: int, root: str) -> tuple[Sequence[object], DealSet]:
    """Fix the deals by a root of the log of heads, in hex, and the size of its tree."""
    if before.sealed is not None:
        raise wrong_moment("set-sealed")
    created = before.created
    numbers = range(1, created.deals + 1)
    hashes = (commitment(secret_of_deal(created.secret, before.id, number, root)) for number in numbers)
    return _after(before, SetSealed(size, root, tuple(hashes)))


def void(before: DealSet, number: int, reason: str) -> tuple[Sequence[object], DealSet]:
    """Take a deal out of the results."""
    _check_going_on(before)
    if not 1 <= number <= before.created.deals or number in before.voided:
        raise wrong_moment("no-such-deal", last=Number(before.created.deals))
    return _after(before, DealVoided(number, reason))


def close(before: DealSet, results: bytes, now: int) -> tuple[Sequence[object], DealSet]:
    """Close a set whose time is over, with its results in canonical form; ``now`` is in ms since 1970.

    That of a round of a tournament can close earlier: when all its tables have finished.
    """
    _check_going_on(before)
    if now < before.closes and before.created.tournament is None:
        raise wrong_moment("set-open")
    return _after(before, SetClosed(before.created.secret, hashlib.sha256(results).hexdigest()))


def _check_going_on(before: DealSet) -> None:
    if before.sealed is None or before.closed is not None:
        raise wrong_moment("set-closed")


def _after(before: DealSet, event: object) -> tuple[Sequence[object], DealSet]:
    return [event], evolve(before, event)


def evolve(before: DealSet, event: object) -> DealSet:
    """Record an event that follows the first."""
    after = replace(before, version=before.version + 1)
    match event:
        case SetSealed():
            return replace(after, sealed=event)
        case DealVoided(number, reason):
            return replace(after, voided={**before.voided, number: reason})
        case SetClosed():
            return replace(after, closed=event)
        case _:
            raise TypeError(f"no event of a deal set: {event!r}")


def fold(records: Iterable[Record]) -> DealSet:
    """Fold a whole log."""
    return aggregates.fold(records, DealSet, EVENTS, evolve)
