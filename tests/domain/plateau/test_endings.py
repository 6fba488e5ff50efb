"""Wins, draws, forfeits and resignation: rules.md, sections 2, 8 and 9."""

import pytest

from domain.errors import IllegalAction
from domain.plateau import RULESET as plateau
from domain.plateau import events as ev
from domain.plateau.agreements import agree, lost_on_time, offers, resigned
from domain.plateau.board import INDEX, ROUTES
from domain.plateau.endings import position
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


@pytest.mark.rule("plateau", "8", "holds six prisoners (`prisoners`)")
def test_six_prisoners_win():
    state = builders.state("a1 Wxx Wrr, b1 Bbb Brr, c4 Brb", prisoners={"W": ["M", "M", "M", "M"]})
    events, state = builders.act(state, builders.move("a1", "b1", lift=2))
    assert end(state) == ("prisoners", (1,), (-1, 1))
    assert [type(event) for event in events[-2:]] == [ev.GameWon, ev.EverythingRevealed]
    assert plateau.to_act(state) == frozenset()


@pytest.mark.rule("plateau", "8", "holds six prisoners (`prisoners`)")
def test_five_prisoners_do_not_win():
    state = builders.state("a1 Wrr, b1 Bbb, c4 Brb", prisoners={"W": ["M", "M", "M", "M"]})
    assert end(builders.acts(state, builders.move("a1", "b1"))) is None


@pytest.mark.rule("plateau", "1", "the longest run of adjacent pieces of one owner")
@pytest.mark.rule("plateau", "4", "put a blank on top of a weapon, or complete a unit of six")
@pytest.mark.rule("plateau", "8", "holds six prisoners (`prisoners`)")
@pytest.mark.parametrize(
    ("board", "action"),
    [
        ("a1 Wxx Wxx Wxx Wbb Wbb", builders.onboard("a1", 5, "rr")),
        ("a1 Wxx Wxx Wxx Wbb Wbb Brr", builders.onboard("a1", 2, "rr")),
        ("a1 Bxx Wxx Wxx Wxx Wbb Wbb Brr", builders.onboard("a1", 1, "rr")),
        ("a1 Wxx Wxx Wxx, b1 Wbb Wbb Wrr", builders.move("a1", "b1", lift=3)),
        ("a1 Wxx Wxx Wxx Bbb Wbb Wbb Wrr", builders.stomp("a1")),
    ],
)
def test_a_unit_of_six_wins_anywhere_in_a_stack(board, action):
    assert end(builders.acts(builders.state(board), action)) == ("unit", (1,), (-1, 1))


@pytest.mark.rule("plateau", "1", "the longest run of adjacent pieces of one owner")
def test_six_pieces_split_by_an_enemy_do_not_win():
    state = builders.state("a1 Wxx Wxx Wxx Bbb Wbb Wbb")
    assert end(builders.acts(state, builders.onboard("a1", 6, "rr"))) is None


@pytest.mark.rule("plateau", "8", "holds six prisoners (`prisoners`)")
def test_prisoners_come_before_a_unit_as_the_reason_for_a_win():
    state = builders.state("a1 Wxx Wxx Wxx Brb Wbb Wbb Wrr", prisoners={"W": ["M", "M", "M", "M", "B"]})
    assert end(builders.acts(state, builders.stomp("a1"))) == ("prisoners", (1,), (-1, 1))


def test_black_wins_like_white():
    state = builders.state("a1 Bxx Bxx Bxx Bbb Bbb", to_move="B")
    assert end(builders.acts(state, builders.onboard("a1", 5, "rr"))) == ("unit", (0,), (1, -1))


@pytest.mark.rule("plateau", "9", "the game is also drawn", "for the third time (`repetition`)")
def test_the_third_occurrence_of_a_position_is_a_draw():
    state = builders.state(QUIET)
    assert state.repetition == 1
    twice = shuffle(state, 1)
    assert (twice.repetition, end(twice)) == (2, None)
    assert end(shuffle(state, 2)) == ("repetition", (0, 1), (0, 0))


@pytest.mark.rule("plateau", "Options", "`repetition` / 3", "`no_progress_plies` / 100", "`max_plies` / 600")
def test_the_number_of_occurrences_is_an_option():
    assert end(shuffle(builders.state(QUIET, options={"repetition": 2}), 1))[0] == "repetition"
    assert end(shuffle(builders.state(QUIET, options={"repetition": 4}), 2)) is None


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


def test_positions_before_an_onboarding_cannot_come_back_and_are_forgotten():
    state = shuffle(builders.state(QUIET), 1)
    assert len(state.seen) == 5
    state = builders.acts(state, builders.onboard("d3", 0, "xx"))
    assert len(state.seen) == 1


