"""A finished game played again: each request is done once more by the rules, with the secret, and compared."""

from collections.abc import Callable, Sequence

from domain.audit.candidates import ILL_FORMED, Candidates
from domain.audit.commands import created, done_again
from domain.audit.faults import Wrong, compare, value
from domain.chance import bot_seed
from domain.errors import InvalidOptions, Rejected
from domain.game import history
from domain.game.aggregate import Game
from domain.log import chain
from domain.log.bot_moves import BotMove
from domain.log.record import Record, Shown, visible
from domain.serialization import from_plain


def replayed(
    events: Sequence[Shown], secret: bytes, note: Callable[[Sequence[Record]], object] = lambda _: None
) -> Game:
    """Play a game again, and return it; ``note`` gets what each request wrote, as a store keeps it.

    Raise ``Wrong`` at the first event that does not follow from those before it. The chain of the log must have been
    verified. Every event is decided again: seats, proposals, clocks, actions, what the rules force, the draws, the
    scores and the end; with all its seals and its hash.
    """
    game: Game | None = None
    candidates = Candidates()
    while game is None or game.version < len(events):
        game, records = _step(game, events, secret, candidates)
        for record in records:
            _compare(record, events[record.version - 1] if record.version <= len(events) else None, secret)
        note(records)
    return game


def _step(
    game: Game | None, events: Sequence[Shown], secret: bytes, candidates: Candidates
) -> tuple[Game, Sequence[Record]]:
    version = game.version if game else 0
    first = events[version]
    try:
        decided = created(events, secret) if game is None else done_again(game, events, candidates)
        by = _bot(secret, first)
        records, after = history.record(game, decided, first["at"], f"{version + 1:016x}", by=by)
    except Wrong:
        raise
    except (Rejected, InvalidOptions) as refusal:
        raise Wrong(version + 1, "/type", f"what is possible ({refusal})", value(first["type"])) from refusal
    except ILL_FORMED as error:
        raise Wrong(version + 1, "/data", f"the form of {first['type']}", value(first["data"])) from error
    return after, records


def _bot(secret: bytes, first: Shown) -> BotMove | None:
    """Read which bot moved, and check that its seed follows from the secret."""
    if "bot" not in first:
        return None
    by = from_plain(BotMove, first["bot"])
    place = (first["game_id"], first["seat"], first["version"] - 1)
    compare(first["version"], "/bot/thought/seed", bot_seed(secret, *place, (by.name, by.version)), by.thought.seed)
    return by


def _compare(record: Record, shown: Shown | None, secret: bytes) -> None:
    if shown is None:
        raise Wrong(record.version, "/type", value(record.type), "nothing")
    if record.hash == shown["hash"]:
        return
    expected = visible(record, secret, None, everything=True)
    for part in ("type", "seat", "data", "at", "sealed", "bot"):
        compare(record.version, f"/{part}", expected.get(part), shown.get(part))
    raise Wrong(record.version, f"/{chain.THOUGHT}", value(expected), value(shown))
