"""What time does to a game: turns that time out, claims, pauses and open games that end, downtime that is credited.

``due`` returns when something must happen; the other functions decide what. Times are in milliseconds since 1970.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from domain.errors import wrong_moment
from domain.events import (
    AbortReason,
    GameAborted,
    GameResumed,
    ProposalClosed,
    TimeCredited,
    TimeoutClaimed,
    TurnTimedOut,
)
from domain.game import seating
from domain.game.aggregate import Decided, Game, check_active, check_seat, decide, settled
from domain.game.durations import SECOND, duration, instant, moment
from domain.table import Seat


@dataclass(frozen=True, slots=True)
class Patience:
    """Waiting times of the service in ms; None is no limit.

    ``bot``: until a bot's move is retried.
    ``open_game``: until an open game without changes of its seats is closed.
    ``empty_game``: until a game that all its players have left is closed, if no player takes a seat.
    ``idle_game``: until a game is closed in which nothing happens and nothing else is due.
    ``bot_pace``: delay before a bot's move, unless the table chose another; 0 does not hide the thinking time either.
    ``sandbox``: until a sandbox without events is ended, and again until it is deleted.
    """

    bot: int = 12 * SECOND
    open_game: int | None = None
    empty_game: int | None = None
    idle_game: int | None = None
    bot_pace: int = 0
    sandbox: int | None = None


ENDLESS = Patience()
"""For tools: neither open nor idle games ever end by themselves, and no sandbox goes."""


def due(game: Game, patience: Patience) -> int | None:
    """Return the time of the next automatic action, or None.

    It is the end of a pause, of an open game or of the opening of seeds; a timeout that no player has to claim; or the
    retry of a bot's move. If none of these is due, it is the time at which the game has been idle for too long. A
    sandbox that is over is due when it is deleted.
    """
    if game.status == "paused":
        return game.times.resumes
    if game.awaited is not None:
        return game.awaited.until
    if game.status != "active":
        return expires(game, patience)
    again = [instant(game.at) + bot_pause(game, patience) + patience.bot] if bots_to_act(game) else []
    due_of_turns = min([*again, *_fires(game).values()], default=None)
    return expires(game, patience) if due_of_turns is None else due_of_turns


def expires(game: Game, patience: Patience) -> int | None:
    """Return when a game ends if nothing happens in it until then, or a sandbox that is over goes; None for never.

    In an open game, what happens is that its seats change. A game in which something else will be due does not end.
    """
    if game.is_over:
        return goes(game, patience)
    return min(_ends(game, patience).values(), default=None)


def goes(game: Game, patience: Patience) -> int | None:
    """Return when a game that is over is removed, None for never: only sandboxes are."""
    return None if patience.sandbox is None or not game.sandbox else instant(game.at) + patience.sandbox


def _ends(game: Game, patience: Patience) -> dict[AbortReason, int]:
    """Return when and why a game ends; the last event of an open game is a change of its seats."""
    if is_idle(game) and game.deal is not None:
        return {"closed": instant(game.deal.closes)}
    if is_idle(game):
        idle = patience.sandbox if game.sandbox else patience.idle_game
        return {} if idle is None else {"idle": instant(game.at) + idle}
    if game.status != "open" or game.awaited is not None:
        return {}
    is_empty = game.had_players and not game.has_players
    waits: dict[AbortReason, int | None] = {
        "abandoned": patience.empty_game if is_empty else None,
        "expired": min(filter(None, (patience.open_game, patience.sandbox if game.sandbox else None)), default=None),
    }
    return {reason: instant(game.at) + wait for reason, wait in waits.items() if wait is not None}


def is_idle(game: Game) -> bool:
    """Return whether a game in play stays as it is until a player acts: no bot moves, and no turn times out."""
    return game.status == "active" and not (bots_to_act(game) or _fires(game))


def expire(game: Game, now: int, patience: Patience) -> Decided:
    """End an open or idle game whose time is over."""
    ends = _ends(game, patience)
    reason = min(ends, key=ends.__getitem__, default=None)
    if reason is None or ends[reason] > now:
        raise wrong_moment("not-over.game")
    return seating.abort(game, reason) if game.status == "open" else abandon(game)


def abandon(game: Game) -> Decided:
    """End an idle game without a result, or one whose deal set has closed."""
    if not is_idle(game):
        raise wrong_moment("not-over.game")
    return settled(game, [GameAborted("idle" if game.deal is None else "closed", game.secret.hex())])


def bots_to_act(game: Game) -> list[Seat]:
    """List the seats that bots play and the game waits for."""
    return [
        seat for seat in game.waiting_for if game.bidder or ((sitter := game.sitters[seat]) is not None and sitter.bot)
    ]


def bot_pause(game: Game, patience: Patience) -> int:
    """Return for how many ms a bot to act waits, so that players can follow: not at all where only bots are present."""
    return (patience.bot_pace if game.bot_pace is None else duration(game.bot_pace)) if _present(game) else 0


def hides_thinking(game: Game, patience: Patience) -> bool:
    """Return whether the moment of a bot's move must not tell how long it thought, which depends on what it holds.

    Players who are away can come back, so they count. A sandbox has only one player, and a service whose bots never
    wait has given this up.
    """
    return patience.bot_pace > 0 and game.has_players and not game.sandbox


def waiting(game: Game) -> list[str]:
    """List the players who wait for the service's next step: those at the table, unless it is their own timeout.

    A player whose last turn timed out is away until they do something; a sandbox has only one player.
    """
    if game.sandbox:
        return []
    late = game.waiting_for if len(game.waiting_for) == 1 and not bots_to_act(game) else ()
    return [player for seat, player in _present(game).items() if seat not in late]


def _present(game: Game) -> dict[Seat, str]:
    """Return the players at the table, by seat; those whose last turn timed out are away until they do something."""
    return {
        seat: sitter.player
        for seat, sitter in enumerate(game.sitters)
        if sitter and sitter.player and seat not in game.times.absent
    }


def _fires(game: Game) -> dict[Seat, int]:
    """Return when each player whom the game waits for loses the turn; a claim has this effect at once."""
    if game.clock is None:
        return {}
    bots = bots_to_act(game)
    if game.clock.on_timeout == "wait":
        return {seat: instant(game.at) for seat in game.waiting_for if seat not in bots and seat in game.times.claimed}
    return {seat: game.times.until[seat] for seat in game.waiting_for if seat not in bots}


def late_seat(game: Game, now: int) -> Seat | None:
    """Return the seat that loses its turn now: of several late ones, the one whose time was up first."""
    fires = {seat: at for seat, at in _fires(game).items() if at <= now}
    return min(fires, key=lambda seat: (fires[seat], seat), default=None)


def loses(game: Game) -> bool:
    """Return whether a late seat loses the game; otherwise, and where the rules allow no resignation, a bot decides."""
    return game.clock is not None and game.clock.on_timeout != "bot" and game.ruleset.resigned is not None


def lost_by(game: Game) -> Literal["loss", "resign"]:
    """Return how a late seat loses the game: on time, where the rules know that, or as if it resigned."""
    return "resign" if game.ruleset.lost_on_time is None else "loss"


def lose_late(game: Game, seat: Seat) -> Decided:
    """Let a seat lose the game whose time is up."""
    lose = game.ruleset.lost_on_time or game.ruleset.resign
    return settled(game, [TurnTimedOut(seat, lost_by(game), None), *lose(game.state, seat)])


def act_late(game: Game, seat: Seat, bot: str, action: object) -> Decided:
    """Carry out a bot's decision for a seat whose time is up."""
    timed_out = TurnTimedOut(seat, "bot", bot)
    return settled(game, [timed_out, *decide(game, seat, action)])


