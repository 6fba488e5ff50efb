"""Wins, draws, forfeits and resignation: rules.md, sections 2, 8 and 9.

The options: rules.md, options.
"""

import pytest

from domain.errors import InvalidOptions
from domain.plateau import RULESET as plateau
from domain.plateau import events as ev
from domain.plateau.agreements import agree, lost_on_time, offers, resigned
from domain.plateau.endings import position
from domain.serialization import to_plain
from tests.domain.plateau import builders

QUIET = "a1 Bxx Brr, d4 Wxx Wbb, b3 Wrr, c1 Bxx"


def end(state):
    outcome = plateau.outcome(state)
    return outcome and (outcome.reason, outcome.winners, outcome.scores)


def shuffle(state, times):
    """Move one piece of each player back and forth, which takes four turns each time."""
    for _ in range(times):
        state = builders.acts(
            state,
            builders.move("b3", "b4"),
            builders.move("c1", "d1"),
            builders.move("b4", "b3"),
            builders.move("d1", "c1"),
        )
    return state


FOUR = {"W": ["M", "M", "M", "M"]}
TAKE_TWO = builders.move("a1", "b1", lift=2)
ENDS = {
    "six prisoners": ("a1 Wxx Wrr, b1 Bbb Brr, c4 Brb", FOUR, TAKE_TWO, ("prisoners", (1,), (-1, 1))),
    "five prisoners": ("a1 Wrr, b1 Bbb, c4 Brb", FOUR, builders.move("a1", "b1"), None),
    "six on top": ("a1 Wxx Wxx Wxx Wbb Wbb", {}, builders.onboard("a1", 5, "rr"), ("unit", (1,), (-1, 1))),
    "six below": ("a1 Wxx Wxx Wxx Wbb Wbb Brr", {}, builders.onboard("a1", 2, "rr"), ("unit", (1,), (-1, 1))),
    "six by moving": (
        "a1 Wxx Wxx Wxx, b1 Wbb Wbb Wrr", {}, builders.move("a1", "b1", lift=3), ("unit", (1,), (-1, 1))
    ),
    "six by a stomp": ("a1 Wxx Wxx Wxx Bbb Wbb Wbb Wrr", {}, builders.stomp("a1"), ("unit", (1,), (-1, 1))),
    "six split by an enemy": ("a1 Wxx Wxx Wxx Bbb Wbb Wbb", {}, builders.onboard("a1", 6, "rr"), None),
    "prisoners before a unit": (
        "a1 Wxx Wxx Wxx Brb Wbb Wbb Wrr", {"W": [*FOUR["W"], "B"]}, builders.stomp("a1"), ("prisoners", (1,), (-1, 1))
    ),
}  # fmt: skip


@pytest.mark.rule("plateau", "1", "the longest run of adjacent pieces of one owner")
@pytest.mark.rule("plateau", "4", "put a blank on top of a weapon, or complete a unit of six")
@pytest.mark.rule("plateau", "8", "holds six prisoners (`prisoners`)")
@pytest.mark.parametrize(("board", "prisoners", "action", "expected"), ENDS.values(), ids=ENDS)
def test_six_prisoners_or_a_unit_of_six_win(board, prisoners, action, expected):
    events, state = builders.act(builders.state(board, prisoners=prisoners), action)
    assert end(state) == expected
    if expected:
        assert [type(event) for event in events[-2:]] == [ev.GameWon, ev.EverythingRevealed]
        assert plateau.to_act(state) == frozenset()


def test_black_wins_like_white():
    state = builders.state("a1 Bxx Bxx Bxx Bbb Bbb", to_move="B")
    assert end(builders.acts(state, builders.onboard("a1", 5, "rr"))) == ("unit", (0,), (1, -1))


@pytest.mark.rule("plateau", "9", "the game is also drawn", "for the third time (`repetition`)")
@pytest.mark.rule("plateau", "Options", "`repetition` / 3", "`no_progress_plies` / 100", "`max_plies` / 600")
@pytest.mark.parametrize(
    ("options", "times", "is_over"),
    [({}, 1, False), ({}, 2, True), ({"repetition": 2}, 1, True), ({"repetition": 4}, 2, False)],
)
def test_the_third_occurrence_of_a_position_is_a_draw(options, times, is_over):
    state = shuffle(builders.state(QUIET, options=options), times)
    assert state.repetition == times + 1
    assert end(state) == (("repetition", (0, 1), (0, 0)) if is_over else None)


