"""What a view of Plute says in words: the hand, the contract, whose turn it is, what each team has won."""

from collections.abc import Iterator, Mapping, Sequence

from domain.cardplay.turns import next_to_play
from domain.pictures.scene import Scene, SeatLine, Side, hand_row, trick_row, trick_title, viewer_of
from domain.pictures.wording import SUIT_NAMES, WRITTEN, Wording, sentence
from domain.plute import bidding
from domain.plute.deck import PLAYERS, TrickCard
from domain.plute.events import Point, Team
from domain.plute.state import TEAMS, HandResult, of_team, other_team, team_of
from domain.plute.view import View
from domain.table import Seat

SIDES: Mapping[Team, Side] = {"even": "first", "odd": "second"}
TEAM_NAMES: Mapping[Team, str] = {"even": "Even", "odd": "Odd"}
POINT_NAMES: Mapping[Point, str] = {
    "high": "High",
    "low": "Low",
    "jack": "Jack",
    "off_jack": "Off-Jack",
    "high_joker": "High Joker",
    "low_joker": "Low Joker",
    "game": "Game",
}


def scene_of(view: View, wording: Wording = WRITTEN) -> Scene:
    """Read the scene off a view, with the trick on the table, or the last one taken."""
    cards, winner = shown_trick(view)
    trick = trick_row(len(view.tricks) + (winner is None), cards, winner, wording)
    hands = [hand_row(hand.seat, hand.cards, wording) for hand in view.hands]
    rows = tuple(row for row in (trick, *hands) if row.things)
    return Scene(_title(view), tuple(map(sentence, _lines(view, wording))), rows, _seats(view, wording))


def _seats(view: View, wording: Wording) -> tuple[SeatLine, ...]:
    turn, eyes = turn_of(view), viewer_of(view.hands, wording)
    return tuple(
        SeatLine(
            seat=hand.seat,
            side=SIDES[team_of(hand.seat)],
            note=", ".join(filter(None, (TEAM_NAMES[team_of(hand.seat)], note_of(view, hand.seat)))),
            cards=hand.count,
            score=None,
            is_viewer=hand.seat == eyes,
            is_to_act=hand.seat == turn,
            name=wording.name(hand.seat),
        )
        for hand in view.hands
    )


def team_sentences(view: View) -> Iterator[str]:
    """Write what each team has made and won."""
    for team in TEAMS:
        tally, standing = of_team(view.tally, team), of_team(view.standing, team)
        won = points_of(view, team) or "none"
        tricks = f"tricks {standing.tricks}, for Game {standing.game_value}, points {won}"
        yield f"{TEAM_NAMES[team]}: made {tally.made}, set {tally.set}, {tricks}"


def turn_of(view: View) -> Seat | None:
    """Return the seat to speak or to play, None if there is none."""
    if view.phase == "bid":
        return None if view.contract else bidding.next_speaker(view.dealer, view.bids)
    return next_to_play(PLAYERS, view.trick.leader, view.trick.cards) if view.trick else None


def shown_trick(view: View) -> tuple[Sequence[TrickCard], Seat | None]:
    """Return the cards on the table; while there are none, those of the last trick and the seat that took it."""
    if view.trick and view.trick.cards:
        return view.trick.cards, None
    if not view.tricks:
        return (), None
    return view.tricks[-1].cards, view.tricks[-1].winner


def note_of(view: View, seat: Seat) -> str:
    """Return what a seat has bid, and once the contract is won which seat is the bidder."""
    if view.contract:
        return f"bidder, {view.contract.points}" if seat == view.contract.bidder else ""
    spoken = [bid.points for bid in view.bids if bid.seat == seat]
    return "" if not spoken else f"bids {spoken[0]}" if spoken[0] else "passes"


def points_of(view: View, team: Team) -> str:
    """List the points that a team has for certain in this hand."""
    return ", ".join(POINT_NAMES[point] for point in of_team(view.standing, team).points)


def _title(view: View) -> str:
    if not view.hand_number:
        return "Nothing is dealt yet"
    hand = f"Hand {view.hand_number}"
    if view.phase == "over":
        return f"{hand}: the game is over"
    if view.trick:
        return f"{hand}: {trick_title(view.trick.number, view.trick.cards)}"
    return f"{hand}: bidding" if view.phase == "bid" else f"{hand} is over"


def _lines(view: View, wording: Wording) -> Iterator[str]:
    contract, trump = view.contract, view.trump
    if view.phase in ("bid", "over") and view.hand_results:
        yield from _result(view.hand_results[-1])
    if view.phase == "over":
        yield _ending(view)
        return
    if contract:
        suit = f", {SUIT_NAMES[trump]} are trumps" if trump else ""
        yield f"{wording.seat(contract.bidder)} plays for {contract.points} points{suit}"
    if trump and view.jokers.high:
        yield f"High joker: {wording.card(view.jokers.high)}"
    turn = turn_of(view)
    if turn is not None:
        yield f"{wording.seat(turn)} is {_deed(view)}"
    if view.may_claim:
        yield "The bid is decided: every seat may claim"
    if view.hand_number:
        yield f"Dealer: {wording.seat(view.dealer)}"


def _deed(view: View) -> str:
    if view.contract is None:
        return "to speak"
    return "to play" if shown_trick(view)[0] else "to lead and name trump"


def _result(result: HandResult) -> Iterator[str]:
    contract, won = result.contract, len(result.points[0].points)
    stopped = ", stopped" if result.stopped else ""
    done = "made" if result.made else "set"
    yield f"Hand {result.hand_number}: {TEAM_NAMES[contract.team]} bid {contract.points}, won {won}{stopped}: {done}"
    if result.plute:
        yield f"A Plute: {TEAM_NAMES[result.plute]} took all nine tricks"


def _ending(view: View) -> str:
    last = view.hand_results[-1]
    team = last.contract.team
    if last.plute:
        return f"{TEAM_NAMES[last.plute]} wins by the Plute"
    tally = of_team(view.tally, team)
    if last.made:
        return f"{TEAM_NAMES[team]} wins: made {tally.made}"
    return f"{TEAM_NAMES[other_team(team)]} wins: {TEAM_NAMES[team]} is set {tally.set}"
