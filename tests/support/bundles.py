"""Bundles of games for the tests, and what an operator does to forge one."""

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from domain import events as ev
from domain.audit import drawn
from domain.audit.bundle import Bundle, lines, read
from domain.audit.verifying import NOTHING, Known, Report, verify
from domain.chance import bot_seed
from domain.game import aggregate, history, proposals, seating, timeouts
from domain.game.aggregate import Game
from domain.game.durations import MINUTE, instant, moment
from domain.laws.play import Step, log_of
from domain.log import chain
from domain.log.bot_moves import BotMove, Thinking
from domain.log.record import Record
from domain.log.secrets import REVEALED, Secrets, of_deals
from domain.registry import RULESETS
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


def bots_mark(game, first):
    """Return what is noted of the bot that did what begins with an event, None if a player did it."""
    if isinstance(first, ev.TurnTimedOut):
        name = first.bot
    else:
        name = game and type(first) in game.ruleset.events.values() and game.bot_of(getattr(first, "seat", 0))
    return noted(game, first.seat, name) if name else None


def noted(game, seat, name):
    """Return what is noted of a bot that moves now."""
    return BotMove(name, 1, 0, Thinking(bot_seed(game.secret, game.id, seat, game.version, (name, 1)), 0, "policy"))


class Timed:
    """A game with a clock that is played by hand; each request comes some minutes after the one before."""

    def __init__(self, ruleset_id, seats, on_timeout, bots=(), open_seats=(), **options):
        clock = ev.Clock("PT10M", None, None, on_timeout, "random")
        ruleset = RULESETS[ruleset_id]
        new = seating.NewGame(
            id="gm_timed",
            ruleset=ruleset,
            options=ruleset.options.complete(options, seats),
            visibility="public",
            sandbox=False,
            creator="pl_0",
            sitters=tuple(None if seat in (*bots, *open_seats) else f"pl_{seat}" for seat in range(seats)),
            bots=tuple((seat, "random") for seat in bots),
            clock=clock,
        )
        self.records, self.game, self.now = [], None, instant("2026-11-23T10:00:00.000Z")
        self.do(seating.create(new, bytes(range(32))), 0)

    def do(self, decided, minutes=1):
        self.now += minutes * MINUTE
        by, request = bots_mark(self.game, decided[0][0]), f"rq_{self.game and self.game.version}"
        more, self.game = history.record(self.game, decided, moment(self.now), request, by=by)
        self.records += more

    def act(self, minutes=1):
        seat = self.game.waiting_for[0]
        action = self.game.ruleset.legal_actions(self.game.state, seat)[0]
        self.do(aggregate.act(self.game, seat, action), minutes)

    def late(self):
        self.now += 11 * MINUTE
        return timeouts.late_seat(self.game, self.now)

    def agree(self, kind, *more):
        first, *others = range(len(self.game.sitters))
        self.do(proposals.propose(self.game, first, kind, *more))
        for seat in others:
            if not self.game.bot_of(seat) and self.game.proposals:
                self.do(proposals.vote(self.game, seat, self.game.proposals[0].id, accept=True))

    def report(self):
        return judged(read(written(self.game, self.records)))


def over(game):
    """End a game that has started, by agreement."""
    if not game.game.is_over:
        game.do(proposals.propose(game.game, 0, "abort"))
        for seat in range(1, len(game.game.sitters)):
            if not game.game.bot_of(seat):
                game.do(proposals.vote(game.game, seat, game.game.proposals[0].id, accept=True))
    return game


def bundle_of_game(game) -> Bundle:
    return read(written(game.game, game.records))