@pytest.mark.rule("plateau", "9", "A position is what both players see")
def test_a_position_is_what_is_public_and_nothing_more():
    """Two equal pieces that changed places, or one turned over that is alike on both sides, make another position."""
    state = builders.state("a1 Wrr, b1 Wrr, d4 Bxx")
    swapped = builders.acts(
        state,
        builders.move("a1", "a2"),
        builders.move("d4", "d3"),
        builders.move("b1", "a1"),
        builders.move("d3", "d4"),
        builders.move("a2", "b2"),
        builders.move("d4", "d3"),
        builders.move("b2", "b1"),
        builders.move("d3", "d4"),
    )
    assert builders.board(swapped) == builders.board(state)
    assert swapped.repetition == 1
    turned = builders.acts(
        state,
        builders.move("a1", "a2", flip=True),
        builders.move("d4", "d3"),
        builders.move("a2", "a1"),
        builders.move("d3", "d4"),
    )
    assert builders.board(turned) == builders.board(state)
    assert turned.repetition == 1


@pytest.mark.rule("plateau", "9", "A position is what both players see")
def test_the_player_to_move_and_the_prisoners_belong_to_the_position():
    state = builders.state(QUIET)
    assert position(state, 0) != position(state, 1)
    one, other = (builders.replace(state, prisoners=(("M",), (kind,))) for kind in ("R", "B"))
    assert position(one, 0) != position(other, 0)


@pytest.mark.rule("plateau", "9", "after 100 turns")
def test_too_many_turns_without_progress_are_a_draw():
    state = builders.state(QUIET, options={"no_progress_plies": 3})
    state = builders.acts(state, builders.move("b3", "b4"), builders.move("c1", "d1"))
    assert (state.quiet_plies, end(state)) == (2, None)
    assert end(builders.acts(state, builders.move("b4", "b3"))) == ("no_progress", (0, 1), (0, 0))


@pytest.mark.rule("plateau", "9", "after 100 turns")
@pytest.mark.parametrize(
    "actions",
    [[builders.onboard("d1", 0, "xx")], [builders.move("b3", "b2")], [builders.tender("M"), builders.respond("M")]],
)
def test_an_onboarding_a_capture_and_an_exchange_are_progress(actions):
    board = "a1 Bxx Brr, d4 Wxx Wbb, b3 Wrr, b2 Bxx, c1 Bxx"
    state = builders.state(board, prisoners={"W": ["M"], "B": ["M"]})
    state = builders.acts(state, builders.move("d4", "c3"), builders.move("c1", "d1"))
    assert state.quiet_plies == 2
    assert builders.acts(state, *actions).quiet_plies == 0


@pytest.mark.rule("plateau", "9", "after 600 turns")
def test_the_game_is_drawn_after_the_maximum_of_turns():
    state = builders.state(QUIET, options={"max_plies": 4})
    state = builders.acts(state, builders.move("b3", "b4"))
    assert (state.plies, end(state)) == (3, None)
    assert end(builders.acts(state, builders.onboard("c2", 0, "xx"))) == ("max_plies", (0, 1), (0, 0))


@pytest.mark.rule("plateau", "8", "takes precedence over every draw")
def test_a_win_comes_before_a_draw():
    limits = {"no_progress_plies": 2, "max_plies": 4}
    state = builders.state("a1 Wxx Wxx Wxx, b1 Wbb Wbb Wrr, d4 Bxx", options=limits, to_move="B")
    state = builders.acts(state, builders.move("d4", "d3"))
    assert end(builders.acts(state, builders.move("a1", "b1", lift=2)))[0] == "no_progress"
    assert end(builders.acts(state, builders.move("a1", "b1", lift=3))) == ("unit", (1,), (-1, 1))


STUCK = "a1 Wxx Wxx Wbb Wrr Bbb, c3 Wrx Wox Wrb Brr"
LOST = ["M", "M", "B", "R", "BM"]


@pytest.mark.rule("plateau", "2", "the turn is forfeited")
def test_a_turn_is_forfeited_only_if_nothing_else_is_legal():
    state = builders.state(STUCK, prisoners={"B": LOST})
    assert builders.legal(state) == [builders.PASS]
    events, after = builders.act(state, builders.PASS)
    assert builders.only(events, ev.TurnForfeited).seat == 1
    assert (plateau.to_act(after), after.forfeits, after.quiet_plies) == ({0}, 1, 1)
    assert builders.refusal(builders.state(QUIET), builders.PASS) == "not-forced"


@pytest.mark.rule("plateau", "2", "the turn is forfeited")
def test_a_forfeit_can_follow_a_refused_tender():
    board = "a1 Wxx Wxx Wxx Wbb Bbb, c3 Wrx Wox Wxb Wrr Wxx Bxr, d4 Wbb Bbb"
    state = builders.state(board, prisoners={"B": ["A"], "W": ["M"]})
    assert state.reserves[1] == ("R",)
    state = builders.acts(
        builders.replace(state, reserves=(state.reserves[0], ())), builders.tender("M"), builders.REFUSE
    )
    assert builders.legal(state) == [builders.PASS]


