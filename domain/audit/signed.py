"""What a server has signed of a game, in its bundle or kept by a reader: receipts, roots and co-signatures.

A signature proves something only by a key that the reader trusts. Without one, a bundle's own keys are used, which
shows no more than that its lines agree with each other. The domain has no signatures of its own: who asks for an audit
brings the function that checks them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from typing import TypeAlias

from domain.audit.bundle import Bundle
from domain.audit.faults import Wrong, compare, value
from domain.audit.structure import is_over
from domain.game.durations import SECOND, instant
from domain.log import merkle
from domain.log.heads import head_leaf
from domain.log.record import Shown
from domain.serialization import Plain

IsSigned: TypeAlias = Callable[[str, str, Mapping[str, Plain], str], bool]
"""Whether a public key (hex) has signed a statement for a purpose; whatever it gets, it only returns."""

Line: TypeAlias = Mapping[str, Plain]

_FORMS: Mapping[str, Mapping[str, type]] = {
    "receipt": {"at": str, "game": str, "hash": str, "key_id": str, "signature": str, "version": int},
    "root": {"at": str, "key_id": str, "root": str, "signature": str, "size": int},
    "cosignature": {"signature": str, "size": int, "witness": str},
    "inclusion": {"hash": str, "index": int, "proof": list, "size": int, "version": int},
    "keys": {"keys": list},
}
CLOCKS = 60 * SECOND
"""How far apart the clocks of the processes of one service are believed to be, in ms."""
REPLACED = 60 * SECOND
"""How long processes can sign with a key after it was replaced, in ms."""

_ROOT = ("at", "key_id", "root", "size")


@dataclass(frozen=True, slots=True)
class Trust:
    """Whose signatures count: the public keys of the server by their ids (None: none is known), and of witnesses.

    ``receipts`` are those that a reader has kept, of any games. At least ``least`` of the ``witnesses`` must have
    co-signed a root that the game is proved to be under, not all of them the same one. ``since`` is when keys of the
    server were made, by their ids, as far as that is known, and ``until`` when they were replaced: they cannot have
    signed a root before or after.
    """

    is_signed: IsSigned
    keys: Mapping[str, str] | None = None
    receipts: Sequence[Line] = ()
    witnesses: Sequence[str] = ()
    least: int = 0
    since: Mapping[str, str] = field(default_factory=dict)
    until: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence about what was found; it is a ``warning`` if something that was asked for was not checked."""

    text: str
    warning: bool = False


def check(bundle: Bundle, trust: Trust) -> Iterator[Said]:
    """Check all that was signed against a log whose chain is verified; raise ``Wrong``."""
    for kind in _FORMS:
        for number, line in enumerate(bundle.signed.get(kind, ()), 1):
            _check_form(kind, number, line)
    keys = _keys_in(bundle) if trust.keys is None else trust.keys
    yield from _own_receipts(bundle, trust, keys)
    for number, receipt in enumerate(bundle.signed.get("receipt", ()), 1):
        _check_signed(f"receipt {number}", "receipt", receipt, keys, trust)
        _check_receipt(f"receipt {number}", bundle.events, receipt, bundle.header["game_id"])
    roots = _roots(bundle, keys, trust)
    proved = _proved(bundle, roots)
    yield from _missing(bundle, trust, max((version for version, _ in proved), default=0))
    yield from _rooted(bundle, roots, proved)
    yield from _witnessed(bundle, trust, proved, _cosigned(bundle, roots, trust))


def _check_form(kind: str, number: int, line: Line) -> None:
    form, place = _FORMS[kind], f"{kind} {number}"
    if line.keys() != form.keys():
        raise Wrong(None, place, f"the keys {value(sorted(form))}", value(sorted(line)))
    for name, cls in form.items():
        if type(line[name]) is not cls:
            raise Wrong(None, f"{place}/{name}", f"a value of type {cls.__name__}", value(line[name]))


def _keys_in(bundle: Bundle) -> Mapping[str, str]:
    """Return the keys that a bundle brings, by their ids."""
    found: dict[str, str] = {}
    for number, line in enumerate(bundle.signed.get("keys", ()), 1):
        for index, key in enumerate(line["keys"]):
            place = f"keys {number}/keys/{index}"
            public: Plain = key.get("public_key") if isinstance(key, dict) else None
            digest = _digest(public)
            if digest is None or not isinstance(public, str):
                raise Wrong(None, place, "a public key of 64 hex digits", value(key))
            compare(None, f"{place}/key_id", digest, key.get("key_id"))
            found[digest] = public
    return found


