"""What the players may agree on: proposals that every seat must accept, and the votes on them.

The ruleset knows what can be proposed and what follows from an agreement; here is how one comes about.
"""

from typing import Any

from domain.events import ProposalClosed, ProposalMade, VoteCast
from domain.game import Game, Proposal, Step, WrongMoment, check_active, settled
from domain.ruleset import Seat


def propose(game: Game, seat: Seat, kind: str) -> Step:
    """Propose something of the ruleset's ``PROPOSALS``, and accept it."""
    check_active(game)
    if kind not in game.ruleset.proposals(game.state, seat):
        raise WrongMoment("nothing-to-propose", f"{kind} makes no sense now: it is agreed, or comes about anyway")
    if any(made.kind == kind for made in game.proposals):
        raise WrongMoment("already-proposed", f"{kind} is proposed already; vote on it")
    return settled(game, [ProposalMade(seat, f"p{game.version + 1}", kind)])


def vote(game: Game, seat: Seat, proposal: str, *, accept: bool) -> Step:
    """Answer a proposal: the last to accept carries it, the first to decline ends it."""
    check_active(game)
    made = next((each for each in game.proposals if each.id == proposal), None)
    if made is None:
        raise WrongMoment("proposal-closed", f"{proposal} is not open; the view shows what is")
    if seat in made.accepted:
        raise WrongMoment("already-voted", f"seat {seat} has accepted {proposal}; a vote stands")
    return settled(game, [VoteCast(seat, proposal, accept), *_closing(game, made, accept=accept)])


def _closing(game: Game, made: Proposal, *, accept: bool) -> list[Any]:
    if not accept:
        return [ProposalClosed(made.id, "declined")]
    if len(made.accepted) + 1 < len(game.sitters):
        return []
    return [ProposalClosed(made.id, "agreed"), *game.ruleset.agree(game.state, made.kind)]
