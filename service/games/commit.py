"""What one append writes: the events, the response to remember, the next deadline, and changes to lists."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import orjson

from domain.game import timeouts
from domain.game.aggregate import Game
from domain.game.durations import instant
from domain.game.luck import deal_scores
from domain.game.timeouts import Patience
from domain.log.record import Record
from domain.table import Seat
from service.accounts.players import Caller, Key
from service.games.projections import representations
from service.inbox.notices import occasions, written
from service.store.event_store import Append, SetTable
from service.store.game_index import NO_DEADLINE, NO_PRIORITY, Listing, Priority, Rank, Turn, member_of


@dataclass(frozen=True, slots=True)
class Kept:
    """The response to a request that came with a key, and the name under which to remember it.

    ``by`` is the player who sent the request, '' if it is the service's own or a bot's.
    """

    name: str = ""
    answer: bytes = field(default=b"", repr=False)
    by: str = ""


def kept_under(caller: Caller, key: Key | None) -> str:
    """Return the name under which the response to a request is stored; '' without a key.

    A seat token has keys of its own, so it never reads the response that another seat of the same player got.
    """
    who = caller.player if caller.seat is None else f"{caller.player}/{caller.seat}"
    return sha256(f"{who} {key.name}".encode()).hexdigest() if key else ""


def append_for(
    before: Game | None,
    after: Game,
    records: Sequence[Record],
    patience: Patience,
    kept: Kept,
    *,
    follow_up: bool,
) -> Append:
    """Put together what one request appends; ``patience`` determines the next deadline.

    With ``follow_up``, no job is queued: the process that commits plays the next bot turn as well.
    """
    deadline, to_act, news = timeouts.due(after, patience), seats_to_act(after), occasions(before, after, kept.by)
    # If only one seat is to act, a plan can act for it: the player gets a notice of the turn only if the plan does not.
    if_planned = news if len(to_act) > 1 else [notice for notice in news if notice.kind != "your_turn"]
    # One step of the store writes all of it, so what is derived from the log neither lacks an event nor is ahead of it.
    return Append(
        game_id=after.id,
        expected=before.version if before else 0,
        records=records,
        head=before.head if before else "",
        request_key=kept.name,
        answer=kept.answer,
        deadline=deadline,
        has_work=not follow_up and bool(timeouts.bots_to_act(after)),
        priority=_priority_of_plans(after, to_act) if deadline is None else priority_of(after),
        notices=written(news) if news else b"",
        notices_if_planned=written(if_planned) if if_planned else b"",
        listing=listing_of(before, after),
        turns=_turns(before, after),
        to_act=to_act,
        lease=patience.bot,
        unplanned=_unplanned(before, after),
        silenced=_silenced(before, after),
        finished=instant(after.at) if after.is_over and not stays(after, patience) else None,
        table=_table(before, after) if after.deal is not None else None,
    )


def _table(before: Game | None, after: Game) -> SetTable | None:
    """Return the entry of a game that begins or ends in its deal set: its id, whether it is ranked, and its score.

    A game that ends after the set has closed counts as not finished, and so does one that a bot has taken over. The
    log of a tournament has what its tables reached.
    """
    deal = after.deal
    if deal is None or after.creator.startswith(TOURNAMENT) or (before is not None and not after.is_over):
        return None
    state = f"{after.id} {int(deal.ranked)}"
    if after.is_over:
        seated = after.sitters[PLAYER]
        is_own = seated is not None and (seated.player == after.creator or not after.had_players)
        in_time = after.outcome is not None and is_own and instant(after.at) < instant(deal.closes)
        state += f" {sum(scores[PLAYER] for scores in deal_scores(after))}" if in_time else " -"
    return SetTable(deal.set, f"{after.creator} {deal.number}", state)


TOURNAMENT = "tn_"
"""The ids of tournaments begin so; each is the creator of its games."""

PLAYER: Seat = 0
"""The seat of the player in every game of a daily set."""


def seats_to_act(game: Game) -> list[Seat]:
    """List the seats of players that the game waits for; their plans can act now."""
    if game.bidder:
        return []
    return [seat for seat in game.waiting_for if (sitter := game.sitters[seat]) is not None and sitter.player]


def stays(game: Game, patience: Patience) -> bool:
    """Return whether a game's log is never archived: a fork shares entries with its origin, a sandbox is removed."""
    return game.forked_from is not None or (game.sandbox and patience.sandbox is not None)