@pytest.mark.rule("plateau", "9", "after 100 turns")
def test_too_many_turns_without_progress_are_a_draw():
    state = builders.state(QUIET, options={"no_progress_plies": 3})
    state = builders.acts(state, builders.move("b3", "b4"), builders.move("c1", "d1"))
    assert (state.quiet_plies, end(state)) == (2, None)
    assert end(builders.acts(state, builders.move("b4", "b3"))) == ("no_progress", (0, 1), (0, 0))


@pytest.mark.rule("plateau", "9", "after 100 turns")
@pytest.mark.parametrize("action", [builders.onboard("d1", 0, "xx"), builders.move("b3", "b2")])
def test_an_onboarding_and_a_capture_are_progress(action):
    state = builders.state("a1 Bxx Brr, d4 Wxx Wbb, b3 Wrr, b2 Bxx, c1 Bxx")
    state = builders.acts(state, builders.move("d4", "c3"), builders.move("c1", "d1"))
    assert state.quiet_plies == 2
    assert builders.acts(state, action).quiet_plies == 0


@pytest.mark.rule("plateau", "9", "after 100 turns")
def test_an_exchange_is_progress():
    state = builders.state(QUIET, prisoners={"W": ["M"], "B": ["M"]})
    state = builders.acts(state, builders.move("b3", "b4"), builders.move("c1", "d1"))
    assert builders.acts(state, builders.tender("M"), builders.respond("M")).quiet_plies == 0


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
def test_a_turn_is_not_forfeited_while_prisoners_can_be_tendered():
    state = builders.state(STUCK, prisoners={"B": LOST, "W": ["M"]})
    assert builders.legal(state) == [builders.tender("M")]
    refused = builders.acts(
        builders.state(STUCK, prisoners={"B": ["A"], "W": ["M"]}), builders.tender("M"), builders.REFUSE
    )
    assert builders.PASS not in builders.legal(refused)


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


@pytest.mark.parametrize("square", builders.SQUARES)
def test_a_player_who_shuts_the_other_in_has_an_action_so_both_never_pass_in_the_same_position(square):
    """A Mute is shut in where the enemy has all squares around it; two of these lie beside each other."""
    around = {end for start, end in ROUTES["x"] if start == INDEX[square] and len(ROUTES["x"][start, end]) == 1}
    board = ", ".join([f"{square} Wxx", *(f"{builders.SQUARES[each]} Bxx" for each in around)])
    shut_in = builders.replace(builders.state(board), reserves=((), ()))
    assert builders.legal(shut_in) == [builders.PASS]
    moves = builders.legal(builders.replace(shut_in, to_move=0))
    assert any({INDEX[move.from_], INDEX[move.to]} <= around for move in moves)


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


def test_no_draw_can_be_offered_and_no_seat_can_resign_after_the_end():
    over = builders.played(builders.state(QUIET), *agree(builders.state(QUIET), "draw"))
    assert not offers(over, 0)
    with pytest.raises(IllegalAction) as refusal:
        resigned(over, 0)
    assert refusal.value.code == "game-over"


@pytest.mark.rule("plateau", "10", "end of the game / everything")
def test_everything_is_revealed_at_the_end():
    state = builders.state("a1 Bxx Brb, d4 Wxo Wbb")
    reveal = resigned(state, 0)[-1]
    assert [(stack.square, [(p.piece, p.top, p.bottom) for p in stack.pieces]) for stack in reveal.stacks] == [
        ("a1", [("M", "x", "x"), ("A", "r", "b")]),
        ("d4", [("TW", "x", "o"), ("B", "b", "b")]),
    ]
    assert [reserve.pieces for reserve in reveal.reserves] == list(state.reserves)


@pytest.mark.parametrize(
    ("board", "action", "counts"),
    [
        ("a1 Wxx Wrr, b1 Bbb Brr, c4 Brb", builders.move("a1", "b1", lift=2), (0, (0, 0))),
        ("a1 Wxx Wxx Wxx Wbb Wbb, c4 Brb", builders.onboard("a1", 5, "rr"), (0, (9, 0))),
        ("a1 Wxx Wxx Wxx, b1 Wbb Wbb Wrr, c4 Brb", builders.move("a1", "b1", lift=3), (1, (9, 0))),
    ],
)
def test_the_counts_at_the_end_are_those_after_the_winning_turn(board, action, counts):
    state = builders.state(board, prisoners={"W": ["M", "M", "M", "M"]}, min_tender={"B": 9})
    won = builders.acts(state, action)
    assert (won.phase, won.quiet_plies, won.min_tender) == ("over", *counts)
