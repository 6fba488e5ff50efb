"""Scores, worked out by hand, step by step (rules.md, counting and scoring)."""

import pytest

from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.calculation import Count, ExcuseCounted
from domain.french_tarot.deck import OUDLERS, as_written
from domain.french_tarot.scoring import PlayedDeal, calculate, contract_counted, divided


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


@pytest.mark.rule("french-tarot", "10", "pays the attack a unit", "contract / ±")
@pytest.mark.parametrize(
    ("contract", "made", "lost"),
    [
        ("petite", (25 + 8) * 1, -(25 + 8) * 1),
        ("garde", (25 + 8) * 2, -(25 + 8) * 2),
        ("garde_sans", (25 + 8) * 4, -(25 + 8) * 4),
        ("garde_contre", (25 + 8) * 6, -(25 + 8) * 6),
    ],
)
def test_the_contract_multiplies_25_and_the_difference(contract, made, lost):
    assert worked_out(49, 2, contract).unit == made
    assert worked_out(33, 2, contract).unit == lost


@pytest.mark.rule("french-tarot", "10", "a half goes to the winner", "made by 1, and 40.5")
@pytest.mark.parametrize(
    ("points", "rounded", "difference", "won_by"),
    [
        (41.5, 42, 1, "attack"),
        (41, 41, 0, "attack"),
        (40.5, 40, -1, "defence"),
        (40, 40, -1, "defence"),
        (50.5, 51, 10, "attack"),
        (30.5, 30, -11, "defence"),
    ],
)
def test_half_a_point_goes_to_the_winner(points, rounded, difference, won_by):
    result = worked_out(points, 2, players=3).contract
    assert (result.rounded_points, result.difference, result.won_by) == (rounded, difference, won_by)


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


@pytest.mark.rule("french-tarot", "10", "poignées are not paid")
@pytest.mark.parametrize("players", [3, 5])
def test_a_deal_without_a_winner_pays_no_poignee_and_everything_else(players):
    result = worked_out(40.5, 2, "garde", players, options={"half_point_short": "zero"}, petit_au_bout="defence",
                        poignees=((0, "triple"), (1, "simple")), slam="petit_chelem", miseres=(2,))  # fmt: skip
    assert [paid.points for paid in result.poignees] == [0, 0]
    assert (result.petit_au_bout.points, result.slam.points, result.unit) == (-20, -150, -170)
    assert [share.misere_points for share in result.shares] == [
        10 * (players - 1) if seat == 2 else -10 for seat in range(players)
    ]
    assert sum(share.score for share in result.shares) == 0
    assert sum("neither won" in step for step in result.steps) == 2


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
def test_the_petit_au_bout_is_multiplied_and_paid_to_its_side_whatever_the_result(
    contract, multiplier, points, side, sign
):
    with_it, without = (worked_out(points, 2, contract, petit_au_bout=petit) for petit in (side, None))
    assert with_it.unit - without.unit == sign * 10 * multiplier


@pytest.mark.rule("french-tarot", "10", "poignées / 20, 30, 40")
@pytest.mark.parametrize(
    ("scale", "values"),
    [("fft_20_30_40", (20, 30, 40)), ("20_40_60", (20, 40, 60)), ("10_20_40", (10, 20, 40))],
)
@pytest.mark.parametrize(("points", "sign"), [(50, 1), (30, -1)])
def test_poignees_add_up_are_not_multiplied_and_go_to_the_winners_whoever_showed_them(scale, values, points, sign):
    shown = ((0, "simple"), (1, "double"), (3, "triple"))
    result = worked_out(points, 2, "garde_contre", poignees=shown, options={"poignee_scale": scale})
    assert [paid.points for paid in result.poignees] == [sign * value for value in values]
    assert result.unit == result.contract.points + sign * sum(values)


@pytest.mark.rule("french-tarot", "10", "slam / announced", "petit chelem / announced", "becomes a slam is worth 300")
@pytest.mark.parametrize(
    ("announced", "made_by", "defence_tricks", "points"),
    [
        ("slam", "attack", 0, 400),
        (None, "attack", 0, 200),
        ("slam", None, 1, -200),
        (None, None, 5, 0),
        (None, "defence", 18, -200),
        ("slam", "defence", 18, -400),
        ("petit_chelem", None, 1, 300),
        ("petit_chelem", "attack", 0, 300),
        ("petit_chelem", None, 2, -150),
        ("petit_chelem", "defence", 18, -350),
    ],
)
def test_slams_are_paid_apart_from_the_result(announced, made_by, defence_tricks, points):
    for made in (50, 30):
        result = worked_out(made, 2, "garde", slam=announced, made_by=made_by, defence_tricks=defence_tricks)
        assert result.slam.points == points
        assert result.unit == result.contract.points + points


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


