"""The keys of a store, old and new: the last one signs, and all of them stay published; and the receipts that it signs.

A key is made when the first one is needed, and kept in the store, so that every process signs with the same. An
operator can bring own keys in a file instead; then the store knows only their public halves, and since when they sign.

A receipt states that the log of a game has a hash at a version. It is one JSON object: what a statement says (``game``,
``version``, ``hash``, ``at``, ``key_id``), and its ``signature``. A write and a later read of the same version get the
same bytes.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Literal, cast

import orjson
import redis
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.serialization import Plain
from service.store import keys
from service.store.codec import Head, canonical
from service.store.event_store import StoreUnavailable
from service.transparency.signatures import Signed, key_id, public_half, sign, verify

_FRESH_SECONDS = 60
"""For how long a process uses its cached keys; then it checks for a new one."""


class KeyInFile(ValueError):
    """The service signs with a key from a file, so no other key can take its place in the store."""


@dataclass(frozen=True, slots=True)
class Period:
    """A public key (64 hex digits), and the time from which and until which it signed; ``until`` is None for now."""

    key_id: str
    public_key: str
    since: str
    until: str | None


@dataclass(frozen=True, slots=True)
class _Entry:
    """A key as the store knows it; ``private`` is "" for one from a file."""

    public: str
    since: str
    private: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class _Known:
    """What a process knows of the keys, and until when (of the monotonic clock) it need not look again.

    ``public`` are the public keys by their ids; of the private ones, it knows the one that signs.
    """

    public: Mapping[str, str]
    signing: Ed25519PrivateKey = field(repr=False)
    key_id: str
    fresh_until: float


@dataclass(eq=False)
class KeyRing:
    """The keys in one Redis; ``own`` are those from a file: the first signs, the others have signed before.

    ``now`` returns the time as the log writes it.
    """

    _redis: redis.Redis
    _now: Callable[[], str]
    _own: Sequence[Ed25519PrivateKey] = ()
    _known: _Known | None = field(default=None, init=False)

    @property
    def key_id(self) -> str:
        return self._current().key_id

    def sign(self, purpose: str, statement: Mapping[str, Plain]) -> Signed:
        """Sign a statement with the key of now, whose id is added to it.

        Raise ``StoreUnavailable`` only if this process has not read the keys yet.
        """
        known = self._current()
        return sign(known.signing, known.key_id, purpose, statement)

    def periods(self) -> list[Period]:
        """Return all keys, the oldest first, as the store has them now; raise ``StoreUnavailable``.

        Keys that are missing are added first, as before signing.
        """
        entries = self._completed()
        self._known = self._opened(entries)
        return _periods(entries)

    def listed(self) -> list[Period]:
        """Return all keys that the store has, the oldest first, and add none; raise ``StoreUnavailable``."""
        return _periods(self._read())

    def public_keys(self, named: str | None = None) -> Mapping[str, str]:
        """Return all public keys by their ids, as ``signatures.verify`` wants them; raise ``StoreUnavailable``.

        The store is not asked if this process knows the key that is ``named``.
        """
        known = self._known
        if known is None or named not in known.public:
            self._known = known = self._opened(self._completed())
        return known.public

    def lacks_file(self) -> bool:
        """Return whether the service signs with a key from a file that this process does not have."""
        return not self._own and _signs_from_file(self._read())

    def rotate(self) -> None:
        """Make a new key, which signs from now on; other processes follow within a minute.

        Raise ``KeyInFile`` if the keys come from a file: one of this process, or one that the service has signed with
        last, since its processes would not follow.
        """
        entries = self._read()
        if self._own or _signs_from_file(entries):
            raise KeyInFile
        self._add(entries, self._made())
        self._known = self._opened(self._completed())

    def _current(self) -> _Known:
        known = self._known
        if known is None:
            known = self._opened(self._completed())
        elif time.monotonic() >= known.fresh_until:
            try:
                known = self._opened(self._completed())
            except StoreUnavailable:
                return known
        self._known = known
        return known

    def _opened(self, entries: Sequence[_Entry]) -> _Known:
        latest = next((each for each in reversed(entries) if each.private), None)
        if self._own or latest is None:
            signing = self._own[0]
        else:
            signing = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(latest.private))
        public = {key_id(each.public): each.public for each in entries}
        return _Known(public, signing, key_id(public_half(signing)), time.monotonic() + _FRESH_SECONDS)

    def _completed(self) -> list[_Entry]:
        """Read the keys; first add those that are missing."""
        entries = self._read()
        while (missing := self._missing(entries)) is not None:
            self._add(entries, missing)
            entries = self._read()
        return entries

    def _missing(self, entries: Sequence[_Entry]) -> _Entry | None:
        """Return the next key to add: one from the file, the oldest first, or one to be made."""
        if not self._own:
            return None if entries and entries[-1].private else self._made()
        known = {each.public for each in entries}
        in_file = [public_half(key) for key in self._own]
        for public in reversed(in_file):
            if public not in known:
                return _Entry(public, self._now())
        return None if entries[-1].public == in_file[0] else _Entry(in_file[0], self._now())

    def _made(self) -> _Entry:
        key = Ed25519PrivateKey.generate()
        return _Entry(public_half(key), self._now(), key.private_bytes_raw().hex())

    def _read(self) -> list[_Entry]:
        found = cast("dict[bytes, bytes]", self._redis.hgetall(keys.SIGNING_KEYS))
        return [_Entry(**orjson.loads(found[number])) for number in sorted(found, key=int)]

    def _add(self, entries: Sequence[_Entry], entry: _Entry) -> None:
        """Add a key after those known, unless another process has just added one."""
        since = max(entry.since, entries[-1].since) if entries else entry.since
        content = orjson.dumps({"public": entry.public, "since": since, "private": entry.private})
        self._redis.hsetnx(keys.SIGNING_KEYS, str(len(entries)), content)


def _signs_from_file(entries: Sequence[_Entry]) -> bool:
    return bool(entries) and not entries[-1].private


def _periods(entries: Sequence[_Entry]) -> list[Period]:
    ends = (*(later.since for later in entries[1:]), None)
    return [Period(key_id(each.public), each.public, each.since, end) for each, end in zip(entries, ends, strict=False)]


PURPOSE = "receipt"
InLog = Literal["matches", "contradicts", "unknown"]
"""What the log of a game says to a receipt."""
_MOST_KEPT = 512
"""How many receipts a process keeps, because many ask for those of the same versions."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A receipt as a client presents it; nothing of it is true until its signature is verified."""

    game: str
    version: int
    hash: str
    at: str
    key_id: str
    signature: str

    def is_signed_by(self, public_keys: Mapping[str, str]) -> bool:
        statement = asdict(self)
        return verify(public_keys, PURPOSE, statement, statement.pop("signature"))

    def contradicts(self, other: "Receipt") -> bool:
        """Return whether both cannot be true of one log: they give one version of a game two heads.

        If both are signed, they are proof against anyone who has the keys.
        """
        is_same_place = (self.game, self.version) == (other.game, other.version)
        return is_same_place and (self.hash, self.at) != (other.hash, other.at)


class Receipts:
    def __init__(self, ring: KeyRing) -> None:
        self.ring = ring
        self._written = lru_cache(_MOST_KEPT)(self._write)

    def of(self, head: Head) -> str:
        """Return the receipt for a version of a game: ASCII, one line."""
        return self._written(head, self.ring.key_id)

    def _write(self, head: Head, _key_id: str) -> str:
        named = {"at": head.at, "game": head.game, "hash": head.hash, "version": head.version}  # asdict takes longer
        signed = self.ring.sign(PURPOSE, named)
        return canonical({**signed.statement, "signature": signed.signature}).decode()


def receipt_in(content: bytes | str) -> Receipt:
    """Read a receipt; raise ``ValueError`` unless it has all parts, each of its type, and nothing more."""
    try:
        found: Any = orjson.loads(content)
        receipt = Receipt(**found)
    except (TypeError, ValueError) as error:
        raise ValueError("not a receipt") from error
    texts = (receipt.game, receipt.hash, receipt.at, receipt.key_id, receipt.signature)
    if type(receipt.version) is not int or not all(isinstance(text, str) for text in texts):
        raise ValueError("not a receipt")
    return receipt
