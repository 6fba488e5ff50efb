"""Scores, worked out by hand, step by step (rules.md, counting and scoring).

Counting a finished deal: what is in the attack's pile, who has the petit, who made a slam (rules.md, counting).
The law of what a scene says of the attack's points: true for every viewer at every moment of the play.
"""

import re
from itertools import pairwise

import pytest

from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot import counting
from domain.french_tarot import events as ev
from domain.french_tarot.calculation import Count
from domain.french_tarot.deck import OUDLERS, as_written
from domain.french_tarot.picture.scenes import scene_of
from domain.french_tarot.scoring import PlayedDeal, calculate, divided
from domain.table import EVERYTHING
from tests.domain.french_tarot import builders
from tests.support.random_games import playing
from tests.support.sampling import seeds, tables_of


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


def ended(*tricks, contract="garde", **parts):
    """Return a deal of four that ends with these tricks; the others have no cards, seats 0 and 1 won them in turn."""
    empty = [f"0:2S > {number % 2}" for number in range(18 - len(tricks))]
    numbered = builders.tricks(*empty, *tricks)
    bare = tuple(builders.replace(trick, cards=()) for trick in numbered[: len(empty)])
    table = {"tricks": (*bare, *numbered[len(empty) :])}
    return builders.state(4, "play", contract=contract, slam="none", **table, **parts)


@pytest.mark.rule(
    "french-tarot", "6", "the chien is turned up for all to see", "lays aside as many cards, face down",
    "the chien stays hidden until the end", "belongs to the defence",
)  # fmt: skip
@pytest.mark.rule("french-tarot", "1", "the three oudlers")
@pytest.mark.rule("french-tarot", "10", "counts its tricks without the Excuse")
@pytest.mark.parametrize(
    ("contract", "halves", "where", "aside"),
    [("petite", 9 + 7 + 1 + 1 + 8, "ecart", 8), ("garde", 26, "ecart", 8), ("garde_sans", 18 + 10, "chien", 10),
     ("garde_contre", 18, None, 0)],
)  # fmt: skip
def test_the_ecart_the_chien_or_nothing_belongs_to_the_attack_beside_its_tricks(contract, halves, where, aside):
    state = ended(
        "0:RS 1:DS 2:1S 3:2S > 0", "1:RH 2:1H 3:2H 0:3H > 1", contract=contract, ecart="DH 3S", chien="T21 4S"
    )
    count = counting.count(state)
    assert (count.half_points, count.tricks_half_points) == (halves, 18)
    assert (count.laid_aside, count.laid_aside_half_points) == (where, aside)
    assert count.oudlers == (("T21",) if where == "chien" else ())


@pytest.mark.rule("french-tarot", "10", "counts its tricks without the Excuse")
def test_a_chien_with_the_excuse_counts_it_as_any_card():
    state = ended("0:RS 1:DS 2:1S 3:2S > 0", "0:1D 1:2D 2:3D 3:4D > 1", contract="garde_sans", chien="EX T1")
    count = counting.count(state)
    assert (count.laid_aside_half_points, count.oudlers, count.excuses) == (18, ("T1", "EX"), ())


@pytest.mark.rule("french-tarot", "10", "last trick but one counts as au bout")
def test_the_petit_in_the_last_trick_but_one_counts_before_an_excuse_alone():
    before = "0:T1 1:1S 2:2S 3:3S > 0"
    assert counting.petit_au_bout(ended(before, "0:EX 1:1H 2:2H 3:3H > 0")) == "attack"
    assert counting.petit_au_bout(ended(before, "0:EX 1:1H 2:2H 3:3H > 3")) is None
    assert counting.petit_au_bout(ended(before, "0:RH 1:1H 2:2H 3:3H > 0")) is None
    assert counting.petit_au_bout(ended(before, "0:RS 1:1D 2:2D 3:3D > 0", "0:EX 1:1H 2:2H 3:3H > 0")) is None


