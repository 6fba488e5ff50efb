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


@pytest.mark.rule("french-tarot", "9", "In the last trick, the Excuse changes sides", "they give the half point")
@pytest.mark.parametrize(
    ("held", "leader", "winner", "owner", "halves"),
    [
        ("EX RS 1S 2S", 1, 1, "defence", 0),
        ("EX 1S RS 2S", 0, 2, "defence", 0),
        ("RS EX 1S 2S", 0, 0, "attack", 9),
        ("1S EX RS 2S", 0, 2, "attack", 8),
        ("1S EX RS 2S", 1, 2, "attack", 8),
    ],
)
def test_it_changes_sides_for_half_a_point_if_it_lost_the_trick(held, leader, winner, owner, halves):
    """Also where another defender wins the trick: the attack has the Excuse, and the defence the half point."""
    found, settled, calculation = play_out(at_the_end([0, 1], held, leader))
    player = held.split().index("EX")
    assert (found, settled) == (winner, [("EX", player, owner)])
    assert calculation.count.excuses[0].half_points == halves


@pytest.mark.rule("french-tarot", "9", "to the winners of the trick instead")
@pytest.mark.parametrize(
    ("held", "leader", "owner", "halves"),
    [("1S EX RS 2S", 0, "defence", 0), ("RS EX 1S 2S", 0, "attack", 9), ("EX RS 1S 2S", 1, "defence", 0)],
)
def test_an_option_gives_it_to_the_winners_of_the_trick(held, leader, owner, halves):
    state = at_the_end([0, 1], held, leader, options={"excuse_last_trick": "goes_to_trick_winner"})
    _, settled, calculation = play_out(state)
    assert settled[0][2] == owner
    assert calculation.count.excuses[0].half_points == halves


# -- a slam finished with the Excuse ------------------------------------------------------------------------------


@pytest.mark.rule("french-tarot", "9", "If it was led, it then wins the trick")
def test_led_it_wins_the_last_trick_of_an_announced_slam():
    winner, settled, calculation = play_out(at_the_end([0], "EX RS 1S 2S", 0, slam="slam"))
    assert (winner, settled) == (0, [("EX", 0, "attack")])
    assert (calculation.slam.made_by, calculation.slam.points) == ("attack", 400)
    assert calculation.count.excuses[0].half_points == 9


@pytest.mark.rule("french-tarot", "9", "In the last trick, the Excuse is safe")
@pytest.mark.parametrize(
    ("wins", "slam", "winner", "owner"),
    [
        ("announced_only", "none", 1, "defence"),
        ("announced_only", "petit_chelem", 1, "defence"),
        ("any_slam", "none", 0, "attack"),
        ("any_slam", "slam", 0, "attack"),
        ("never", "slam", 1, "defence"),
        ("never", "none", 1, "defence"),
    ],
)
def test_an_option_decides_whether_it_wins_the_last_trick(wins, slam, winner, owner):
    options = {"excuse_wins_last_trick": wins, "petit_chelem": "300/-150"}
    found, settled, _ = play_out(at_the_end([0], "EX RS 1S 2S", 0, slam=slam, options=options))
    assert (found, settled) == (winner, [("EX", 0, owner)])


@pytest.mark.rule("french-tarot", "9", "is already lost does not protect the Excuse")
@pytest.mark.parametrize("wins", ["announced_only", "any_slam"])
def test_a_slam_that_is_lost_already_gives_it_no_power(wins):
    state = at_the_end([0, 1], "EX RS 1S 2S", 0, slam="slam", options={"excuse_wins_last_trick": wins})
    winner, settled, calculation = play_out(state)
    assert (winner, settled) == (1, [("EX", 0, "defence")])
    assert (calculation.slam.made_by, calculation.slam.points) == (None, -200)


@pytest.mark.rule("french-tarot", "9", "In the last trick, the Excuse is safe")
@pytest.mark.parametrize(("wins", "winner", "owner"), [("any_slam", 2, "defence"), ("announced_only", 0, "attack")])
def test_a_slam_of_the_defence_counts_only_where_any_does(wins, winner, owner):
    """Seat 2 leads its last card, which the taker would win; a fellow's Excuse saves the slam where any slam counts."""
    state = at_the_end([1, 2, 3], "RS 1S EX 2S", 1, options={"excuse_wins_last_trick": wins})
    found, settled, calculation = play_out(state)
    assert (found, settled) == (winner, [("EX", 2, owner)])
    assert calculation.slam.made_by == ("defence" if wins == "any_slam" else None)


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