def _digest(public_key: Plain) -> str | None:
    """Return the id of a public key, None if it is none."""
    try:
        raw = bytes.fromhex(public_key)
    except (TypeError, ValueError):
        return None
    return sha256(raw).hexdigest()[:16] if len(public_key) == 2 * len(raw) == 64 else None


def _check_signed(place: str, purpose: str, line: Line, keys: Mapping[str, str], trust: Trust) -> None:
    """Check the signature of a line by one of the keys; raise ``Wrong``."""
    statement = {name: part for name, part in line.items() if name != "signature"}
    named = keys.get(line["key_id"])
    if named is None or not trust.is_signed(named, purpose, statement, line["signature"]):
        known = "a trusted key" if trust.keys is not None else "a key in the bundle"
        raise Wrong(None, f"{place}/signature", f"the signature of {known}", f"one of the key {value(line['key_id'])}")


def _check_receipt(place: str, events: Sequence[Shown], receipt: Line, game_id: Plain) -> None:
    """Compare a receipt with the log; raise ``Wrong``."""
    version = receipt["version"]
    compare(None, f"{place}/game", game_id, receipt["game"])
    if not 0 < version <= len(events):
        raise Wrong(None, f"{place}/version", f"a version of the log, up to {len(events)}", value(version))
    event = events[version - 1]
    for name in ("hash", "at"):
        if receipt[name] != event[name]:
            raise Wrong(version, f"/{name}", f"{receipt[name]}, as {place} says", value(event[name]))


def _own_receipts(bundle: Bundle, trust: Trust, keys: Mapping[str, str]) -> Iterator[Said]:
    """Compare the receipts that a reader has kept with the log; a running log can be older than they are."""
    events, matching = bundle.events, 0
    for number, receipt in enumerate(trust.receipts, 1):
        place = f"your receipt {number}"
        _check_form("receipt", number, receipt)
        if receipt["game"] != bundle.header["game_id"]:
            continue
        _check_signed(place, "receipt", receipt, keys, trust)
        if receipt["version"] > len(events) and not is_over(events):
            yield Said(f"{place} is of version {receipt['version']}, to which this log does not go", warning=True)
            continue
        _check_receipt(place, events, receipt, bundle.header["game_id"])
        matching += 1
    if matching:
        yield Said(f"the log matches the receipts of it that you have kept: {matching}")
    elif trust.receipts:
        yield Said("none of the receipts that you have kept could be compared with this log", warning=True)


def _roots(bundle: Bundle, keys: Mapping[str, str], trust: Trust) -> Mapping[int, Line]:
    """Check the signatures of roots, and return the roots by size; two of one size that differ are a fault."""
    roots: dict[int, Line] = {}
    for number, root in enumerate(bundle.signed.get("root", ()), 1):
        _check_signed(f"root {number}", "root", root, keys, trust)
        _check_not_before(f"root {number}", root, trust.since.get(root["key_id"]), "its key")
        _check_not_after(f"root {number}", root, trust.until.get(root["key_id"]))
        compare(None, f"root {number}/root", roots.setdefault(root["size"], root)["root"], root["root"])
    by_size = [roots[size] for size in sorted(roots)]
    for smaller, root in pairwise(by_size):
        _check_not_before(f"root of {root['size']} leaves", root, smaller["at"], f"the root of {smaller['size']}")
    return roots


def _check_not_before(place: str, root: Line, earliest: str | None, of: str) -> None:
    """Check that a root is not dated before what it must come after, but for ``CLOCKS``; raise ``Wrong``."""
    if earliest is not None and _dated(place, root) < instant(earliest) - CLOCKS:
        raise Wrong(None, f"{place}/at", f"no time before {earliest}, that of {of}", value(root["at"]))


def _check_not_after(place: str, root: Line, replaced: str | None) -> None:
    """Check that a root is not dated after the end of its key, but for ``REPLACED`` and ``CLOCKS``; raise ``Wrong``."""
    if replaced is not None and _dated(place, root) > instant(replaced) + REPLACED + CLOCKS:
        raise Wrong(None, f"{place}/at", f"no time after {replaced}, when its key was replaced", value(root["at"]))


def _dated(place: str, root: Line) -> int:
    try:
        return instant(root["at"])
    except (TypeError, ValueError):
        raise Wrong(None, f"{place}/at", "a time in UTC with milliseconds", value(root["at"])) from None


