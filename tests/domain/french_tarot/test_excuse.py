"""The Excuse in all its cases: kept, lost in the last trick, and winning it (rules.md, the Excuse)."""

import pytest

from domain.french_tarot import counting, excuse
from domain.french_tarot.actions import Play
from tests.domain.french_tarot import builders

TRICKS = {3: 24, 4: 18, 5: 15}


def at_the_end(winners, held, leader, players=4, **parts):
    """Return a state before the last trick: winners of the others (cycled, the last is the leader), one card a hand.

    The cards of the other tricks do not matter here, so they have none of their own.
    """
    count = TRICKS[players] - 1
    won = [*(winners * count)[: count - 1], leader]
    before = tuple(builders.tricks(*[f"0:2S > {winner}" for winner in won]))
    parts = {"contract": "garde_sans", "slam": "none", "tricks": before, **parts}
    return builders.state(players, "play", held=held.split(), **parts)


def play_out(state):
    """Play the last trick; return its winner, what became of the Excuse, and the calculation."""
    events = []
    for _ in state.deal.players:
        seat = builders.to_act(state)
        more, state = builders.act(state, seat, Play(state.table.held[seat][0]))
        events += more
    (won,) = builders.of_kind(events, builders.ev.TrickWon)
    settled = builders.of_kind(events, builders.ev.ExcuseSettled)
    assert not builders.of_kind(events, builders.ev.ExcuseKept)
    (scored,) = builders.of_kind(events, builders.ev.DealScored)
    return won.winner, [(each.card, each.player, each.owner) for each in settled], scored.calculation


# -- before the last trick ----------------------------------------------------------------------------------------


@pytest.mark.rule(
    "french-tarot", "9", "stays with the side of its player", "receives half a point for the Excuse", "worth 4.5 or 4"
)
@pytest.mark.parametrize(("player", "winner", "halves"), [(0, 0, 9), (0, 1, 8), (1, 0, 1), (1, 2, 0), (1, 1, 0)])
def test_it_stays_with_its_side_which_gives_half_a_point_if_it_lost_the_trick(player, winner, halves):
    state = builders.state(4, "play", contract="garde", slam="none")
    (trick,) = builders.tricks(f"{player}:EX 2:1D 3:2D > {winner}")
    (counted,) = excuse.counted(state, trick)
    assert counted.half_points == halves
    assert counted.owner == ("attack" if player == 0 else "defence")


@pytest.mark.rule(
    "french-tarot", "9", "stays with the side of its player", "receives half a point for the Excuse", "worth 4.5 or 4"
)
def test_the_log_names_the_player_who_keeps_the_excuse():
    state = builders.state(4, "play", held=["EX 1S", "1H 2S", "2H 3S", "3H 4S"], contract="garde", slam="none")
    state = builders.acts(state, Play("EX"), Play("1H"), Play("2H"))
    events, _ = builders.act(state, 3, Play("3H"))
    assert events[1:] == [
        builders.ev.TrickWon(1, 3, builders.trick("0:EX 1:1H 2:2H 3:3H")),
        builders.ev.ExcuseKept("EX", 0),
    ]


@pytest.mark.rule("french-tarot", "1", "sides / `attack`")
@pytest.mark.rule(
    "french-tarot", "9", "its player has announced a slam", "with `announcing_side`, the announcer's partner",
    "if it was played but not led",
)  # fmt: skip
@pytest.mark.parametrize(
    ("held", "leader", "winners", "wins", "expected"),
    [
        ("RS 1S EX 2S 3S", 2, [0], "announced_only", (0, "defence", "attack")),
        ("1S RS EX 2S 3S", 0, [0], "announced_only", (1, "defence", None)),
        ("EX RS 1S 2S 3S", 0, [0], "announced_only", (0, "attack", "attack")),
        ("RS 1S EX 2S 3S", 2, [0], "announcing_side", (2, "attack", "attack")),
        ("1S RS EX 2S 3S", 0, [0], "announcing_side", (2, "attack", "attack")),
        ("RS 1S EX 2S 3S", 0, [0, 2], "announcing_side", (0, "attack", "attack")),
        ("1S RS EX 2S 3S", 0, [0, 1], "announcing_side", (1, "defence", None)),
    ],
)
def test_it_wins_for_the_announcer_and_by_an_option_for_the_partner(held, leader, winners, wins, expected):
    found, settled, calculation = play_out(five(held, leader, winners=winners, wins=wins))
    assert [(found, owner, calculation.slam.made_by) for _, _, owner in settled] == [expected]


# -- in the last trick --------------------------------------------------------------------------------------------


TO_WINNER = {"excuse_last_trick": "goes_to_trick_winner"}
ANY, NEVER = ({"excuse_wins_last_trick": value} for value in ("any_slam", "never"))
PETIT = {"petit_chelem": "300/-150"}
ATTACK, DEFENCE = ("attack", 400), ("defence", -200)
LOST = (None, -200)