def claim(game: Game, seat: Seat, now: int) -> Decided:
    """Claim, for a seat, that another seat's time is up, so that its turn is taken from it."""
    check_active(game)
    check_seat(game, seat)
    if game.clock is None or game.clock.on_timeout != "wait":
        raise wrong_moment("nothing-to-claim")
    waiting = {late: at for late, at in game.deadlines.items() if late != seat and late not in game.times.claimed}
    late = min(waiting, key=lambda other: (waiting[other], other), default=None)
    if late is None or waiting[late] > now:
        raise wrong_moment("not-timed-out.claim")
    return settled(game, [TimeoutClaimed(seat, late)])


def resume(game: Game, now: int) -> Decided:
    """End a pause whose time is over."""
    if game.status != "paused" or game.times.resumes is None or game.times.resumes > now:
        raise wrong_moment("not-over.pause")
    idle = [ProposalClosed(made.id, "lapsed") for made in game.proposals if made.kind == "resume"]
    return settled(game, [*idle, GameResumed("over")])


def credit(game: Game, downtimes: Iterable[tuple[int, int]]) -> Decided:
    """Credit the time for which clocks ran while the service was down; return no events if nothing is owed."""
    credited = [TimeCredited(moment(began), moment(ended)) for began, ended in owed(game, downtimes)]
    return settled(game, credited) if credited else ([], game)


def owed(game: Game, downtimes: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """List the downtimes during which some clock ran and that have not been credited yet."""
    return [
        (began, ended)
        for began, ended in downtimes
        if ended > game.times.credited and any(start < ended for start in game.times.since.values())
    ]
