"""What a view of Plute says in words: the hand, the contract, whose turn it is, what each team has won."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from domain.cardplay.cards import TRUMP
from domain.cardplay.tricks import next_to_play, winning_so_far
from domain.pictures.scene import (
    Goal,
    Scene,
    SeatLine,
    Side,
    beside_the_seats,
    hand_row,
    last_trick_row,
    trick_row,
    trick_title,
    viewer_of,
)
from domain.pictures.shown import ALONE, Shown
from domain.pictures.wording import PRINTED, WRITTEN, Style, Wording, wording
from domain.plute import bidding
from domain.plute.deck import PLAYERS, TrickCard, strengths, suits
from domain.plute.events import Team
from domain.plute.picture.sheet import result_messages, sheet_of, team_name, totals_of
from domain.plute.state import TEAMS, of_team, other_team, team_of
from domain.plute.view import View
from domain.sentences.message import AtSeat, Items, Message, Number, Parameter, message
from domain.sentences.message import Card as CardNamed
from domain.table import Seat

SIDES: Mapping[Team, Side] = {"even": "first", "odd": "second"}
_PACKAGE = "domain.plute"


def words_of(style: Style, shown: Shown = ALONE) -> Wording:
    """Return the words of this game."""
    return wording(_PACKAGE, style, shown)


def scene_of(view: View, style: Style = WRITTEN, shown: Shown = ALONE) -> Scene:
    """Read the scene off a view, with the trick on the table, or the last one taken."""
    said, (cards, winner) = words_of(style, shown), shown_trick(view)
    trick = trick_row(said, len(view.tricks) + (winner is None), cards, winner, _winning(view, cards))
    eyes = viewer_of(view.hands, said)
    rows = (row for row in (trick, *(hand_row(said, hand.seat, hand.cards, eyes) for hand in view.hands)) if row.things)
    lines = tuple(map(said.sentence, _lines(view)))
    return Scene(said.sentence(_title(view)), lines, tuple(rows), tuple(_seats(view, eyes, said)))


def _winning(view: View, cards: Sequence[TrickCard]) -> Seat | None:
    """Return the seat that would win the trick as it is; None before trump is named."""
    if view.trump is None:
        return None
    return winning_so_far(cards, suits(view.trump), strengths(view.trump, view.jokers.high), TRUMP)


def page_of(view: View, shown: Shown) -> Scene:
    """Return the scene of a page, which has room for more: the last trick, and what each team has made and won."""
    scene, said = scene_of(view, PRINTED, shown), words_of(PRINTED, shown)
    is_led = view.trick is not None and len(view.trick.cards) > 0
    last = [last_trick_row(said, won.cards, won.winner) for won in view.tricks[-1:] if is_led]
    return replace(
        scene,
        lines=tuple(map(said.sentence, (*beside_the_seats(_lines(view)), *team_sentences(view)))),
        rows=(*scene.rows, *last),
        sheet=tuple(sheet_of(view, said)),
        totals=tuple(totals_of(view, said)),
        goals=tuple(_goals(view, said)),
    )


_ALL_POINTS = 7


def _goals(view: View, said: Wording) -> Iterator[Goal]:
    """Return the points of each team, and how many it needs to make its bid, or to set the other team."""
    if view.contract is None:
        return
    bidders = view.contract.team
    for team in (bidders, other_team(bidders)):
        done = len(of_team(view.standing, team).points)
        target = view.contract.points if team == bidders else _ALL_POINTS + 1 - view.contract.points
        says = said.say("scene.goal", done=Number(done), target=Number(target))
        yield Goal(SIDES[team], done, target, _ALL_POINTS, says, done >= target)


def _seats(view: View, eyes: Seat | None, said: Wording) -> Iterator[SeatLine]:
    turn = turn_of(view)
    for hand in view.hands:
        team, note = team_of(hand.seat), note_of(view, hand.seat)
        of_team = message("scene.note.team", team=team_name(team), note=note) if note else team_name(team)
        yield SeatLine(
            seat=hand.seat,
            side=SIDES[team],
            note=said.phrase(of_team),
            cards=hand.count,
            score=None,
            is_viewer=hand.seat == eyes,
            is_to_act=hand.seat == turn,
            name=said.name(hand.seat),
            is_dealer=bool(view.hand_number) and hand.seat == view.dealer,
        )


def team_sentences(view: View) -> Iterator[Message]:
    """Write what each team has made and won."""
    for team in TEAMS:
        tally, standing = of_team(view.tally, team), of_team(view.standing, team)
        yield message(
            "scene.standing",
            team=team_name(team),
            made=Number(tally.made),
            sets=Number(tally.set),
            tricks=Number(standing.tricks),
            value=Number(standing.game_value),
            points=Items(tuple(points_of(view, team))) if standing.points else Message("scene.no_points"),
        )


def turn_of(view: View) -> Seat | None:
    """Return the seat to speak or to play, None if there is none."""
    if view.phase == "bid":
        return None if view.contract else bidding.next_speaker(view.dealer, view.bids)
    return next_to_play(range(PLAYERS), view.trick.leader, view.trick.cards) if view.trick else None


def shown_trick(view: View) -> tuple[Sequence[TrickCard], Seat | None]:
    """Return the cards on the table; while there are none, those of the last trick and the seat that took it."""
    if view.trick and view.trick.cards:
        return view.trick.cards, None
    if not view.tricks:
        return (), None
    return view.tricks[-1].cards, view.tricks[-1].winner


def note_of(view: View, seat: Seat) -> Message | None:
    """Return what a seat has bid, and once the contract is won which seat is the bidder."""
    if view.contract:
        points = Number(view.contract.points)
        return message("scene.note.bidder", points=points) if seat == view.contract.bidder else None
    spoken = [bid.points for bid in view.bids if bid.seat == seat]
    if not spoken:
        return None
    return message("scene.note.bids", points=Number(spoken[0])) if spoken[0] else Message("scene.note.passes")


def points_of(view: View, team: Team) -> Iterator[Message]:
    """List the points that a team has for certain in this hand."""
    return (Message(f"point.{point}") for point in of_team(view.standing, team).points)


def _title(view: View) -> Message:
    if not view.hand_number:
        return Message("scene.title.nothing")
    hand = {"hand": Number(view.hand_number)}
    if view.phase == "over":
        return Message("scene.title.over", hand)
    if view.trick:
        return Message("scene.title.hand", {**hand, "part": trick_title(view.trick.number, view.trick.cards)})
    if view.phase in ("bid", "deal") and not _is_counted(view):
        return Message("scene.title.hand", {**hand, "part": Message(f"scene.phase.{view.phase}")})
    return Message("scene.title.hand_over", hand)


def _is_counted(view: View) -> bool:
    """Return whether the hand has its result; before, the phase of the deal is the moment at which it was dealt."""
    return bool(view.hand_results) and view.hand_results[-1].hand_number == view.hand_number


def _lines(view: View) -> Iterator[Message]:
    contract, trump = view.contract, view.trump
    if view.phase in ("bid", "over") and view.hand_results:
        yield from result_messages(view.hand_results[-1])
    if view.phase == "over":
        yield _ending(view)
        return
    if contract:
        plays: dict[str, Parameter] = {"bidder": AtSeat(contract.bidder), "points": Number(contract.points)}
        named = {"trump": Message(f"suit.{trump}")} if trump else {}
        yield Message(f"scene.plays{'.trump' if trump else ''}", {**plays, **named})
    if trump and view.jokers.high:
        yield message("scene.high_joker", card=CardNamed(view.jokers.high))
    turn = turn_of(view)
    if turn is not None:
        yield message(f"scene.turn.{_deed(view)}", seat=AtSeat(turn))
    if view.may_claim:
        yield Message("scene.may_claim")
    if view.hand_number:
        yield message("scene.dealer", seat=AtSeat(view.dealer))


def _deed(view: View) -> str:
    if view.contract is None:
        return "speak"
    return "play" if shown_trick(view)[0] else "lead"


def _ending(view: View) -> Message:
    last = view.hand_results[-1]
    team = last.contract.team
    if last.plute:
        return message("scene.wins.plute", team=team_name(last.plute))
    tally = of_team(view.tally, team)
    if last.made:
        return message("scene.wins.made", team=team_name(team), count=Number(tally.made))
    other = team_name(other_team(team))
    return message("scene.wins.set", team=other, other=team_name(team), count=Number(tally.set))