def _unplanned(before: Game | None, after: Game) -> Sequence[int]:
    """Return the seats whose plans end: all seats when the game ends, otherwise those that were handed over."""
    # A move keeps the same tuple of sitters, so this check costs it almost nothing.
    if before is None or (before.sitters is after.sitters and not after.is_over):
        return ()
    was, now = ([sitter and sitter.player for sitter in game.sitters] for game in (before, after))
    return [seat for seat, player in enumerate(was) if player and (after.is_over or now[seat] != player)]


def _silenced(before: Game | None, after: Game) -> Sequence[str] | None:
    """Return whose phrases go: those of players who leave the table, and all (None) of a game that is aborted."""
    if before is None or before.sitters is after.sitters:
        return None if after.status == "aborted" else ()
    was, now = ({sitter.player for sitter in game.sitters if sitter} for game in (before, after))
    return sorted(player for player in was - now if player)


def listing_of(before: Game | None, after: Game) -> Listing | None:
    """Return the changes to the lists of games, which show only seats and status."""
    if before and (before.status, before.sitters) == (after.status, after.sitters):
        return None
    had, have = (_part_in(game) for game in (before, after))
    return Listing(
        summary=orjson.dumps(representations.game_resource(after)),
        member=member_of(after.created_at, after.id),
        ruleset=after.ruleset.id,
        left=before.status if before else after.status,
        entered=after.status,
        public=after.visibility == "public",
        joined=sorted(have - had),
        gone=sorted(had - have),
    )


def _part_in(game: Game | None) -> set[str]:
    """List the players with a part in a game: its creator and the players on its seats; none once it is aborted."""
    if game is None or game.status == "aborted":
        return set()
    return {game.creator, *(sitter.player for sitter in game.sitters if sitter and sitter.player)}


def _turns(before: Game | None, after: Game) -> list[Turn]:
    was, now = _to_act(before) if before else {}, _to_act(after)
    ended: list[Turn] = [(player, None) for player in was if player not in now]
    return ended + [(player, until) for player, until in now.items() if was.get(player) != until]


def _to_act(game: Game) -> Mapping[str, int]:
    """Return the players that the game waits for, for a move or a seed, with the deadline of their most urgent seat."""
    players: dict[str, int] = {}
    until = game.times.until
    for seat in () if game.bidder else game.waiting_for:
        sitter = game.sitters[seat]
        if sitter is not None and sitter.player is not None:
            at = until.get(seat, NO_DEADLINE)
            players[sitter.player] = min(at, players.get(sitter.player, at))
    if game.awaited is not None:
        to_open = [sitter.player for seat in game.unopened if (sitter := game.sitters[seat]) and sitter.player]
        players |= dict.fromkeys(to_open, game.awaited.until)
    return players


def _priority_of_plans(game: Game, to_act: Sequence[int]) -> Priority:
    """Return the priority of a game whose only work is plans: it counts for the player of the first seat."""
    if not to_act:
        return NO_PRIORITY
    sitter = game.sitters[to_act[0]]
    return Priority(Rank.SPARE if game.sandbox else Rank.URGENT, ((sitter.player if sitter else None) or "",))


def priority_of(game: Game) -> Priority:
    if not game.has_players:
        return Priority(Rank.ALONE, (game.creator,))
    waiting = timeouts.waiting(game) if game.status != "open" or game.awaited else []
    if not waiting:
        return Priority(Rank.SPARE, (game.creator,))
    return Priority(Rank.URGENT, tuple(dict.fromkeys(waiting)))
