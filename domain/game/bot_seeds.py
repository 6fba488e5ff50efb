"""What a bot's move follows from: its seed, and, in a deal of a set, what all tables share, so that bots play alike."""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256

from domain.chance import bot_seed
from domain.game.aggregate import Game
from domain.game.history import named
from domain.game.parts import Sitter
from domain.game.time_control import Times
from domain.log.bot_moves import BotMove
from domain.log.chain import canonical
from domain.log.redaction import merged, seen_by, split
from domain.ruleset import AnyRuleset
from domain.serialization import changed
from domain.table import Seat


def shared(game: Game) -> Game:
    """Return a game as bots think about it: of a deal of a set only what is the same at every table."""
    if game.unmasked is None:
        return game
    version = len(game.unmasked.events)
    return changed(
        game,
        id=game.draws.game_id,
        version=version,
        state=game.unmasked.state,
        pending=dict.fromkeys(game.pending, version),
        sitters=(Sitter(None, None),) * len(game.sitters),
        clock=None,
        times=Times(),
        proposals=(),
        deal=None,
        bidder=None,
        positions=(),
        mask=None,
        unmasked=None,
    )


def masked(game: Game, action: object) -> object:
    """Return an action that a bot chose in what is shared as the action at this table."""
    return game.ruleset.symmetries.action(game.mask, action) if game.mask and game.ruleset.symmetries else action


def history(ruleset: AnyRuleset, seat: Seat, events: Sequence[object]) -> str:
    """Return the SHA-256, in hex, of what a seat has seen of a deal: [type, seat, data] of its events, unmasked."""
    seen = [
        [name, getattr(event, "seat", None), merged(data, seen_by(hidden, seat, everything=False))]
        for name, event in named(ruleset, events)
        for data, hidden in [split(event)]
    ]
    return sha256(canonical(seen)).hexdigest()


def seeds_of(game: Game, seat: Seat, bot: tuple[str, int]) -> Iterator[int]:
    """Yield the seeds of a bot, by name and version, at a decision: by what it sees now, then by what it saw before.

    Proposals and votes can come after it was asked, and so can the moves of other seats, where several can act; the
    decision is still the same.
    """
    since = game.version - game.pending.get(seat, game.version)
    if game.unmasked is None:
        for version in range(game.version, game.version - since - 1, -1):
            yield bot_seed(game.secret, game.id, seat, version, bot)
        return
    for count in range(len(game.unmasked.events), max(len(game.unmasked.events) - since, 0) - 1, -1):
        yield int.from_bytes(_drawn(game, seat, game.unmasked.events[:count], bot)[:4], "big")


def place_of(game: Game, seat: Seat, bot: tuple[str, int]) -> str:
    """Return the name of a decision of a bot in a deal of a set, the same at all tables with the same history.

    It comes from the same digest as the seed, and does not tell it.
    """
    events = game.unmasked.events if game.unmasked else ()
    return _drawn(game, seat, events, bot)[4:20].hex()


def _drawn(game: Game, seat: Seat, events: Sequence[object], bot: tuple[str, int]) -> bytes:
    of_deal = game.draws.of_deal(1)
    message = ["bot", of_deal.game_id, seat, history(game.ruleset, seat, events), *bot]
    return hmac.digest(of_deal.secret, canonical(message), "sha256")


def is_seed_of(game: Game, seat: Seat, by: BotMove) -> bool:
    """Return whether a bot's seed follows from the secret of a game or of its deal, by which the bot moves next."""
    return seat in game.pending and by.thought.seed in seeds_of(game, seat, (by.name, by.version))