@pytest.mark.rule(
    "french-tarot", "9", "In the last trick, the Excuse changes sides", "they give the half point",
    "to the winners of the trick instead", "If it was led, it then wins the trick",
    "In the last trick, the Excuse is safe", "is already lost does not protect the Excuse",
)  # fmt: skip
@pytest.mark.parametrize(
    ("position", "slam", "options", "expected", "made"),
    [
        (([0, 1], "EX RS 1S 2S", 1), "none", {}, (1, "defence", 0), None),
        (([0, 1], "EX 1S RS 2S", 0), "none", {}, (2, "defence", 0), None),
        (([0, 1], "RS EX 1S 2S", 0), "none", {}, (0, "attack", 9), None),
        (([0, 1], "1S EX RS 2S", 0), "none", {}, (2, "attack", 8), None),
        (([0, 1], "1S EX RS 2S", 1), "none", {}, (2, "attack", 8), None),
        (([0, 1], "1S EX RS 2S", 0), "none", TO_WINNER, (2, "defence", 0), None),
        (([0, 1], "RS EX 1S 2S", 0), "none", TO_WINNER, (0, "attack", 9), None),
        (([0, 1], "EX RS 1S 2S", 1), "none", TO_WINNER, (1, "defence", 0), None),
        (([0], "EX RS 1S 2S", 0), "slam", {}, (0, "attack", 9), ATTACK),
        (([0], "EX RS 1S 2S", 0), "none", {}, (1, "defence", 0), None),
        (([0], "EX RS 1S 2S", 0), "petit_chelem", PETIT, (1, "defence", 0), None),
        (([0], "EX RS 1S 2S", 0), "none", ANY, (0, "attack", 9), None),
        (([0], "EX RS 1S 2S", 0), "slam", ANY, (0, "attack", 9), ATTACK),
        (([0], "EX RS 1S 2S", 0), "slam", NEVER, (1, "defence", 0), LOST),
        (([0], "EX RS 1S 2S", 0), "none", NEVER, (1, "defence", 0), None),
        (([0, 1], "EX RS 1S 2S", 0), "slam", {}, (1, "defence", 0), LOST),
        (([0, 1], "EX RS 1S 2S", 0), "slam", ANY, (1, "defence", 0), LOST),
        (([1, 2, 3], "RS 1S EX 2S", 1), "none", ANY, (2, "defence", 0), DEFENCE),
        (([1, 2, 3], "RS 1S EX 2S", 1), "none", {}, (0, "attack", 9), None),
    ],
)  # fmt: skip
def test_it_changes_sides_in_the_last_trick_unless_it_saves_a_slam(position, slam, options, expected, made):
    """It leaves half a point with the side that loses it, and saves the slams that the option names."""
    winner, settled, calculation = play_out(at_the_end(*position, slam=slam, options=options))
    ((card, player, owner),) = settled
    assert (card, player) == ("EX", position[1].split().index("EX"))
    assert (winner, owner, calculation.count.excuses[0].half_points) == expected
    if made:
        assert (calculation.slam.made_by, calculation.slam.points) == made


# -- five players: the partner's Excuse, played but not led -------------------------------------------------------


def five(held, leader, winners=(0,), wins="announcing_side", **parts):
    """Return five players with one card each: taker 0, and partner 2, who was dealt the called king."""
    dealt = ["", "", "RH", "", ""]
    return at_the_end(
        list(winners),
        held,
        leader,
        players=5,
        called="RH",
        dealt=dealt,
        slam="slam",
        options={"excuse_wins_last_trick": wins},
        **parts,
    )


# -- the debt that no card can pay --------------------------------------------------------------------------------


@pytest.mark.rule(
    "french-tarot", "9", "stays with the side of its player", "receives half a point for the Excuse", "worth 4.5 or 4"
)
def test_a_slam_without_the_excuse_is_worth_87_points():
    everything = " ".join(f"0:{card}" for card in ALL_BUT_THE_EXCUSE)
    tricks = [*[f"0:2C > {0}"] * 16, f"{everything} 1:EX > 0", "0:2C > 0"]
    state = builders.state(4, "play", contract="garde_contre", slam="none", tricks=builders.tricks(*tricks))
    without_padding = builders.replace(state, table=builders.replace(state.table, tricks=tuple(
        trick if any(each.card == "EX" for each in trick.cards) else builders.replace(trick, cards=())
        for trick in state.table.tricks
    )))  # fmt: skip
    count = counting.count(without_padding)
    assert (count.half_points, count.card_points, count.oudlers) == (174, "87", ("T1", "T21"))


ALL_BUT_THE_EXCUSE = [card for card in builders.TAROT_PACK if card != "EX"]


# -- a petit played as a second Excuse ----------------------------------------------------------------------------


@pytest.mark.rule("french-tarot", "3", "has two other values", "With `play_on`", "With `imprenable`")
@pytest.mark.parametrize(
    ("held", "leader", "winner", "owner", "petit"),
    [
        ("RS T1 1S 2S", 0, 0, "attack", "attack"),
        ("1S T1 RS 2S", 0, 2, "attack", "defence"),
        ("T1 RS 1S 2S", 1, 1, "defence", "defence"),
    ],
)
def test_a_petit_imprenable_changes_sides_in_the_last_trick_and_is_au_bout(held, leader, winner, owner, petit):
    player = held.split().index("T1")
    found, settled, calculation = play_out(at_the_end([0, 1], held, leader, imprenable=player))
    assert (found, settled) == (winner, [("T1", player, owner)])
    assert calculation.petit_au_bout.side == petit
    assert ("T1" in calculation.count.oudlers) == (owner == "attack")


def test_excuse_and_petit_imprenable_in_one_trick_are_settled_each():
    state = at_the_end([0, 1], "EX T1 1S 2S", 0, imprenable=1)
    winner, settled, _ = play_out(state)
    assert winner == 3
    assert settled == [("EX", 0, "defence"), ("T1", 1, "attack")]
