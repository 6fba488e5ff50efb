"""The log of heads: roots with their signatures, leaves, and proofs that it only grows and that a game is in it."""

from typing import TypedDict

from flask import Blueprint, Response

from domain.log import merkle
from domain.sentences.message import Number
from service.api.http.endpoint import Operation
from service.api.http.parameters import AFTER_LEAF, GAME_VERSION, HIGHEST, IF_NONE_MATCH, LEAVES_LIMIT, OLD_SIZE, SIZE
from service.api.http.request import address, body, query, read_by_anyone, services
from service.api.http.response import answer, hashed
from service.api.resources.bodies import NewCosignatureSchema
from service.common.errors import NotFound, Unprocessable, refusal
from service.store.event_store import LogDamaged
from service.transparency.signatures import SignedRoot
from service.transparency.transparency_log import Cosignature

_ANY_VERSION = 2**53 - 1
_COSIGNATURE = NewCosignatureSchema()

blueprint = Blueprint("heads", __name__)


class RootResource(TypedDict):
    """The root of the tree of the first ``size`` leaves (64 hex digits), as the service signed it at a time.

    The signature (Ed25519, 128 hex digits) is over ``plateau-root-v1``, a line feed, and the canonical form of the
    other four fields.
    """

    size: int
    root: str
    at: str
    key_id: str
    signature: str


class CosignatureResource(TypedDict):
    """A witness (public key, 64 hex digits) and its signature (128 hex digits) under a root.

    The operator has ``listed`` some witnesses; of others, a root keeps a few.
    """

    witness: str
    signature: str
    listed: bool


class CosignedRootResource(RootResource):
    """A root with the co-signatures of witnesses, those listed by the operator first.

    Each co-signature is over ``plateau-cosignature-v1``, a line feed, and the same canonical form.
    """

    cosignatures: list[CosignatureResource]


class ConsistencyResource(TypedDict):
    """The proof (RFC 9162, section 2.1.4) that the tree of the size ``to`` begins with that of the size ``from_size``.

    Each part has 64 hex digits; ``to`` is the newer root.
    """

    from_size: int
    to: RootResource
    proof: list[str]


class LeafPage(TypedDict):
    """The hashes of leaves (64 hex digits each), in order; ``root`` is the latest root.

    Continue after ``next``, the number of leaves up to here, until it is null.
    """

    leaves: list[str]
    next: int | None
    root: RootResource


class InclusionResource(TypedDict):
    """The proof (RFC 9162, section 2.1.3) that the head of a game at a version is the leaf at an index.

    ``root`` is the root of the proof, ``since`` the first root over this leaf.
    """

    game_id: str
    version: int
    hash: str
    index: int
    proof: list[str]
    root: RootResource
    since: RootResource


@blueprint.get("/v1/heads")
@Operation("operations", {200: CosignedRootResource}, parameters=(SIZE, IF_NONE_MATCH), problems=(404,))
def show_root() -> Response:
    """The signed root of the log of heads.

    The head of a game is the hash of its last event. Once an hour, the heads of all games with new events become leaves
    of one Merkle tree, whose root is signed. Keep a root to check later that the log has only grown. Before the first
    root, and for a size without a signed root, the response is 404.
    """
    root = _root(query()[SIZE])
    kept = [_cosignature(each) for each in services().heads.cosignatures.of(root.size)]
    shown: CosignedRootResource = {**_shown(root), "cosignatures": kept}
    return hashed(answer(shown))


@blueprint.post("/v1/heads/<int:size>/signatures")
@Operation("operations", {201: CosignatureResource}, problems=(422,), body=_COSIGNATURE, repeats=True)
def cosign_root(size: int) -> Response:
    """Co-sign a root of the log of heads, as a witness.

    Anyone can be a witness: check that the log has only grown since the last root that you co-signed, then sign this
    one. Witnesses listed by the operator can sign any root; others only the latest one, and only the first few (422). A
    signature that does not verify is 422. A repetition has no effect.
    """
    query()
    one, log = Cosignature(**body(_COSIGNATURE)), services().heads
    if size > HIGHEST:
        raise _no_such_root()
    root, is_listed = _root(size), log.cosignatures.is_listed(one.witness)
    if not root.is_cosigned(one.witness, one.signature):
        raise Unprocessable("not-signed", refusal("not-signed"))
    if not is_listed:
        services().limiter.count("cosignatures-from-address", address())
        latest = log.latest()
        if latest is None or latest.size != size:
            raise Unprocessable("not-the-latest-root", refusal("not-the-latest-root"))
    if not log.cosignatures.keep(size, one):
        raise Unprocessable("enough-witnesses", refusal("enough-witnesses"))
    return answer(_cosignature(one), 201)


