"""The score sheet of Plute: the result of each hand, which points each team had, and what that did to its tally."""

from collections.abc import Iterator

from domain.pictures.scene import SheetLine
from domain.pictures.wording import Wording
from domain.plute.deck import PLAYERS
from domain.plute.events import Team
from domain.plute.state import HandResult, of_team, team_of
from domain.plute.view import View
from domain.sentences.message import Items, Message, Number, message


def sheet_of(view: View, said: Wording) -> Iterator[SheetLine]:
    """Write a line for each hand that was played: what the bidding team did, which alone counts."""
    for result in view.hand_results:
        bidders = tuple(team_of(seat) == result.contract.team for seat in range(PLAYERS))
        done = said.say(f"scene.done.{'made' if result.made else 'set'}")
        named, *further = result_messages(result)
        yield SheetLine(
            said.sentence(named),
            tuple((1 if result.made else -1) * bids for bids in bidders),
            tuple(done if bids else "" for bids in bidders),
            tuple(map(said.sentence, (*_steps(result), *further))),
        )


def totals_of(view: View, said: Wording) -> Iterator[str]:
    """Write the tally of each seat's team."""
    for seat in range(PLAYERS):
        tally = of_team(view.tally, team_of(seat))
        yield said.say("sheet.tally", made=Number(tally.made), sets=Number(tally.set))


def result_messages(result: HandResult) -> Iterator[Message]:
    """Write what was bid and won, and a Plute."""
    contract = result.contract
    yield message(
        f"scene.result{'.stopped' if result.stopped else ''}",
        hand=Number(result.hand_number),
        team=team_name(contract.team),
        bid=Number(contract.points),
        won=Number(len(result.points[0].points)),
        done=Message(f"scene.done.{'made' if result.made else 'set'}"),
    )
    if result.plute:
        yield message("scene.plute", team=team_name(result.plute))


def team_name(team: Team) -> Message:
    """Name a team."""
    return Message(f"scene.team.{team}")


def _steps(result: HandResult) -> Iterator[Message]:
    for counted in result.points:
        points = tuple(Message(f"point.{point}") for point in counted.points)
        yield message(
            "sheet.points",
            team=team_name(counted.team),
            count=Number(len(points)),
            points=Items(points) if points else Message("scene.no_points"),
            value=Number(counted.game_value),
        )
    bid, won = Number(result.contract.points), Number(len(result.points[0].points))
    yield message(f"sheet.bid.{'made' if result.made else 'set'}", bid=bid, won=won)
