"""The calculation of a deal in words, so that a player can check it by hand."""

from collections.abc import Iterator

from domain.cardplay.cards import EXCUSE
from domain.french_tarot.actions import ContractName
from domain.french_tarot.calculation import Calculation, ContractCounted, Count, SlamCounted
from domain.french_tarot.deck import PETIT, as_written

_ASIDE = {"ecart": "The écart", "chien": "The chien"}
_EXCUSES = {EXCUSE: "the Excuse", PETIT: "the petit"}
_ROLES = {"taker": "the taker", "partner": "the partner", "defender": "a defender", "sits_out": "sitting out"}


def in_words(contract: ContractName, calculation: Calculation) -> tuple[str, ...]:
    """Explain a calculation, one sentence for each step."""
    return tuple(
        line
        for part in (
            _count(calculation.count),
            _contract(contract, calculation.count, calculation.contract),
            _bonuses(calculation),
            _shares(calculation),
        )
        for line in part
    )


def _count(count: Count) -> Iterator[str]:
    left_out = " and ".join(_EXCUSES[excuse.card] for excuse in count.excuses) or _EXCUSES[EXCUSE]
    yield f"Tricks of the attack, without {left_out}: {as_written(count.tricks_half_points)}"
    if count.laid_aside:
        yield f"{_ASIDE[count.laid_aside]}: {as_written(count.laid_aside_half_points)}"
    for excuse in count.excuses:
        given = "" if excuse.owner == excuse.trick_winner else ", which gives half a point for it"
        yield f"{excuse.card} belongs to the {excuse.owner}{given}: {as_written(excuse.half_points)}"


def _contract(name: ContractName, count: Count, contract: ContractCounted) -> Iterator[str]:
    oudlers = " ".join(count.oudlers) or "none"
    yield f"The attack has {count.card_points} points; oudlers: {oudlers}; {contract.target} are needed"
    if contract.won_by and count.card_points != str(contract.rounded_points):
        yield f"{count.card_points} counts as {contract.rounded_points}"
    outcome = {"attack": "made", "defence": "lost", None: "worth nothing, short"}[contract.won_by]
    yield f"The contract is {outcome} by {abs(contract.difference) if contract.won_by else '0.5'}"
    if contract.won_by:
        if contract.paid_difference != abs(contract.difference):
            yield f"{abs(contract.difference)} counts as {contract.paid_difference}"
        product = f"(25 + {contract.paid_difference}) x {contract.multiplier}"
        yield f"{product} for the {name}: {contract.points:+}"


def _bonuses(calculation: Calculation) -> Iterator[str]:
    petit = calculation.petit_au_bout
    if petit.side:
        yield f"Petit au bout of the {petit.side}, 10 x {calculation.contract.multiplier}: {petit.points:+}"
    paid_to = "the winners of the deal" if calculation.contract.won_by else "neither side, since neither won"
    for poignee in calculation.poignees:
        yield f"Poignée ({poignee.level}) of seat {poignee.seat}, for {paid_to}: {poignee.points:+}"
    yield from _slam(calculation.slam)


def _slam(slam: SlamCounted) -> Iterator[str]:
    every_trick = f"every trick to the {slam.made_by}" if slam.made_by else "neither side has every trick"
    if slam.announced == "petit_chelem":
        made = "made" if slam.points > 0 else "not made"
        yield f"Petit chelem announced, {made}{f', {every_trick}' if slam.made_by else ''}: {slam.points:+}"
    elif slam.announced or slam.made_by:
        yield f"Slam: {'slam' if slam.announced else 'none'} announced, {every_trick}: {slam.points:+}"


def _shares(calculation: Calculation) -> Iterator[str]:
    yield f"Together, what each defender pays the attack: {calculation.unit}"
    for share in calculation.shares:
        miseres = f", misères {share.misere_points:+}" if share.misere_points else ""
        times = f"{share.times} x {calculation.unit}" if share.times != "0" else "0"
        yield f"Seat {share.seat}, {_ROLES[share.role]}: {times}{miseres} = {share.score}"
