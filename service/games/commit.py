"""What a commit carries beside the events: the response to remember, the next deadline, and changes to lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from domain.game import timeouts
from domain.game.aggregate import Game
from domain.game.timeouts import Patience
from domain.log.record import Record
from service.accounts.players import Caller
from service.games import representations
from service.games.commands import Key
from service.notices.entries import written
from service.notices.occasions import occasions
from service.store.codec import dump
from service.store.event_store import Append
from service.store.game_index import NO_DEADLINE, Listing, Turn, member_of
from service.store.priority import NO_PRIORITY, Priority, Rank


@dataclass(frozen=True, slots=True)
class Kept:
    """The response to a request that came with a key, and the name under which to remember it.

    ``by`` is the player who sent the request, '' if it is the service's own or a bot's.
    """

    name: str = ""
    answer: bytes = field(default=b"", repr=False)
    by: str = ""


def kept_under(caller: Caller, key: Key | None) -> str:
    """Name the place of a request's response; '' without a key."""
    return sha256(f"{caller.player} {key.name}".encode()).hexdigest() if key else ""


def append_for(
    before: Game | None, after: Game, records: Sequence[Record], patience: Patience, kept: Kept, *, follow_up: bool
) -> Append:
    """Put together what one request appends; ``patience`` determines when something is due next.

    With ``follow_up``, nothing is queued: the process that commits plays the next bot turn as well.
    """
    deadline = timeouts.due(after, patience)
    return Append(
        game_id=after.id,
        expected=before.version if before else 0,
        records=records,
        head=before.head if before else "",
        request_key=kept.name,
        answer=kept.answer,
        deadline=deadline,
        has_work=not follow_up and bool(timeouts.bots_to_act(after)),
        priority=NO_PRIORITY if deadline is None else priority_of(after),
        notices=written(occasions(before, after, kept.by)),
        listing=_listing(before, after),
        turns=_turns(before, after),
    )


def _listing(before: Game | None, after: Game) -> Listing | None:
    """Return the changes to the lists of games, which show only seats and status."""
    if before and (before.status, before.sitters) == (after.status, after.sitters):
        return None
    had, have = (_part_in(game) for game in (before, after))
    return Listing(
        summary=dump(representations.game_resource(after)),
        member=member_of(after.created_at, after.id),
        ruleset=after.ruleset.id,
        left=before.status if before else after.status,
        entered=after.status,
        public=after.visibility == "public",
        joined=sorted(have - had),
        gone=sorted(had - have),
    )


def _part_in(game: Game | None) -> set[str]:
    """List who has a part in a game: its creator, and the players on its seats; nobody once it is aborted."""
    if game is None or game.status == "aborted":
        return set()
    return {game.creator, *(sitter.player for sitter in game.sitters if sitter and sitter.player)}


def _turns(before: Game | None, after: Game) -> list[Turn]:
    """Return whose turn begins, ends or has a new deadline."""
    was, now = _to_act(before) if before else {}, _to_act(after)
    ended: list[Turn] = [(player, None) for player in was if player not in now]
    return ended + [(player, until) for player, until in now.items() if was.get(player) != until]


def _to_act(game: Game) -> Mapping[str, int]:
    """Return the players that the game waits for, with the deadline of their most urgent seat."""
    found: dict[str, int] = {}
    until = game.times.until
    for seat in game.waiting_for:
        sitter = game.sitters[seat]
        if sitter is not None and sitter.player is not None:
            at = until.get(seat, NO_DEADLINE)
            found[sitter.player] = min(at, found.get(sitter.player, at))
    return found


def priority_of(game: Game) -> Priority:
    """Return the priority of a game's work."""
    if not game.has_players:
        return Priority(Rank.ALONE, (game.creator,))
    waiting = timeouts.waiting(game) if game.status != "open" else []
    if not waiting:
        return Priority(Rank.SPARE, (game.creator,))
    return Priority(Rank.URGENT, tuple(dict.fromkeys(waiting)))
