"""The luck of a finished game: its deals, each replayed by a bot in every seat (``domain.game.luck``)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from domain.game.history import named
from domain.game.luck import REPLAYS, Deal, deals
from domain.log.record import Record
from domain.serialization import to_plain
from service.bots import BOTS
from workers.policy_process import PolicyProcess


class Replay(NamedTuple):
    """A replay of a deal, by its number from 1 on."""

    deal: Deal
    number: int


def replays(records: Sequence[Record]) -> Iterator[Replay]:
    """List the replays of the deals of a log, in order."""
    for deal in deals(records):
        yield from (Replay(deal, number) for number in range(1, REPLAYS + 1))


def replayed(replay: Replay, name: str, process: PolicyProcess) -> tuple[int, ...]:
    """Let a bot replay a deal; return the score of each seat. Raise ``PolicyFailed`` if the bot fails."""
    deal, bot = replay.deal, BOTS[name]
    game = deal.game
    position = {
        "ruleset": game.ruleset.id,
        "options": to_plain(game.options),
        "seats": len(game.sitters),
        "events": [[kind, to_plain(event)] for kind, event in named(game.ruleset, deal.begun)],
    }
    return process.replay(bot.policy, position, deal.seed(replay.number, (name, bot.version)), bot.playouts)


def deals_of(replays: Sequence[Replay]) -> Mapping[str, Any]:
    """Return the numbers and scores of the deals of these replays."""
    return {"deals": [[replay.deal.number, replay.deal.scores] for replay in replays[::REPLAYS]]}