@pytest.mark.rule("french-tarot", "5", "plays alone against four")
@pytest.mark.rule("french-tarot", "10", "with a partner, the taker gets it twice", "All scores sum to zero")
@pytest.mark.parametrize(
    ("players", "taker", "partner", "expected"),
    [
        (3, 1, None, [-26, 52, -26]),
        (4, 3, None, [-26, -26, -26, 78]),
        (5, 0, None, [104, -26, -26, -26, -26]),
        (5, 2, 4, [-26, -26, 52, -26, 26]),
    ],
)
def test_taker_partner_and_defenders_share_the_unit(players, taker, partner, expected):
    assert scores(42, 2, players=players, taker=taker, partner=partner) == expected
    assert scores(40, 2, players=players, taker=taker, partner=partner) == [-score for score in expected]


@pytest.mark.rule("french-tarot", "10", "both get it 1.5 times", "an odd point goes to the taker")
@pytest.mark.parametrize(
    ("unit", "taker", "partner"),
    [(112, 168, 168), (-52, -78, -78), (25, 38, 37), (-25, -38, -37), (0, 0, 0), (1, 2, 1)],
)
def test_equal_shares_of_five_leave_an_odd_point_to_the_taker(unit, taker, partner):
    division = divided(french_tarot.options.complete({"five_player_split": "equal"}, 5), range(5), 3, 1, unit)
    assert [division[seat][2] for seat in range(5)] == [-unit, partner, -unit, taker, -unit]


@pytest.mark.rule("french-tarot", "10", "both get it 1.5 times", "an odd point goes to the taker")
def test_a_lone_taker_has_it_all_where_shares_are_equal():
    assert scores(41, 2, players=5, options={"five_player_split": "equal"}) == [100, -25, -25, -25, -25]


@pytest.mark.rule("french-tarot", "10", "A misère is paid separately")
def test_the_dealer_who_sits_out_neither_wins_nor_loses():
    options = french_tarot.options.complete({"five_player_mode": "dead_dealer", "misere": "on"}, 5)
    count = Count(82, None, 0, (), 82, "41", OUDLERS[:2])
    played = PlayedDeal("petite", 1, None, (3, 4, 0, 1), count, None, (), None, None, 9, (3,))
    shares = calculate(options, 5, played).shares
    assert [share.score for share in shares] == [-25 - 10, 75 - 10, 0, -25 + 30, -25 - 10]
    assert [share.role for share in shares] == ["defender", "taker", "sits_out", "defender", "defender"]


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


@pytest.mark.rule("french-tarot", "10", "contain every step, in numbers and in words")
def test_half_points_roundings_slams_and_miseres_are_explained():
    result = worked_out(40.5, 2, "garde_sans", 3, slam="slam", miseres=(1,), options={"score_rounding": "5"})
    assert result.steps[1:] == (
        "The attack has 40.5 points; oudlers: T1 T21; 41 are needed",
        "40.5 counts as 40",
        "The contract is lost by 1",
        "1 counts as 0",
        "(25 + 0) x 4 for the garde_sans: -100",
        "Slam: slam announced, neither side has every trick: -200",
        "Together, what each defender pays the attack: -300",
        "Seat 0, the taker: 2 x -300, misères -10 = -610",
        "Seat 1, a defender: -1 x -300, misères +20 = 320",
        "Seat 2, a defender: -1 x -300, misères -10 = 290",
    )
    short = worked_out(40.5, 2, "garde", 3, options={"half_point_short": "zero"})
    assert short.steps[1:3] == (
        "The attack has 40.5 points; oudlers: T1 T21; 41 are needed",
        "The contract is worth nothing, short by 0.5",
    )


@pytest.mark.rule("french-tarot", "10", "contain every step, in numbers and in words")
def test_ecart_and_excuses_are_explained():
    excuses = (ExcuseCounted("EX", 0, "attack", "defence", 8), ExcuseCounted("T1", 1, "defence", "defence", 0))
    count = Count(70, "ecart", 6, excuses, 84, "42", ("T21", "EX"))
    played = PlayedDeal("garde", 0, None, (0, 1, 2, 3), count, None, (), None, None, 9, ())
    assert calculate(french_tarot.options.complete({}, 4), 4, played).steps[:5] == (
        "Tricks of the attack, without the Excuse and the petit: 35",
        "The écart: 3",
        "EX belongs to the attack, which gives half a point for it: 4",
        "T1 belongs to the defence: 0",
        "The attack has 42 points; oudlers: T21 EX; 41 are needed",
    )


def test_a_contract_can_be_counted_alone():
    counted = contract_counted(french_tarot.options.complete({}, 4), 98, 2, 2)
    assert (counted.target, counted.difference, counted.multiplier, counted.points) == (41, 8, 2, 66)
