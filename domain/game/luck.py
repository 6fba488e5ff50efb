"""Luck and play apart: what a bot makes of a deal in every seat is the baseline for what the players made of it.

A deal is replayed ``REPLAYS`` times from its first decision on. The bot, its version, the number of replays and their
seeds are fixed before anyone plays: a seed is the first 32 bits of HMAC-SHA256(secret of the deal, canonical(["luck",
id, deal, replay, name, version])), with the id of the game or of the deal set, and deals and replays from 1 on. So the
baseline depends on the deal alone, and anyone can work it out again once the secret is revealed.
"""

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.chance import Chance
from domain.game import history
from domain.game.aggregate import Game
from domain.log.chain import canonical
from domain.log.effective import effective
from domain.log.record import Record
from domain.ruleset import starts_of_deals

REPLAYS = 8


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal by its number: the events up to its first decision, without a mask, and what each seat scored."""

    game: Game = field(repr=False)
    number: int
    begun: tuple[object, ...] = field(repr=False)
    scores: tuple[int, ...]
    source: Chance = field(repr=False)

    def seed(self, replay: int, bot: tuple[str, int]) -> int:
        """Return the seed, of 32 bits, of a replay by a bot of a name and version."""
        message = ["luck", self.source.game_id, self.number, replay, *bot]
        return int.from_bytes(hmac.digest(self.source.secret, canonical(message), "sha256")[:4], "big")


def deals(records: Sequence[Record]) -> Iterator[Deal]:
    """List the deals of a log in which a seat decided: up to their scores, or to their end, which scores nothing."""
    shown: Any = [{"version": each.version, "type": each.type, "data": each.data} for each in records]
    counting = {event["version"] for event in effective(shown)}
    number, is_decided, begun, finished = 0, False, list[object](), 0
    for event, game in history.step_by_step(each for each in records if each.version in counting):
        scores = deal_scores(game)
        is_start = type(event) in starts_of_deals(game.ruleset)
        if is_decided and (len(scores) > finished or is_start or game.outcome is not None):
            yield _deal(game, number, begun, scores[-1] if len(scores) > finished else (0,) * len(game.sitters))
            is_decided = False
        finished = len(scores)
        if is_start:
            number, begun = number + 1, []
        if number and not is_decided and type(event) in game.ruleset.events.values():
            is_decided = getattr(event, "seat", None) is not None
            begun += [] if is_decided else [event]


def _deal(game: Game, number: int, begun: Sequence[object], scores: tuple[int, ...]) -> Deal:
    shared = game.unmasked.events[: len(begun)] if game.unmasked else (*begun,)
    return Deal(game, number, shared, scores, game.draws.of_deal(number))


def deal_scores(game: Game) -> Sequence[tuple[int, ...]]:
    """Return what each seat scored in each deal that was played to its end."""
    return game.ruleset.deal_scores(game.state) if game.state is not None and game.ruleset.deal_scores else ()
