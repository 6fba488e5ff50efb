"""Bundles of games for the tests, and what an operator does to forge one."""

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from domain.audit import drawn
from domain.audit.bundle import Bundle, lines, read
from domain.audit.verifying import NOTHING, Known, Report, verify
from domain.game.aggregate import Game
from domain.laws.play import Step, log_of
from domain.log import chain
from domain.log.record import Record
from domain.log.secrets import REVEALED, Secrets, of_deals
from domain.serialization import place_of
from service.games.projections.auditing import audit


def written(game: Game, records: Sequence[Record], viewer: int | None = None) -> bytes:
    """Write the bundle of a game as a viewer gets it."""
    parts = lines(audit(game, viewer, records), game.rules_version)
    return b"".join(json.dumps(line).encode() + b"\n" for line in parts)


def text_of(bundle: Bundle) -> bytes:
    """Write a bundle, forged or not, as a file has it."""
    rows = [{"bundle": {**bundle.header}}, *({"event": each} for each in bundle.events)]
    return b"".join(json.dumps(row).encode() + b"\n" for row in (*rows, *({"draw": each} for each in bundle.draws)))


def bundle_of(steps: Sequence[Step], viewer: int | None = None) -> Bundle:
    """Return the bundle of a game as a viewer gets it after some steps."""
    return read(written(steps[-1].game, log_of(steps), viewer))


def judged(bundle: Bundle, known: Known = NOTHING) -> Report:
    """Verify a bundle."""
    return verify(bundle, known)


def copy_of(bundle: Bundle) -> Bundle:
    """Return a bundle that can be changed."""
    return deepcopy(bundle)


def forged(bundle: Bundle, game: Game) -> Bundle:
    """Make a changed bundle consistent again, as its operator can: salts, seals, versions, hashes, draws and header.

    What is at the pointers in ``sealed`` counts as hidden; what is not open there keeps its seal.
    """
    secrets, head = _secrets_of(bundle, game), chain.GENESIS
    for version, event in enumerate(bundle.events, 1):
        event["version"] = version
        sealed = deepcopy({key: part for key, part in event.items() if key not in {"hash", "salts"}})
        opened = event["sealed"] if _reveals(bundle) else event["salts"]
        event["salts"] = {at: secrets.salt(version, at) for at in opened}
        for at in opened:
            place, key = place_of(sealed if at == chain.THOUGHT else sealed["data"], at)
            event["sealed"][at] = chain.seal(event["salts"][at], place.pop(key))
        sealed["sealed"] = event["sealed"]
        head = event["hash"] = chain.link(head, sealed)
    header = {**bundle.header, "version": len(bundle.events), "head": head}
    return Bundle(header, bundle.events, _stated(bundle, game), bundle.others)


def _reveals(bundle: Bundle) -> bool:
    return "secret" in bundle.events[0]["data"]


def _secrets_of(bundle: Bundle, game: Game) -> Secrets:
    """Return the secrets of a game as its bundle tells them, or as its operator knows them."""
    secret = secret_in(bundle) if _reveals(bundle) else game.secret
    first = bundle.events[0]
    revealed = tuple(event["version"] for event in bundle.events if event["type"] == REVEALED)
    deals = of_deals(secret, first["game_id"]) if "deal_anchor" in first["data"] else None
    return Secrets(first["game_id"], secret, deals, revealed)


def secret_in(bundle: Bundle) -> bytes:
    """Return the secret that a bundle reveals."""
    return bytes.fromhex(bundle.events[0]["data"]["secret"])


def _stated(bundle: Bundle, game: Game) -> Sequence[Mapping[str, Any]]:
    try:
        found = drawn.draws(game.ruleset, game.options, len(game.sitters), bundle.events)
        return [drawn.as_data(event["version"], draw) for event, draw in found]
    except (LookupError, TypeError):
        return bundle.draws
