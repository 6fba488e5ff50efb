"""The score sheet of Le Plateau: the result of each hand, what its contract was worth, and what each seat got of it."""

from collections.abc import Iterator

from domain.le_plateau.actions import TeamSize
from domain.le_plateau.bidding import STEP, TEAM_STEP, TEAMS
from domain.le_plateau.board import OBJECTIVES, Objective
from domain.le_plateau.state import Contract, HandResult
from domain.le_plateau.view import View
from domain.pictures.scene import SheetLine, sheet_line
from domain.pictures.wording import Wording, typeset
from domain.sentences.message import AtSeat, Card, Items, Message, Number, Parameter, Score, Text, message
from domain.table import Seat


def sheet_of(view: View, said: Wording) -> Iterator[SheetLine]:
    """Write a line for each hand that was played."""
    for result in view.hand_results:
        name = message("scene.last_hand", hand=Number(result.hand_number), result=result_message(result))
        yield sheet_line(said, name, result.scores, _steps(result))


def result_message(result: HandResult) -> Message:
    """Write the result of the contract."""
    contract = result.contract
    if contract is None:
        return Message("scene.result.passed")
    done = "made" if result.by == "declarer" else "missed"
    return message(f"scene.result.{done}", declarer=AtSeat(contract.declarer), contract=contract_message(contract))


def contract_message(contract: Contract) -> Message:
    """Write a contract with its value."""
    return bid_message(contract.objective, contract.team, contract.exchange, contract.value)


def bid_message(objective: Objective, team: TeamSize, exchange: bool | None, value: int) -> Message:
    """Write a bid with its value."""
    return message(
        "scene.contract.exchange" if exchange else "scene.contract",
        objective=Message(f"objective.{objective}"),
        team=Message(f"scene.team.{team}"),
        value=Number(value),
    )


def space(code: str) -> Parameter:
    """Name a space by its card, or by the trick that claims it."""
    return message("trick_space", space=Text(code)) if code.startswith("#") else Card(code)


def _steps(result: HandResult) -> Iterator[Message]:
    contract = result.contract
    if contract is None:
        return
    yield from _valued(contract, len(result.scores))
    yield message("sheet.value", value=Number(result.value))
    path = {"path": Items(tuple(map(space, result.path)))} if result.path else {}
    yield Message(f"sheet.won_by.{result.by}", path)
    for seat, score in enumerate(result.scores):
        part = Message(f"scene.part.{_part(contract, seat)}")
        times, value = Text(typeset(str(score // result.value))), Number(result.value)
        yield message("sheet.share", seat=AtSeat(seat), part=part, times=times, value=value, score=Score(score))


def _valued(contract: Contract, seats: int) -> Iterator[Message]:
    """Write of what the value of a contract consists; where bids have no exchange part, it is worth nothing."""
    steps, smaller = OBJECTIVES.index(contract.objective), TEAMS[seats].index(contract.team)
    exchange = contract.value - STEP * steps - TEAM_STEP * smaller
    if exchange:
        yield message(f"sheet.exchange.{'with' if contract.exchange else 'without'}", value=Number(exchange))
    if steps:
        objective, value = Message(f"objective.{contract.objective}"), Number(STEP * steps)
        yield message("sheet.objective", objective=objective, steps=Number(steps), each=Number(STEP), value=value)
    if smaller:
        team, value = Message(f"scene.team.{contract.team}"), Number(TEAM_STEP * smaller)
        yield message("sheet.team", team=team, steps=Number(smaller), each=Number(TEAM_STEP), value=value)


def _part(contract: Contract, seat: Seat) -> str:
    return "declarer" if seat == contract.declarer else "partner" if seat in contract.partners else "opposing"
