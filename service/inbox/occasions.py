"""The occasions for notices: what a commit to a game means to its players, by the game before and after it.

All players at the table are notified when a game starts and ends. A turn, a proposal or a missing seed asks a player
to act. The player whose own request caused it is not notified, but may get a reminder if the turn is long. Bots and
players of a sandbox get no notices.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from domain.game.aggregate import Game
from domain.game.durations import moment
from domain.serialization import Plain
from domain.table import Seat
from service.inbox.notice import Kind, Notice
from service.inbox.reminders import reminder_of


def occasions(before: Game | None, after: Game, by: str) -> list[Notice]:
    """Return the notices of a commit; ``by`` is the player who requested it, '' if no player did."""
    if after.sandbox:
        return []
    found: list[Notice] = []
    if after.status != (before.status if before else "open"):
        found += _of_status(before, after)
    if after.awaited is not None and (before is None or before.awaited is None):
        found += _of_seeds(after, by)
    if after.proposals and (before is None or after.proposals != before.proposals):
        found += _of_proposals(before, after, by)
    if after.pending:
        found += _of_turns(before, after, by)
    return found


def _of_status(before: Game | None, after: Game) -> Iterator[Notice]:
    if (before is None or before.status == "open") and after.status != "aborted":
        yield from (_notice("game_started", after, player, {"seat": seat}) for seat, player in _players(after))
    if after.is_over:
        players = dict.fromkeys([*(player for _, player in _players(after)), after.creator])
        reason = after.outcome.reason if after.outcome else after.aborted_because
        how: dict[str, Plain] = {"status": after.status, "reason": reason}
        yield from (_notice("game_ended", after, player, how) for player in players)


def _of_seeds(after: Game, by: str) -> Iterator[Notice]:
    until = None if after.awaited is None else moment(after.awaited.until)
    for seat, player in _players(after):
        if seat in after.unopened and player != by:
            yield _notice("seeds_awaited", after, player, {"seat": seat, "until": until})


def _of_proposals(before: Game | None, after: Game, by: str) -> Iterator[Notice]:
    known = {made.id for made in before.proposals} if before else set()
    for made in after.proposals:
        if made.id not in known:
            players = dict(_players(after))
            whose = {"seat": made.seat, "by": players.get(made.seat)}
            what = {"duration": made.duration, "to_version": made.to_version}
            for seat, player in players.items():
                if seat not in made.accepted and player != by:
                    yield _notice(
                        "proposal_made", after, player, {"proposal": made.id, "kind": made.kind, **whose, **what}
                    )


def _of_turns(before: Game | None, after: Game, by: str) -> Iterator[Notice]:
    """Return notices of the decisions that the game waits for from now on."""
    for seat in after.waiting_for:
        sitter = after.sitters[seat]
        if sitter is None or sitter.player is None or _was_waited_for(before, after, seat):
            continue
        turn = _notice("your_turn", after, sitter.player, turn_data(after, seat))
        if sitter.player != by:
            yield turn
        elif reminder_of(turn) is not None:
            yield replace(turn, is_news=False)


def _was_waited_for(before: Game | None, after: Game, seat: Seat) -> bool:
    return before is not None and seat in before.waiting_for and before.pending[seat] == after.pending[seat]


def turn_data(game: Game, seat: Seat) -> dict[str, Plain]:
    until = game.times.until.get(seat)
    deadline = None if until is None else moment(until)
    return {"seat": seat, "decision_id": game.decision_id(seat), "deadline": deadline}


def _players(game: Game) -> Iterable[tuple[Seat, str]]:
    return [(seat, sitter.player) for seat, sitter in enumerate(game.sitters) if sitter and sitter.player]


def _notice(kind: Kind, game: Game, player: str, data: dict[str, Plain]) -> Notice:
    return Notice(kind, player, game.id, game.version, game.at, data)
