"""Deal sets without a service: a sealed set, and its deals played by chance."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from domain.audit import bundle, drawn
from domain.chance import commitment
from domain.deal_sets import deal_set
from domain.deal_sets.deal_set import DealSet
from domain.deal_sets.events import SetCreated
from domain.game import aggregate, history, seating
from domain.game.aggregate import Game
from domain.game.bot_seeds import seeds_of
from domain.log import aggregates
from domain.log.bot_moves import BotMove, Thinking
from domain.log.chain import canonical
from domain.log.record import Record, visible
from domain.registry import RULESETS
from domain.serialization import to_plain

OPENS, CLOSES = "2026-11-28T00:00:00.000Z", "2026-11-29T00:00:00.000Z"
ROOT = "ab" * 32
CARD_GAMES = [(each.id, seats) for each in RULESETS.values() if each.one_deal for seats in each.seats]


def sealed_set(ruleset_id: str, seats: int, deals: int = 3, secret: bytes = b"s" * 32) -> tuple[list[Record], DealSet]:
    """Return the log of a set that is sealed, and the set."""
    ruleset = RULESETS[ruleset_id]
    options = to_plain(ruleset.options.complete(ruleset.one_deal, seats))
    created = SetCreated(
        ruleset_id, ruleset.version, options, seats, deals, OPENS[:10], "random", 1, OPENS, CLOSES,
        commitment(secret), secret.hex(),
    )  # fmt: skip
    records, one = aggregates.record(None, deal_set.create("set_1", created), OPENS, "r1")
    more, one = aggregates.record(one, deal_set.seal(one, 7, ROOT), OPENS, "r2")
    return records + more, one


def dealt(one: DealSet, number: int, game_id: str, player: str = "pl_1") -> tuple[list[Record], Game]:
    """Open a deal of a set for a player, whose seat is 0."""
    ruleset, seats = RULESETS[one.created.ruleset], one.created.seats
    new = seating.NewGame(
        game_id,
        ruleset,
        ruleset.options.complete(one.created.options, seats),
        "private",
        sandbox=False,
        creator=player,
        sitters=(player, *(None,) * (seats - 1)),
        bots=tuple((seat, "random") for seat in range(1, seats)),
        deal=one.deal(number, ranked=True),
    )
    return history.record(None, seating.create(new, b"g" * 32), OPENS, "c")


def played(one: DealSet, number: int, game_id: str, seed: int = 0) -> tuple[list[Record], Game]:
    """Play a deal of a set to its end."""
    records, game = dealt(one, number, game_id)
    rng = random.Random(seed)
    while not game.is_over:
        seat = min(game.pending)
        actions = game.ruleset.legal_actions(game.state, seat)
        bot_moves = BotMove("random", 1, 0, Thinking(next(seeds_of(game, seat, ("random", 1))), 0, "policy"))
        step = aggregate.act(game, seat, actions[rng.randrange(len(actions))])
        more, game = history.record(game, step, OPENS, f"r{game.version}", by=bot_moves if seat else None)
        records += more
    return records, game


def bundle_of(records: Sequence[Record], game: Game, *, closed: bool) -> bytes:
    """Write a game as a bundle, as its player gets it before its set has closed, or anybody afterwards."""
    secrets = game.secrets if not closed else replace(game.secrets, withheld=())
    events: list[Any] = [visible(each, secrets, 0, everything=game.is_over) for each in records]
    stated = drawn.draws(game.ruleset, game.options, len(game.sitters), events)
    audit = {
        "ruleset": game.ruleset.id,
        "game_id": game.id,
        "version": game.version,
        "head": game.head,
        "events": events,
        "draws": [drawn.as_data(event["version"], draw) for event, draw in stated],
    }
    return b"".join(canonical(line) + b"\n" for line in bundle.lines(audit, game.rules_version))