@pytest.mark.rule("plateau", "9", "(`mutual_pass`)")
def test_both_players_passing_one_after_the_other_is_a_draw():
    state = builders.state(STUCK, prisoners={"B": LOST})
    assert builders.acts(state, builders.PASS).end is None
    assert end(builders.acts(builders.replace(state, forfeits=1), builders.PASS)) == ("mutual_pass", (0, 1), (0, 0))


@pytest.mark.rule("plateau", "9", "(`mutual_pass`)")
def test_a_turn_that_is_not_forfeited_resets_the_count():
    state = builders.acts(builders.state(STUCK, prisoners={"B": LOST}), builders.PASS, builders.onboard("d1", 0, "xx"))
    assert state.forfeits == 0
    assert end(builders.acts(state, builders.PASS)) is None


@pytest.mark.rule("plateau", "9", "can resign at any time")
@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_can_resign_at_any_time_and_the_other_wins(seat):
    opening = builders.state(phase="opening", to_move="B")
    response = builders.state(QUIET, phase="response", to_move="B", tender=["M"], prisoners={"W": ["M"], "B": ["B"]})
    for state in (opening, builders.state(QUIET), response):
        events = resigned(state, seat)
        after = builders.played(state, *events)
        assert end(after) == ("resign", (1 - seat,), (1, -1) if seat else (-1, 1))
        assert plateau.to_act(after) == frozenset()
        assert not plateau.settle(after, builders.CHANCE)
        assert events[0] == ev.Resigned(seat)
        assert isinstance(events[-1], ev.EverythingRevealed)


@pytest.mark.rule("plateau", "9", "a player whose time is up")
@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_whose_time_is_up_loses_on_time_and_has_not_resigned(seat):
    state = builders.state(QUIET)
    events = lost_on_time(state, seat)
    after = builders.played(state, *events)
    assert end(after) == ("time", (1 - seat,), (1, -1) if seat else (-1, 1))
    assert events[0] == ev.TimeLost(seat)
    assert not [event for event in events if isinstance(event, ev.Resigned)]
    assert isinstance(events[-1], ev.EverythingRevealed)


@pytest.mark.rule("plateau", "9", "can resign at any time")
def test_players_can_agree_to_a_draw_at_any_time():
    for state in (builders.state(phase="opening", to_move="B"), builders.state(QUIET)):
        after = builders.played(state, *agree(state, "draw"))
        assert end(after) == ("agreement", (0, 1), (0, 0))
        assert not plateau.settle(after, builders.CHANCE)


def test_only_a_draw_can_be_proposed_and_the_offer_lapses_when_its_player_acts():
    state = builders.state(QUIET)
    assert offers(state, 0).keys() == offers(state, 1).keys() == {"draw"}
    after = builders.acts(state, builders.move("b3", "b4"))
    assert offers(after, 1) != offers(state, 1)
    assert offers(after, 0) == offers(state, 0)


@pytest.mark.rule("plateau", "10", "end of the game / everything")
def test_everything_is_revealed_at_the_end():
    state = builders.state("a1 Bxx Brb, d4 Wxo Wbb")
    reveal = resigned(state, 0)[-1]
    assert [(stack.square, [(p.piece, p.top, p.bottom) for p in stack.pieces]) for stack in reveal.stacks] == [
        ("a1", [("M", "x", "x"), ("A", "r", "b")]),
        ("d4", [("TW", "x", "o"), ("B", "b", "b")]),
    ]
    assert [reserve.pieces for reserve in reveal.reserves] == list(state.reserves)


@pytest.mark.rule(
    "plateau", "Options", "`onboard_under_enemy` / `true`", "`pin` / `any`", "`merged_strength` / `false`",
    "`refused_tender_keeps_turn` / `true`", "`repetition` / 3", "`no_progress_plies` / 100", "`max_plies` / 600",
)  # fmt: skip
def test_the_defaults_are_written_out():
    assert to_plain(plateau.options.complete({}, 2)) == {
        "onboard_under_enemy": True,
        "pin": "any",
        "merged_strength": False,
        "refused_tender_keeps_turn": True,
        "repetition": 3,
        "no_progress_plies": 100,
        "max_plies": 600,
    }


@pytest.mark.rule("plateau", "Options", "`repetition` / 3", "`no_progress_plies` / 100", "`max_plies` / 600")
@pytest.mark.parametrize(
    ("option", "low", "high"), [("repetition", 2, 100), ("no_progress_plies", 2, 1000), ("max_plies", 4, 2000)]
)
def test_a_number_has_bounds(option, low, high):
    for value in (low, high):
        assert getattr(plateau.options.complete({option: value}, 2), option) == value
    for value in (low - 1, high + 1):
        with pytest.raises(InvalidOptions) as refused:
            plateau.options.complete({option: value}, 2)
        (problem,) = refused.value.problems
        assert (problem.option, problem.code) == (option, "out-of-range")
        assert str(value) in problem.message
