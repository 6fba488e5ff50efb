"""What an audit checks without the rules: the form of a log, its chain, its seals, its times, and its secret."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from domain.audit.bundle import Bundle
from domain.audit.faults import Wrong, compare, value
from domain.chance import commitment
from domain.events import EVENTS
from domain.field_types import fields_of
from domain.game.durations import instant
from domain.log import chain, redaction
from domain.log.record import Shown
from domain.log.secrets import DEAL_SECRET, REVEALED, DealSecrets, Secrets, of_deals, of_set
from domain.ruleset import AnyRuleset
from domain.serialization import Plain

ENDS = ("game_finished", "game_aborted")
"""The types of events that end a game; nothing follows them."""

_PARTS = {"game_id", "version", "type", "at", "seat", "data", "sealed", "salts", "hash"}
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_SECRET = re.compile(r"[0-9a-f]{64}")


def is_over(events: Sequence[Shown]) -> bool:
    """Return whether a log ends with the end of its game."""
    return bool(events) and events[-1].get("type") in ENDS


def check(bundle: Bundle) -> None:
    """Check the form, the chain and the times of a log, and that its header agrees with it; raise ``Wrong``."""
    head, last = chain.GENESIS, 0
    for version, event in enumerate(bundle.events, 1):
        _check_form(version, event, bundle.header["game_id"])
        try:
            head = chain.verify([event], after=version - 1, head=head)
        except chain.BrokenChain as error:
            raise Wrong(version, error.field, error.expected, value(error.found)) from error
        last = _check_time(version, event["at"], last)
        if event["type"] in ENDS and version < len(bundle.events):
            raise Wrong(version + 1, "/type", f"no event after {event['type']}", value(bundle.events[version]["type"]))
    compare(None, "/version", len(bundle.events), bundle.header["version"])
    compare(None, "/head", head, bundle.header["head"])
    _check_first(bundle)


def _check_form(version: int, event: Shown, game_id: str) -> None:
    keys = event.keys() - {"bot"}
    if keys != _PARTS:
        raise Wrong(version, "", f"the keys {value(sorted(_PARTS))}", value(sorted(keys)))
    if not isinstance(event["type"], str):
        raise Wrong(version, "/type", "a text", value(event["type"]))
    for part in ("data", "sealed", "salts"):
        if not isinstance(event[part], dict):
            raise Wrong(version, f"/{part}", "an object", value(event[part]))
    compare(version, "/game_id", game_id, event["game_id"])


def _check_time(version: int, at: object, last: int) -> int:
    try:
        now = instant(at) if isinstance(at, str) and _TIME.fullmatch(at) else None
    except ValueError:
        now = None
    if now is None:
        raise Wrong(version, "/at", "a time in UTC with milliseconds", value(at))
    if now < last:
        raise Wrong(version, "/at", "no earlier time than that of the event before", value(at))
    return now


def _check_first(bundle: Bundle) -> None:
    """Compare what the first event says of the game with the header."""
    if not bundle.events:
        raise Wrong(1, "/type", '"game_created"', "nothing")
    first = bundle.events[0]
    compare(1, "/type", "game_created", first["type"])
    for name in ("ruleset", "rules_version"):
        compare(1, f"/data/{name}", bundle.header[name], first["data"].get(name))


def check_sealed(events: Sequence[Shown], ruleset: AnyRuleset) -> None:
    """Check that each event is of a known type, and of a seat where the type has one; that everything that it declares
    as secret is sealed, and nothing else; raise ``Wrong``.
    """
    for event in events:
        version = event["version"]
        cls = EVENTS.get(event["type"]) or ruleset.events.get(event["type"])
        if cls is None:
            raise Wrong(version, "/type", f"an event of {ruleset.id}", value(event["type"]))
        try:
            always, perhaps = redaction.declared(cls, event["data"])
        except (LookupError, TypeError) as error:
            raise Wrong(version, "/data", f"the parts of {event['type']}", value(event["data"])) from error
        _check_seat(event, cls, events[0]["data"].get("seats"))
        always |= {chain.THOUGHT} if "bot" in event else set()
        for pointer in sorted(always - event["sealed"].keys()):
            raise Wrong(version, f"/sealed{pointer}", "a seal", "nothing")
        for pointer in sorted(event["sealed"].keys() - always - perhaps):
            raise Wrong(version, f"/sealed{pointer}", "no seal, since the part is public", "one")


def _check_seat(event: Shown, cls: type, seats: Plain) -> None:
    seat = event["seat"]
    if not any(each.key == "seat" for each in fields_of(cls)):
        compare(event["version"], "/seat", None, seat)
    elif type(seats) is int and seats > 0 and (type(seat) is not int or seat not in range(seats)):
        raise Wrong(event["version"], "/seat", f"a seat of 0 … {seats - 1}", value(seat))


def first_mark(events: Sequence[Shown]) -> int:
    """Return the version of the first event that says which bot did it; without one, that after the last event.

    Where the deal set gives the auction, it is 1: each bid says so.
    """
    if events and (events[0]["data"].get("deal") or {}).get("auction"):
        return 1
    return next((event["version"] for event in events if "bot" in event), len(events) + 1)


def unmarked(events: Sequence[Shown], ruleset: AnyRuleset) -> int | None:
    """Return the version at which a bot did something before the first mark, as in a log from before there were any."""
    bots, start = set[object](), next((event["version"] for event in events if event["type"] == "game_started"), 0)
    copied = start + (events[0]["data"].get("forked_from") or {}).get("events", -1) + 1
    for event in events[: first_mark(events) - 1]:
        if event["type"] == "bot_seated":
            bots.add(event["seat"])
        is_of_bot = event["type"] in ruleset.events and event["seat"] in bots and event["version"] > copied
        if is_of_bot or (event["type"] == "turn_timed_out" and event["data"].get("bot") is not None):
            return int(event["version"])
    return None


def revealed(events: Sequence[Shown]) -> bytes:
    """Return the secret that the end of a game reveals, checked against its commitment; raise ``Wrong``."""
    last, created = events[-1], events[0]["data"]
    secret = _secret_at(last["version"], "secret", last["data"].get("secret"))
    compare(1, "/data/commitment", commitment(secret), created.get("commitment"))
    compare(1, "/data/secret", secret.hex(), created.get("secret"))
    return secret


def deals_revealed(events: Sequence[Shown]) -> Secrets:
    """Return the secrets that a log has revealed of its deals, checked against its anchor; raise ``Wrong``."""
    anchor, versions = events[0]["data"].get("deal_anchor"), list[int]()
    earlier = None if anchor is None else _secret_at(1, "deal_anchor", anchor)
    for event in events:
        if event["type"] == REVEALED:
            version, data = event["version"], event["data"]
            compare(version, "/data/deal", len(versions) + 1, data.get("deal"))
            secret = _secret_at(version, "secret", data.get("secret"))
            if earlier is None or sha256(secret).digest() != earlier:
                wanted = "no secret of a deal" if earlier is None else f"a secret with the SHA-256 {earlier.hex()}"
                raise Wrong(version, "/data/secret", wanted, value(data["secret"]))
            versions.append(version)
            earlier = secret
    latest = None if earlier is None else DealSecrets(earlier, len(versions))
    return Secrets(events[0]["game_id"], b"", latest, tuple(versions))


def awaits_set(events: Sequence[Shown]) -> bool:
    """Return whether a log still withholds the secret of its deal, until the deal set has closed."""
    return DEAL_SECRET in events[0]["sealed"] and DEAL_SECRET not in events[0]["salts"]


def with_game_secret(secrets: Secrets, secret: bytes, created: Mapping[str, Plain]) -> Secrets:
    """Return all secrets of a game that is over, checked against those that its log has revealed; raise ``Wrong``."""
    if secrets.deals is None:
        return replace(secrets, game=secret)
    if "deal" in created:
        deals = of_set(_secret_at(1, "deal_secret", created.get("deal_secret")).hex())
    else:
        deals = of_deals(secret, secrets.game_id)
    compare(1, "/data/deal_anchor", deals.revealed(0), secrets.deals.revealed(0))
    return replace(secrets, game=secret, deals=deals)


def _secret_at(version: int, name: str, secret: object) -> bytes:
    if not isinstance(secret, str) or not _SECRET.fullmatch(secret):
        raise Wrong(version, f"/data/{name}", "64 hex digits", value(secret))
    return bytes.fromhex(secret)


def check_openings(events: Sequence[Shown], secrets: Secrets, *, is_over: bool) -> None:
    """Check that every seal is opened, by the salt that follows from the secrets; raise ``Wrong``.

    Before the end, those of the deals that are over must be open.
    """
    for event in events:
        salts: Mapping[str, str] = event["salts"]
        for pointer in sorted(event["sealed"]):
            if is_over or secrets.is_open(event["version"], pointer):
                salt = secrets.salt(event["version"], pointer)
                if salts.get(pointer) != salt:
                    raise Wrong(event["version"], f"/salts{pointer}", salt, value(salts.get(pointer)))
