"""A game played again, as far as its secrets are known: each request is done once more by the rules, and compared."""

from collections.abc import Callable, Sequence
from typing import cast

from domain.audit import forms
from domain.audit.candidates import ILL_FORMED, Candidates
from domain.audit.commands import created, done_again
from domain.audit.faults import Wrong, compare, value
from domain.audit.structure import first_mark
from domain.errors import InvalidOptions, Rejected
from domain.game import history
from domain.game.aggregate import Game, bounded
from domain.game.bot_seeds import is_seed_of, seeds_of
from domain.log import chain
from domain.log.bot_moves import BotMove
from domain.log.record import Record, Shown, visible
from domain.log.secrets import DealSecrets, Secrets
from domain.serialization import Plain, changed, to_plain


def replayed(
    events: Sequence[Shown], secrets: Secrets, note: Callable[[Sequence[Record]], object] = lambda _: None
) -> Game:
    """Play a game again whose secrets are all known, and return it; ``note`` gets the records of each request.

    Raise ``Wrong`` at the first event that does not follow from those before it. The chain of the log must have been
    verified. Every event is decided again: seats, proposals, clocks, actions, what the rules force, the draws, the
    scores and the end; with all its seals and its hash.
    """
    game: Game | None = None
    candidates = Candidates()
    while game is None or game.version < len(events):
        game, records = _step(game, events, secrets.game, candidates, by_bots=True)
        for record in records:
            _compare(record, events[record.version - 1] if record.version <= len(events) else None, game.secrets)
        note(records)
    return game


def replayed_deals(events: Sequence[Shown], secrets: Secrets) -> Game:
    """Play the deals of a running game again that are over; raise ``Wrong`` at the first event that does not follow.

    The chain of the log and what it has opened must have been verified. The secret of the game and what its bots
    thought are not known yet. So seals and hashes are taken from the log, and what came after the last deal that is
    over is not judged.
    """
    candidates, last = Candidates(), secrets.revealed[-1]
    game, _ = _step(None, events, _NOT_KNOWN, candidates, by_bots=False)
    while game.version < last:
        game = changed(game, head=events[game.version - 1]["hash"], deals=_as_far_as(secrets))
        game, records = _step(game, events, _NOT_KNOWN, candidates, by_bots=False)
        for record in records[: last - records[0].version + 1]:
            shown = events[record.version - 1]
            for part, expected in (("type", record.type), ("seat", record.seat), ("at", record.at)):
                compare(record.version, f"/{part}", expected, shown[part])
            compare(record.version, "/data", _data(record), shown["data"])
    return game


_NOT_KNOWN = bytes(32)


class _AsFarAsKnown(DealSecrets):
    """The secrets of deals; for deals still in progress, a placeholder."""

    __slots__ = ()

    def of(self, deal: int) -> bytes:
        """Return the secret of a deal that is over."""
        return DealSecrets.of(self, deal) if deal <= self.deal else _NOT_KNOWN


def _as_far_as(secrets: Secrets) -> DealSecrets | None:
    return None if secrets.deals is None else _AsFarAsKnown(secrets.deals.latest, secrets.deals.deal)


def _data(record: Record) -> dict[str, Plain]:
    """Return the data of an event with all its hidden parts, as it is shown once they are open."""
    data = record.whole_data()
    if record.seat is not None:
        del data["seat"]
    return data


def _step(
    game: Game | None, events: Sequence[Shown], secret: bytes, candidates: Candidates, *, by_bots: bool
) -> tuple[Game, Sequence[Record]]:
    """Do the next request again, with what a bot thought that did it (``by_bots``)."""
    version = game.version if game else 0
    first = events[version]
    try:
        decided = created(events, secret) if game is None else bounded(game, done_again(game, events, candidates))
        if "bot" in first or first["version"] > first_mark(events):
            _check_mark(game, first)
        by = _thought(first, game) if by_bots else None
        records, after = history.record(game, decided, first["at"], f"{version + 1:016x}", by=by)
    except Wrong:
        raise
    except (Rejected, InvalidOptions) as refusal:
        raise Wrong(version + 1, "/type", f"what is possible ({refusal})", value(first["type"])) from refusal
    except ILL_FORMED as error:
        raise Wrong(version + 1, "/data", f"the form of {first['type']}", value(first["data"])) from error
    return after, records


def _mover(game: Game | None, first: Shown) -> str | None:
    """Return the bot that did what begins with an event: that of the seat, or the one that moved for a late player."""
    if game is None:
        return None
    if first["type"] == "turn_timed_out":
        return cast("str | None", first["data"].get("bot"))
    return game.mover(first["seat"]) if first["type"] in game.ruleset.events else None


def _check_mark(game: Game | None, first: Shown) -> None:
    """Check that an event says which bot did it, if one did; raise ``Wrong``. What it thought can be hidden yet."""
    version, mover = first["version"], _mover(game, first)
    if mover is None:
        if "bot" in first:
            raise Wrong(version, "/bot", "nothing, since no bot did this", value(first["bot"]))
        return
    bot = first.get("bot")
    if not isinstance(bot, dict):
        raise Wrong(version, "/bot", f"what {value(mover)} did it with", value(bot) if "bot" in first else "nothing")
    compare(version, "/bot/name", mover, bot.get("name"))
    for name in ("version", "playouts"):
        if type(bot.get(name)) is not int or bot[name] < 0:
            raise Wrong(version, f"/bot/{name}", "a whole number from 0 on", value(bot.get(name)))


def _thought(first: Shown, game: Game | None) -> BotMove | None:
    """Read what a bot thought, and check it as far as that is possible without the bot; raise ``Wrong``."""
    if "bot" not in first or game is None:
        return None
    version, seat = first["version"], first["seat"]
    by = forms.read(BotMove, first["bot"], version, "/bot")
    compare(version, "/bot", to_plain(by), first["bot"])
    most = by.playouts if by.thought.chosen == "policy" else 0
    if not 0 <= by.thought.done <= most:
        raise Wrong(version, "/bot/thought/done", f"a number of playouts from 0 to {most}", value(by.thought.done))
    if not is_seed_of(game, seat, by):
        expected = next(seeds_of(game, seat, (by.name, by.version)))
        compare(version, "/bot/thought/seed", expected, by.thought.seed)
    return by


def _compare(record: Record, shown: Shown | None, secrets: Secrets) -> None:
    if shown is None:
        raise Wrong(record.version, "/type", value(record.type), "nothing")
    if record.hash == shown["hash"]:
        return
    expected = visible(record, secrets, None, everything=True)
    for part in ("type", "seat", "data", "at", "bot", "sealed"):
        compare(record.version, f"/{part}", expected.get(part), shown.get(part))
    raise Wrong(record.version, f"/{chain.THOUGHT}", value(expected), value(shown))
