"""The score sheet of French Tarot: the result of each deal, and its calculation step by step.

The log has the same steps in English, as they were worded when the deal was scored; these follow its numbers.
"""

from collections.abc import Iterator

from domain.cardplay.cards import EXCUSE
from domain.french_tarot.calculation import Calculation, Count, Share, SlamCounted
from domain.french_tarot.deck import as_written
from domain.french_tarot.events import ContractWon
from domain.french_tarot.scoring import BASE
from domain.french_tarot.state import DealResult
from domain.french_tarot.view import View
from domain.pictures.scene import SheetLine, sheet_line
from domain.pictures.wording import Wording, typeset
from domain.sentences.message import AtSeat, Card, Decimal, Items, Message, Number, Parameter, Score, Text, message


def sheet_of(view: View, said: Wording) -> Iterator[SheetLine]:
    """Write a line for each deal that was played."""
    for number, result in enumerate(view.deal_results, start=1):
        part = result_message(result)
        name = message("scene.title.part", deal=Number(number), deals=Number(view.deals_total), part=part)
        yield sheet_line(said, name, result.scores, _steps(result))


def result_message(result: DealResult) -> Message:
    """Write the contract and the points of a result."""
    count, contract = result.calculation.count, result.calculation.contract
    said: dict[str, Parameter] = {
        "taker": AtSeat(result.contract.taker),
        "done": Message(f"scene.done.{contract.won_by or 'nobody'}"),
        "contract": Message(f"contract.{result.contract.contract}"),
        "points": Decimal(str(count.card_points)),
        "oudlers": _oudlers(count),
        "target": Number(contract.target),
    }
    if result.partner is None:
        return Message("scene.result", said)
    return Message("scene.result.partner", {**said, "partner": AtSeat(result.partner)})


def scored_message(result: DealResult) -> Message:
    """Write what each seat won or lost."""
    return message("scene.scored", scores=Items(tuple(map(Score, result.scores))))


def _oudlers(count: Count) -> Parameter:
    return Items(tuple(map(Card, count.oudlers))) if count.oudlers else Message("scene.no_oudler")


def _steps(result: DealResult) -> Iterator[Message]:
    calculation = result.calculation
    yield from _counted(calculation.count)
    yield from _contract(calculation, result.contract)
    yield from _bonuses(calculation)
    yield message("sheet.unit", points=Score(calculation.unit))
    for share in calculation.shares:
        yield _share(share, calculation.unit)


def _counted(count: Count) -> Iterator[Message]:
    excuses = tuple(Card(excuse.card) for excuse in count.excuses) or (Card(EXCUSE),)
    yield message("sheet.tricks", points=Decimal(as_written(count.tricks_half_points)), cards=Items(excuses))
    if count.laid_aside:
        yield message(f"sheet.aside.{count.laid_aside}", points=Decimal(as_written(count.laid_aside_half_points)))
    for excuse in count.excuses:
        given = "" if excuse.owner == excuse.trick_winner else ".given"
        points = Decimal(as_written(excuse.half_points))
        yield message(f"sheet.excuse.{excuse.owner}{given}", card=Card(excuse.card), points=points)


def _contract(calculation: Calculation, won: ContractWon) -> Iterator[Message]:
    count, contract = calculation.count, calculation.contract
    points, target = Decimal(count.card_points), Number(contract.target)
    yield message("sheet.needed", points=points, oudlers=_oudlers(count), target=target)
    if contract.won_by is None:
        yield Message("sheet.neither")
        return
    if count.card_points != str(contract.rounded_points):
        yield message("sheet.counts_as", points=points, counted=Number(contract.rounded_points))
    difference = Number(abs(contract.difference))
    yield message(f"sheet.won_by.{contract.won_by}", by=difference)
    if contract.paid_difference != difference.value:
        points = Decimal(str(difference.value))
        yield message("sheet.counts_as", points=points, counted=Number(contract.paid_difference))
    yield message(
        "sheet.contract" if contract.won_by == "attack" else "sheet.contract.lost",
        contract=Message(f"contract.{won.contract}"),
        base=Number(BASE),
        paid=Number(contract.paid_difference),
        multiplier=Number(contract.multiplier),
        points=Score(contract.points),
    )


def _bonuses(calculation: Calculation) -> Iterator[Message]:
    petit, contract = calculation.petit_au_bout, calculation.contract
    if petit.side:
        points, multiplier = Score(petit.points), Number(contract.multiplier)
        yield message(f"sheet.petit.{petit.side}", multiplier=multiplier, points=points)
    paid_to = Message("sheet.paid_to.winners" if contract.won_by else "sheet.paid_to.neither")
    for poignee in calculation.poignees:
        name = message(f"scene.row.poignee.{poignee.level}", seat=AtSeat(poignee.seat))
        yield message("sheet.poignee", poignee=name, paid_to=paid_to, points=Score(poignee.points))
    slam = calculation.slam
    if slam.announced or slam.made_by:
        tricks = Message(f"sheet.every_trick.{slam.made_by or 'neither'}")
        yield message(f"sheet.{_announced(slam)}", tricks=tricks, points=Score(slam.points))


def _announced(slam: SlamCounted) -> str:
    if slam.announced == "petit_chelem":
        return f"petit_chelem.{'made' if slam.points > 0 else 'missed'}"
    return f"slam.{'announced' if slam.announced else 'unannounced'}"


def _share(share: Share, unit: int) -> Message:
    role = Message(f"scene.part.{share.role}")
    said: dict[str, Parameter] = {"seat": AtSeat(share.seat), "role": role, "score": Score(share.score)}
    if share.role == "sits_out":
        return Message("sheet.share.none", said)
    paid = typeset(f"({unit})" if unit < 0 else str(unit))
    said |= {"times": Decimal(typeset(share.times)), "unit": Text(paid)}
    if share.misere_points:
        return Message("sheet.share.misere", {**said, "misere": Score(share.misere_points)})
    return Message("sheet.share", said)
