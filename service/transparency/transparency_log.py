"""The log of heads in one Redis: one tree for the whole service, which only grows.

There is one tree, not one for each shard, so clients follow, compare and co-sign a single root and need not know the
number of shards.

The nodes of the tree are kept in the order in which they become complete, in chunks, so appending never reads more than
the frontier, and a proof reads a few dozen nodes at most. Leaves, nodes and their root arrive in one atomic step.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import compress, count, groupby, islice
from typing import Any, TypeAlias, cast

import orjson
import redis

from domain.log import merkle
from domain.log.heads import head_leaf
from domain.log.merkle import HASH_BYTES, Node
from domain.serialization import Plain
from service.store import keys
from service.store.archive.archived_games import head_in, pairs
from service.store.codec import Head, record_of, version_in
from service.store.scripts import script
from service.store.shards import shards_of
from service.transparency.signatures import ROOT, Signed, SignedRoot, root_in

MOST_OF_STRANGERS = 8
"""How many witnesses that are not listed a root keeps."""
_SEARCHED = 100
"""Among how many co-signed roots those of listed witnesses are looked for: in four days, there is one of each."""


@dataclass(frozen=True, slots=True)
class Cosignature:
    """A witness (its public key, 64 hex digits), and its signature (128 hex digits)."""

    witness: str
    signature: str


class Cosignatures:
    """The co-signatures in one Redis; ``listed`` are the public keys of the witnesses whom the operator knows."""

    def __init__(self, client: redis.Redis, listed: Sequence[str] = ()) -> None:
        self._redis = client
        self._listed = listed
        self._keep = script(client, __name__, "cosign")

    def is_listed(self, witness: str) -> bool:
        return witness in self._listed

    def keep(self, size: int, one: Cosignature) -> bool:
        """Keep a co-signature of the root of a size; return whether it is there now. The first of a witness stays."""
        names = [keys.head_cosignatures(size), keys.HEAD_COSIGNED]
        args: list[str | int] = [size, one.witness, one.signature, MOST_OF_STRANGERS, *self._listed]
        return bool(self._keep(names, args))

    def of(self, size: int) -> list[Cosignature]:
        """Return the co-signatures of the root of a size, those of listed witnesses first."""
        found = cast("Mapping[bytes, bytes]", self._redis.hgetall(keys.head_cosignatures(size)))
        kept = [Cosignature(witness.decode(), signature.decode()) for witness, signature in found.items()]
        return sorted(kept, key=lambda each: (not self.is_listed(each.witness), each.witness))

    def firsts_from(self, size: int) -> list[int]:
        """Return the sizes, from this one on, of the first root that each listed witness has co-signed, in order.

        If there are none among the first ``_SEARCHED`` co-signed roots, return that of the first one; none without any.
        """
        found = self._redis.zrangebyscore(keys.HEAD_COSIGNED, size, "+inf", 0, _SEARCHED)
        sizes = [int(each) for each in cast("list[bytes]", found)]
        pipe = self._redis.pipeline(transaction=False)
        for each in sizes if self._listed else ():
            pipe.hmget(keys.head_cosignatures(each), self._listed)
        rows = cast("list[list[bytes | None]]", pipe.execute())
        by_witness = [next(compress(sizes, column), None) for column in zip(*rows, strict=True)]
        return sorted({each for each in by_witness if each is not None}) or sizes[:1]


# -- the log of heads in one Redis --------------------------------------------------------------------------------

CHUNK = 2**15
"""How many nodes a key has: a megabyte."""
_LEAVES_OF_A_PAGE = 100


Sign: TypeAlias = Callable[[str, Mapping[str, Plain]], Signed]
"""Signs a statement for a purpose."""


class TransparencyLog:
    """The tree, its roots, and which leaves are those of a game."""

    def __init__(self, client: redis.Redis, witnesses: Sequence[str] = ()) -> None:
        self._redis = client
        self.cosignatures = Cosignatures(client, witnesses)
        self._grow = script(client, __name__, "extend_log")

    def latest(self) -> SignedRoot | None:
        return _first(self._redis.xrevrange(keys.HEAD_ROOTS, "+", "-", count=1))

    def root(self, size: int) -> SignedRoot | None:
        return _first(self._redis.xrange(keys.HEAD_ROOTS, f"{size}-0", f"{size}-0"))

    def first_with(self, index: int) -> SignedRoot | None:
        """Return the first root that is over the leaf with an index; None if there is no such leaf."""
        return _first(self._redis.xrange(keys.HEAD_ROOTS, f"{index + 1}-0", "+", count=1))

    def read(self, nodes: Sequence[Node]) -> list[bytes]:
        pipe = self._redis.pipeline(transaction=False)
        for each in nodes:
            chunk, number = divmod(merkle.place(each), CHUNK)
            pipe.getrange(keys.head_nodes(chunk), number * HASH_BYTES, (number + 1) * HASH_BYTES - 1)
        return cast("list[bytes]", pipe.execute())

    def leaves(self, start: int, stop: int) -> list[bytes]:
        return self.read([(0, index) for index in range(start, stop)])

    def logged(self, game_id: str, version: int, size: int | None = None) -> tuple[int, int] | None:
        """Return the latest version of a game, up to this one, whose head is logged, and the index of its leaf.

        With a ``size``, only the first leaves, so many, count: those of the tree of that size.
        """
        for start in count(step=_LEAVES_OF_A_PAGE):
            page = self._logged(game_id, version, start)
            latest = next((each for each in page if size is None or each[1] < size), None)
            if latest is not None or len(page) < _LEAVES_OF_A_PAGE:
                break
        return latest

    def _logged(self, game_id: str, version: int, start: int) -> list[tuple[int, int]]:
        """Return a page of what is logged of a game up to a version, the latest first."""
        name, most = keys.heads_of(game_id), _LEAVES_OF_A_PAGE
        found = self._redis.zrevrangebyscore(name, version, 0, start, most, withscores=True)
        return [(int(logged), int(index)) for index, logged in cast("list[tuple[bytes, float]]", found)]

    def round_ended(self) -> str | None:
        """Return when the last round began after which the heads of all games were logged; None before the first."""
        found = cast("bytes | None", self._redis.get(keys.HEAD_ROUND))
        return None if found is None else found.decode()

    def end_round(self, began: str) -> None:
        """Keep that the heads of all games are logged as they were at a time."""
        self._redis.set(keys.HEAD_ROUND, began)

    def new_among(self, heads: Sequence[Head]) -> list[Head]:
        """Return the heads that are later than what is logged of their games."""
        pipe = self._redis.pipeline(transaction=False)
        for each in heads:
            pipe.zcount(keys.heads_of(each.game), each.version, "+inf")
        is_known = pipe.execute()
        return [each for each, known in zip(heads, is_known, strict=True) if not known]

    def append(self, heads: Sequence[Head], before: int, at: str, sign: Sign) -> bool:
        """Append new heads to the tree of the size ``before``, and sign the root of all.

        Return False, and change nothing, if another process was faster.
        """
        leaves = [head_leaf(each.game, each.version, each.hash) for each in heads]
        grown, nodes = merkle.frontier(before, self.read).grown(leaves)
        signed = sign(ROOT, {"at": at, "root": grown.root().hex(), "size": grown.size})
        chunks = _by_chunk(merkle.place((0, before)), nodes)
        root = orjson.dumps({**signed.statement, "signature": signed.signature})
        games = [keys.heads_of(each.game) for each in heads]
        args: list[int | bytes] = [before, grown.size, root, len(chunks)]
        args += [*(part for _, part in chunks), *(each.version for each in heads)]
        return bool(self._grow([keys.HEAD_ROOTS, *(name for name, _ in chunks), *games], args))


def _by_chunk(start: int, nodes: Sequence[bytes]) -> list[tuple[str, bytes]]:
    """Divide nodes, of which the first has a place, among the keys that they are appended to."""
    placed = groupby(enumerate(nodes, start), lambda each: each[0] // CHUNK)
    return [(keys.head_nodes(chunk), b"".join(node for _, node in part)) for chunk, part in placed]


def _first(entries: object) -> SignedRoot | None:
    found = cast("list[tuple[bytes, dict[bytes, bytes]]]", entries)
    return root_in(orjson.loads(found[0][1][b"r"])) if found else None


@dataclass(frozen=True, slots=True)
class Logged:
    """The latest version of a game whose head is logged, the index of its leaf, and roots over it, by size.

    These are the first ones that the listed witnesses have co-signed; or else the first one that any witness has, or
    else the first one. Each comes with its co-signatures. More can come later.
    """

    version: int
    index: int
    roots: tuple[tuple[SignedRoot, tuple[Cosignature, ...]], ...]

    def lines(self, log: TransparencyLog, head: str) -> Iterator[Mapping[str, Plain]]:
        """Return the lines for a game with this hash (64 hex digits) at the version."""
        for root, cosignatures in self.roots:
            yield {"root": asdict(root)}
            for each in cosignatures:
                yield {"cosignature": {"size": root.size, **asdict(each)}}
            proof = [part.hex() for part in merkle.inclusion_proof(self.index, root.size, log.read)]
            inclusion = {"version": self.version, "hash": head, "index": self.index, "size": root.size}
            yield {"inclusion": {**inclusion, "proof": proof}}


def logged_with_roots(log: TransparencyLog, game_id: str, version: int) -> Logged | None:
    """Return what is logged of a game up to a version; None if nothing is."""
    found = log.logged(game_id, version)
    if found is None:
        return None
    cosigned = [log.root(size) for size in log.cosignatures.firsts_from(found[1] + 1)]
    roots = [root for root in cosigned or [log.first_with(found[1])] if root is not None]
    return Logged(*found, tuple((root, tuple(log.cosignatures.of(root.size))) for root in roots)) if roots else None


# -- the games with new events since their head was logged; every append adds its game, in the same step ----------


_log = logging.getLogger("plateau.worker")

_PAGE = 1000
"""About how many games are read at once."""


class Unlogged:
    def __init__(self, client: redis.Redis, shards: int) -> None:
        self._redis = client
        self._shards = shards_of(client, shards)
        self._settle = script(client, __name__, "mark_logged")

    def add_all(self) -> None:
        """Add every game that is longer than what is logged of it, no matter who wrote to it."""
        for shard in self._shards:
            summaries = self._redis.hscan_iter(shard.summaries, count=_PAGE)
            while page := [game.decode() for game, _ in islice(summaries, _PAGE)]:
                self._add(shard, page)

    def add(self, games: Sequence[str]) -> None:
        """Add those of some games that are longer than what is logged of them."""
        for game in games:
            self._add(self._shards.of(game), [game])

    def _add(self, shard: keys.Shard, games: Sequence[str]) -> None:
        pipe = self._redis.pipeline(transaction=False)
        for game in games:
            pipe.xrevrange(keys.GameKeys(game, shard).events, "+", "-", count=1)
            pipe.hget(shard.archived, game)
        for game, (last, pointer) in zip(games, pairs(pipe.execute()), strict=True):
            version = head_in(game, pointer).version if pointer else version_in(last)
            pipe.zcount(keys.heads_of(game), version, "+inf")
        missing = [game for game, is_logged in zip(games, pipe.execute(), strict=True) if not is_logged]
        if missing:
            self._redis.zadd(shard.unlogged, dict.fromkeys(missing, 0), nx=True)

    def games(self) -> Iterator[str]:
        """Read the games to be logged, page by page: those of the first shard first, and by id within a page.

        What is added or forgotten at the same time can be missing, and any can come twice.
        """
        for shard in self._shards:
            cursor = None
            while cursor != 0:
                found = self._redis.zscan(shard.unlogged, cursor or 0, count=_PAGE)
                cursor, page = cast("tuple[int, list[tuple[bytes, float]]]", found)
                yield from sorted(game.decode() for game, _ in page)

    def heads(self, games: Sequence[str]) -> list[Head]:
        """Return the current heads of games, without those that have none, which need not be logged."""
        self._shards.look_for(games)
        pipe = self._redis.pipeline(transaction=False)
        for game_id in games:
            shard = self._shards.of(game_id)
            pipe.xrevrange(keys.GameKeys(game_id, shard).events, "+", "-", count=1)
            pipe.hget(shard.archived, game_id)
        found = zip(games, pairs(pipe.execute()), strict=True)
        heads = {game: head_in(game, pointer) if pointer else _head(game, last) for game, (last, pointer) in found}
        for game in (game for game, head in heads.items() if head is None):
            self._redis.zrem(self._shards.of(game).unlogged, game)
        return [head for head in heads.values() if head is not None]

    def settle(self, heads: Sequence[Head]) -> None:
        """Forget games whose heads are logged, unless they have new events since."""
        by_shard: dict[str, list[str | int]] = {}
        for each in heads:
            by_shard.setdefault(self._shards.of(each.game).unlogged, []).extend((each.game, each.version))
        for name, args in by_shard.items():
            self._settle([name], args)


def _head(game_id: str, entries: Any) -> Head | None:
    """Read the head of a log; one that cannot be read must not delay the others, and is retried at its next event."""
    try:
        record = record_of(game_id, *entries[0]) if entries else None
    except ValueError as error:
        _log.warning("the head of %s is not logged: %s", game_id, error)
        return None
    return None if record is None else Head(game_id, record.version, record.hash, record.at)
