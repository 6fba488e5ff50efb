"""What the players can agree on: proposals that every seat must accept, and the votes on them.

In every game, the players can agree on a pause, on its early end, and on ending the game without a result; in most
games, on a take-back. The ruleset defines what else, and what follows from it. Bots do not vote: a proposal is carried
once every player has accepted it.
"""

from domain.errors import InvalidOptions, OptionProblem, wrong_moment
from domain.events import (
    OF_EVERY_GAME,
    OF_OPEN_EVENTS,
    TAKE_BACK,
    GameAborted,
    GamePaused,
    GameResumed,
    ProposalClosed,
    ProposalMade,
    TakenBack,
    VoteCast,
)
from domain.game import take_backs
from domain.game.aggregate import Decided, Game, check_active, check_seat, evolve, keeps_positions, settled
from domain.game.durations import DAY, MINUTE, duration
from domain.game.parts import Proposal
from domain.ruleset import AnyRuleset
from domain.sentences.message import Text, message, seat_number
from domain.table import Seat
from domain.wellformed import shown

_USUAL_PAUSE = "P14D"
_SHORTEST_PAUSE, _LONGEST_PAUSE = MINUTE, 90 * DAY


def kinds(ruleset: AnyRuleset) -> dict[str, str]:
    """List what the players of a ruleset can agree on, each with a sentence."""
    return {**ruleset.proposal_kinds, **OF_EVERY_GAME, **(OF_OPEN_EVENTS if ruleset.open_events else {})}


def propose(game: Game, seat: Seat, kind: str, length: str | None = None, to_version: int | None = None) -> Decided:
    """Make a proposal, and accept it.

    ``length`` is the duration of a pause, ``to_version`` what a take-back returns to: by default the version before the
    seat's last action.
    """
    _check_moment(game, kind)
    check_seat(game, seat)
    if not _can_propose(game, seat, kind):
        raise wrong_moment("nothing-to-propose", kind=shown(kind))
    if any(made.kind == kind for made in game.proposals):
        raise wrong_moment("already-proposed", kind=Text(kind))
    _check_length(kind, length)
    if to_version is not None and kind != TAKE_BACK:
        said = message("fault.out-of-place", taking_back=Text(TAKE_BACK), kind=Text(kind))
        raise InvalidOptions([OptionProblem("to_version", "out-of-place", said)])
    pause = (length or _USUAL_PAUSE) if kind == "pause" else None
    back_to = take_backs.target(game, seat, to_version) if kind == TAKE_BACK else None
    return _accepted(game, ProposalMade(seat, f"p{game.version + 1}", kind, pause, back_to))


def vote(game: Game, seat: Seat, proposal: str, *, accept: bool) -> Decided:
    """Vote on a proposal: the last seat to accept carries it, the first to decline closes it."""
    check_running(game)
    check_seat(game, seat)
    if type(accept) is not bool:
        raise InvalidOptions([OptionProblem("accept", "wrong-type", message("fault.accept"))])
    made = next((each for each in game.proposals if each.id == proposal), None)
    if made is None:
        raise wrong_moment("proposal-closed", proposal=shown(proposal))
    _check_moment(game, made.kind)
    if seat in made.accepted:
        raise wrong_moment("already-voted", seat=seat_number(seat), proposal=Text(proposal))
    cast = VoteCast(seat, proposal, accept)
    return _accepted(game, cast) if accept else settled(game, [cast, ProposalClosed(made.id, "declined")])


def check_running(game: Game) -> None:
    """Reject what is possible only between the start and the end."""
    if game.status != "paused":
        check_active(game)


def _can_propose(game: Game, seat: Seat, kind: str) -> bool:
    if type(kind) is not str:
        return False
    is_usual = kind in OF_EVERY_GAME or (kind in OF_OPEN_EVENTS and keeps_positions(game))
    return is_usual or kind in game.ruleset.offers(game.state, seat)


def _check_moment(game: Game, kind: str) -> None:
    """Reject resuming a game that is not paused, and every other proposal while it is paused."""
    if kind != "resume":
        check_active(game)
    elif game.status != "paused":
        check_active(game)
        raise wrong_moment("nothing-to-propose.resume")


def _check_length(kind: str, length: str | None) -> None:
    if length is None:
        return
    try:
        fits = kind == "pause" and type(length) is str and _SHORTEST_PAUSE <= duration(length) <= _LONGEST_PAUSE
    except ValueError:
        fits = False
    if not fits:
        said = message("fault.pause", duration=shown(length))
        raise InvalidOptions([OptionProblem("duration", "out-of-bounds", said)])


def _accepted(game: Game, event: ProposalMade | VoteCast) -> Decided:
    """Record that a seat accepts a proposal, and what follows once every player has."""
    made = next(each for each in evolve(game, event).proposals if each.id == event.proposal)
    players = {seat for seat in range(len(game.sitters)) if not game.bot_of(seat)}
    carried = [ProposalClosed(made.id, "agreed"), *_agreed(game, made)] if players <= set(made.accepted) else []
    return settled(game, [event, *carried])


def _agreed(game: Game, made: Proposal) -> list[object]:
    if made.kind == "pause":
        return [GamePaused(made.duration or _USUAL_PAUSE)]
    if made.kind == "resume":
        return [GameResumed("agreed")]
    if made.kind == "abort":
        return [GameAborted("agreed", game.secret.hex())]
    if made.to_version is not None:
        others = [ProposalClosed(other.id, "lapsed", "taken_back") for other in game.proposals if other.id != made.id]
        return [*others, TakenBack(made.to_version)]
    return game.ruleset.agree(game.state, made.kind)