def _proved(bundle: Bundle, roots: Mapping[int, Line]) -> list[tuple[int, int]]:
    """Check the proofs that versions of the game are in the log of heads; return these, with the sizes of trees."""
    found = []
    for number, line in enumerate(bundle.signed.get("inclusion", ()), 1):
        place, version, root = f"inclusion {number}", line["version"], roots.get(line["size"])
        if root is None:
            raise Wrong(None, f"{place}/size", "the size of a root in the bundle", value(line["size"]))
        if not 0 < version <= len(bundle.events):
            raise Wrong(None, f"{place}/version", f"a version of the log, up to {len(bundle.events)}", value(version))
        compare(version, "/hash", line["hash"], bundle.events[version - 1]["hash"])
        leaf = head_leaf(bundle.header["game_id"], version, line["hash"])
        try:
            proof, top = [bytes.fromhex(part) for part in line["proof"]], bytes.fromhex(root["root"])
        except (TypeError, ValueError) as error:
            raise Wrong(None, f"{place}/proof", "hashes of 64 hex digits", value(line["proof"])) from error
        if not merkle.is_included(leaf, line["index"], line["size"], proof, top):
            raise Wrong(None, f"{place}/proof", f"a proof for the root {root['root']}", value(line["proof"]))
        last = bundle.events[version - 1]["at"]
        _check_not_before(f"root of {line['size']} leaves", root, last, f"version {version}, which it covers")
        found.append((version, line["size"]))
    return found


def _rooted(bundle: Bundle, roots: Mapping[int, Line], proved: Sequence[tuple[int, int]]) -> Iterator[Said]:
    """Say from when the first root over the latest logged version is: how late is too late, the reader judges."""
    if proved:
        last = max(version for version, _ in proved)
        first = roots[min(size for version, size in proved if version == last)]
        at = bundle.events[last - 1]["at"]
        yield Said(f"the first root in the bundle over version {last}, of {at}, is of {first['at']}")


def _cosigned(bundle: Bundle, roots: Mapping[int, Line], trust: Trust) -> Mapping[str, set[int]]:
    """Check the co-signatures; return the sizes of the roots that each witness has co-signed."""
    found: dict[str, set[int]] = {}
    for number, line in enumerate(bundle.signed.get("cosignature", ()), 1):
        place, root = f"cosignature {number}", roots.get(line["size"])
        if root is None:
            raise Wrong(None, f"{place}/size", "the size of a root in the bundle", value(line["size"]))
        statement = {name: root[name] for name in _ROOT}
        if not trust.is_signed(line["witness"], "cosignature", statement, line["signature"]):
            raise Wrong(None, f"{place}/signature", f"one of the witness {line['witness']}", value(line["signature"]))
        found.setdefault(line["witness"], set()).add(line["size"])
    return found


def _witnessed(
    bundle: Bundle, trust: Trust, proved: Iterable[tuple[int, int]], cosigned: Mapping[str, set[int]]
) -> Iterator[Said]:
    """Say if too few witnesses have co-signed the whole game: each any root that its last version is under."""
    sizes, known = {size for version, size in proved if version == len(bundle.events)}, {*trust.witnesses}
    have = sum(not sizes.isdisjoint(cosigned.get(key, ())) for key in known)
    if have < trust.least:
        said = f"witnesses who have co-signed a root that the whole game is under: {have} of your {len(known)}, and not"
        yield Said(f"{said} {trust.least}", warning=True)


def _missing(bundle: Bundle, trust: Trust, proved: int) -> Iterator[Said]:
    """Say what is not proved: a warning for those who know the server's keys, because they can expect it."""
    expects = trust.keys is not None
    signed, last = max((each["version"] for each in bundle.signed.get("receipt", ())), default=0), len(bundle.events)
    if not signed:
        yield Said("the bundle has no receipt: nobody has signed this log", expects)
    elif signed < last:
        yield Said(f"the log is signed up to version {signed} of {last}", expects)
    if not proved:
        yield Said("the bundle has no proof that the game is in the log of heads", expects)
    elif proved < last:
        yield Said(f"the log of heads has the game up to version {proved} of {last}", expects)
    if not expects and any(bundle.signed.get(kind) for kind in ("receipt", "root")):
        yield Said("its signatures are those of the keys that it brings itself: compare these with your own copy")