WORTH = {"R": 9, "D": 7, "C": 5, "V": 3}
BOUTS = {"T1", "T21", "EX"}
NEEDED = {0: 56, 1: 51, 2: 41, 3: 36}
POINTS = r"(\d+(?:\.5)?)"
HAS = re.compile(rf"The (attack|taker alone) has (at least )?{POINTS}")
NEEDS = re.compile(
    r"With(?:out oudlers)?(.*?),? (?:it|the attack) needs (at most )?(\d+)(?: points)?"
    rf"(?:: (at most )?{POINTS} more)?(.*)"
)


def halves(cards):
    return sum(9 if card in BOUTS else 1 if card[0] == "T" else WORTH.get(card[0], 1) for card in cards)


def pile_of(attack, tricks, imprenable, beside):
    """Return the attack's half points and oudlers, by hand: the Excuse goes home, and its side gives half a point."""
    points, cards = halves(beside), {*beside}
    for trick in tricks:
        for played in trick.cards:
            is_excuse = played.card == "EX" or (played.card == "T1" and imprenable)
            if (played.seat if is_excuse else trick.winner) in attack:
                points += halves([played.card])
                cards.add(played.card)
            if is_excuse:
                points += (trick.winner in attack) - (played.seat in attack)
    return points, cards & BOUTS


def deals_of(steps):
    """List the deals that were scored, each with the states of its play and the events of its end."""
    found, states = [], []
    for step in steps:
        states = [] if any(isinstance(event, ev.CardsDealt) for event in step.events) else states
        revealed = [event for event in step.events if isinstance(event, ev.DealRevealed | ev.DealScored)]
        if revealed:
            found.append((states, *revealed))
        if step.game.status == "active" and step.game.state.phase == "play":
            states = [*states, step.game.state]
    return found


@pytest.mark.parametrize(("players", "variant"), tables_of("french-tarot"))
@pytest.mark.parametrize("seed", seeds(8))
def test_what_is_said_of_the_points_is_what_the_count_allows(players, variant, seed):
    for states, revealed, scored in deals_of(playing("french-tarot", players, seed, variant)):
        final = scored.calculation
        for state in states:
            taker, contract = state.deal.contract.taker, state.deal.contract.contract
            beside = {"garde_sans": revealed.chien, "garde_contre": ()}.get(contract, revealed.ecart)
            attack = {taker, taker if revealed.partner is None else revealed.partner}
            now, oudlers = pile_of(attack, state.table.tricks, state.deal.imprenable is not None, beside)
            is_hidden = state.deal.called is not None and not state.deal.called.revealed
            for viewer in (None, *range(players), EVERYTHING):
                knows = contract == "garde_contre" or viewer in ((taker, EVERYTHING) if contract != "garde_sans" else
                                                                  (EVERYTHING,))  # fmt: skip
                lines = scene_of(french_tarot.project(state, viewer)).lines
                ((has, needs),) = [pair for pair in pairwise(lines) if HAS.match(pair[0])]
                whose, least, points = HAS.match(has).groups()
                said_oudlers, most, target, most_more, more, rest = NEEDS.fullmatch(needs).groups()
                shown, target = round(2 * float(points)), int(target)
                found = {*re.findall("T21|T1|EX", said_oudlers)}
                assert (whose == "taker alone") is is_hidden
                assert bool(least) is (is_hidden or not knows)
                assert target == NEEDED[len(found)]
                if least:
                    assert shown <= now
                    assert found <= oudlers
                else:
                    assert (shown, found) == (now, oudlers)
                if more is None:
                    assert rest in (", and has them", ": half a point more")
                    assert (rest == ", and has them") is (shown >= 2 * target)
                    assert rest == ", and has them" or shown == 2 * target - 1
                else:
                    assert bool(most) is bool(most_more) is bool(least)
                    assert 2 * float(more) == 2 * target - shown
                assert final.count.half_points >= shown
                assert final.contract.target <= target
                assert final.contract.won_by == "attack" or rest != ", and has them"