@blueprint.get("/v1/heads/consistency")
@Operation("operations", {200: ConsistencyResource}, parameters=(OLD_SIZE, SIZE, IF_NONE_MATCH), problems=(404,))
def prove_consistency() -> Response:
    """The proof that the log of heads has only grown.

    Proves that the tree of `size` leaves, by default the latest, begins with the leaves of the older tree of the size
    `from_size`, in the same order. Check it against the root that you have kept. A `from_size` beyond `size` is 404.
    """
    wanted = query()
    old, root = wanted[OLD_SIZE], _root(wanted[SIZE])
    if old > root.size:
        raise _no_such_root()
    proof = merkle.consistency_proof(old, root.size, services().heads.read)
    shown: ConsistencyResource = {"from_size": old, "to": _shown(root), "proof": [each.hex() for each in proof]}
    return hashed(answer(shown))


@blueprint.get("/v1/heads/leaves")
@Operation("operations", {200: LeafPage}, parameters=(AFTER_LEAF, LEAVES_LIMIT, IF_NONE_MATCH), problems=(404,))
def list_leaves() -> Response:
    """The leaves of the log of heads.

    Returns the leaves in order, so that anyone can compute the root. A leaf is a hash that reveals nothing about a game
    without its head. The log has no leaves beyond the size of the latest root.
    """
    wanted = query()
    root, after = _root(None), wanted[AFTER_LEAF]
    end = min(after + wanted[LEAVES_LIMIT], root.size)
    found = services().heads.leaves(after, end)
    shown: LeafPage = {
        "leaves": [each.hex() for each in found],
        "next": end if end < root.size else None,
        "root": _shown(root),
    }
    return hashed(answer(shown))


@blueprint.get("/v1/games/<game_id>/inclusion")
@Operation("games", {200: InclusionResource}, "optional", (GAME_VERSION, SIZE, IF_NONE_MATCH))
def prove_inclusion(game_id: str) -> Response:
    """The proof that a head of a game is in the log of heads.

    Proves that a head is in the tree of `size` leaves, by default the latest: that of the latest logged version of the
    game up to `version`. The hash is that of the current log: if the proof fails, the game was rewritten. A game is
    logged within an hour of its last event; before that, the response is 404.
    """
    reader, wanted, caller = read_by_anyone()
    game, log = reader.show(game_id, caller), services().heads
    root = _root(wanted[SIZE])
    found = log.logged(game.id, wanted[GAME_VERSION] or _ANY_VERSION, root.size)
    since = None if found is None else log.first_with(found[1])
    if found is None or since is None:
        raise NotFound("not-logged", refusal("not-logged"))
    version, index = found
    if version > game.version:
        raise LogDamaged(game.id, version, "its head was logged at that version, but it ends before")
    (record,) = reader.records(game, version - 1, 1)
    shown: InclusionResource = {
        "game_id": game.id,
        "version": version,
        "hash": record.hash,
        "index": index,
        "proof": [each.hex() for each in merkle.inclusion_proof(index, root.size, log.read)],
        "root": _shown(root),
        "since": _shown(since),
    }
    return hashed(answer(shown))


def _cosignature(one: Cosignature) -> CosignatureResource:
    is_listed = services().heads.cosignatures.is_listed(one.witness)
    return {"witness": one.witness, "signature": one.signature, "listed": is_listed}


def _root(size: int | None) -> SignedRoot:
    """Return the latest root, or that of a size; reject a size of which none was signed."""
    log = services().heads
    root = log.latest() if size is None else log.root(size)
    if root is None:
        raise _no_such_root()
    return root


def _no_such_root() -> NotFound:
    latest = services().heads.latest()
    return NotFound("no-such-root", refusal("no-such-root", size=Number(latest.size if latest else 0)))


def _shown(root: SignedRoot) -> RootResource:
    return {"size": root.size, "root": root.root, "at": root.at, "key_id": root.key_id, "signature": root.signature}
