"""Scores, worked out by hand, step by step (rules.md, counting and scoring)."""

import pytest

from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.calculation import Count
from domain.french_tarot.deck import OUDLERS, as_written
from domain.french_tarot.scoring import PlayedDeal, calculate, divided


def worked_out(points, oudlers, contract="petite", players=4, *, options=None, **parts):
    """Work out a deal that the attack ends with these points and oudlers."""
    halves = round(points * 2)
    count = Count(halves, None, 0, (), halves, as_written(halves), OUDLERS[:oudlers])
    beside = {"partner": None, "players": tuple(range(players)), "petit_au_bout": None, "poignees": (), "slam": None}
    beside |= {"made_by": None, "defence_tricks": 9, "miseres": (), "taker": 0, **parts}
    return calculate(
        french_tarot.options.complete(options or {}, players),
        players,
        PlayedDeal(contract=contract, count=count, **beside),
    )


def scores(*args, **kwargs):
    return [share.score for share in worked_out(*args, **kwargs).shares]


# -- the contract -------------------------------------------------------------------------------------------------


@pytest.mark.rule("french-tarot", "10", "56 points without an oudler", "contract is made by 0")
@pytest.mark.parametrize(("oudlers", "target"), [(0, 56), (1, 51), (2, 41), (3, 36)])
def test_the_points_needed_depend_on_the_oudlers_and_just_as_many_are_enough(oudlers, target):
    made, lost = (worked_out(target - short, oudlers).contract for short in (0, 1))
    assert (made.target, made.won_by, made.difference, made.points) == (target, "attack", 0, 25)
    assert (lost.won_by, lost.difference, lost.points) == ("defence", -1, -26)


@pytest.mark.rule("french-tarot", "10", "a half goes to the winner", "made by 1, and 40.5", "poignées are not paid")
@pytest.mark.rule("french-tarot", "Options", "`half_point_short` / ")
@pytest.mark.parametrize(
    ("value", "won_by", "difference", "points", "poignee"),
    [("lost", "defence", -1, -52, -20), ("zero", None, 0, 0, 0), ("won", "attack", 0, 50, 20)],
)
@pytest.mark.parametrize("players", [3, 5])
def test_short_by_half_a_point(players, value, won_by, difference, points, poignee):
    result = worked_out(40.5, 2, "garde", players, options={"half_point_short": value}, poignees=((1, "simple"),),
                        petit_au_bout="attack")  # fmt: skip
    assert (result.contract.won_by, result.contract.difference, result.contract.points) == (won_by, difference, points)
    assert result.poignees[0].points == poignee
    assert result.unit == points + 20 + poignee
    further = worked_out(40, 2, "garde", players, options={"half_point_short": value})
    assert further.contract.points == -52


@pytest.mark.rule("french-tarot", "10", "halves up, after the winner is determined")
@pytest.mark.parametrize(
    ("rounding", "points", "paid"),
    [
        ("none", 48, 7), ("5", 41, 0), ("5", 43, 0), ("5", 44, 5), ("5", 48, 5), ("5", 49, 10), ("5", 37, 5),
        ("10", 45, 0), ("10", 46, 10), ("10", 55, 10), ("10", 56, 20), ("10", 36, 10), ("10", 37, 0),
    ],
)  # fmt: skip
def test_an_option_rounds_the_difference_after_the_winner_is_decided(rounding, points, paid):
    result = worked_out(points, 2, "garde", options={"score_rounding": rounding}).contract
    assert result.paid_difference == paid
    assert result.points == (25 + paid) * 2 * (1 if points >= 41 else -1)


# -- what is paid beside it ---------------------------------------------------------------------------------------


@pytest.mark.rule("french-tarot", "10", "petit au bout / ±")
@pytest.mark.parametrize(
    ("contract", "multiplier"), [("petite", 1), ("garde", 2), ("garde_sans", 4), ("garde_contre", 6)]
)
@pytest.mark.parametrize("points", [30, 50])
@pytest.mark.parametrize(("side", "sign"), [("attack", 1), ("defence", -1)])
def test_the_petit_au_bout_is_multiplied_and_paid_to_its_side(contract, multiplier, points, side, sign):
    with_it, without = (worked_out(points, 2, contract, petit_au_bout=petit) for petit in (side, None))
    assert with_it.unit - without.unit == sign * 10 * multiplier


@pytest.mark.rule("french-tarot", "10", "poignées / 20, 30, 40")
@pytest.mark.parametrize(
    ("scale", "values"), [("fft_20_30_40", (20, 30, 40)), ("20_40_60", (20, 40, 60)), ("10_20_40", (10, 20, 40))]
)
@pytest.mark.parametrize(("points", "sign"), [(50, 1), (30, -1)])
def test_poignees_add_up_unmultiplied_and_go_to_the_winners(scale, values, points, sign):
    shown = ((0, "simple"), (1, "double"), (3, "triple"))
    result = worked_out(points, 2, "garde_contre", poignees=shown, options={"poignee_scale": scale})
    assert [paid.points for paid in result.poignees] == [sign * value for value in values]
    assert result.unit == result.contract.points + sign * sum(values)


@pytest.mark.rule("french-tarot", "10", "A misère is paid separately")
@pytest.mark.parametrize(
    ("players", "announcers", "expected"),
    [
        (4, (1,), [75 - 10, -25 + 30, -25 - 10, -25 - 10]),
        (3, (0,), [50 + 20, -25 - 10, -25 - 10]),
        (4, (1, 1), [75 - 20, -25 + 60, -25 - 20, -25 - 20]),
        (4, (0, 3), [75 + 30 - 10, -25 - 20, -25 - 20, -25 + 30 - 10]),
    ],
)
def test_each_other_player_pays_ten_for_a_misere(players, announcers, expected):
    assert scores(41, 2, players=players, miseres=announcers) == expected


# -- the shares ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("french-tarot", "10", "both get it 1.5 times", "an odd point goes to the taker")
@pytest.mark.parametrize(
    ("unit", "taker", "partner"),
    [(112, 168, 168), (-52, -78, -78), (25, 38, 37), (-25, -38, -37), (0, 0, 0), (1, 2, 1)],
)
def test_equal_shares_of_five_leave_an_odd_point_to_the_taker(unit, taker, partner):
    division = divided(french_tarot.options.complete({"five_player_split": "equal"}, 5), range(5), 3, 1, unit)
    assert [division[seat][2] for seat in range(5)] == [-unit, partner, -unit, taker, -unit]


# -- the calculation as it is told --------------------------------------------------------------------------------


@pytest.mark.rule("french-tarot", "10", "contain every step, in numbers and in words")
def test_the_official_example_is_explained_step_by_step():
    """FFT: a garde with two oudlers and 49 points, petit au bout, a simple poignée: 106 from each defender."""
    result = worked_out(49, 2, "garde", petit_au_bout="attack", poignees=((0, "simple"),))
    assert result.steps == (
        "Tricks of the attack, without the Excuse: 49",
        "The attack has 49 points; oudlers: T1 T21; 41 are needed",
        "The contract is made by 8",
        "(25 + 8) x 2 for the garde: +66",
        "Petit au bout of the attack, 10 x 2: +20",
        "Poignée (simple) of seat 0, for the winners of the deal: +20",
        "Together, what each defender pays the attack: 106",
        "Seat 0, the taker: 3 x 106 = 318",
        "Seat 1, a defender: -1 x 106 = -106",
        "Seat 2, a defender: -1 x 106 = -106",
        "Seat 3, a defender: -1 x 106 = -106",
    )
