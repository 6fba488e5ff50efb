"""The exchange of prisoners: rules.md, section 7."""

import pytest

from domain import plateau
from domain.plateau import events as ev
from domain.plateau.actions import Respond, Tender
from tests.domain.plateau import given

BOARD = "a1 Bxx Brr, d4 Wxx Wbb"


def tendered(mine, offered, theirs, **more):
    """Give a state in which Black must answer White's tender."""
    return given.state(BOARD, to_move="B", phase="response", tender=offered, prisoners={"W": mine, "B": theirs}, **more)


def answers(state):
    return {action.pieces for action in given.legal(state)}


def test_any_prisoners_may_be_tendered():
    state = given.state(BOARD, prisoners={"W": ["R", "M", "M"], "B": ["A"]})
    found = {action.pieces for action in given.legal(state) if isinstance(action, Tender)}
    assert found == {("R",), ("M",), ("M", "M"), ("R", "M"), ("R", "M", "M")}


def test_prisoners_are_named_in_any_order():
    state = given.state(BOARD, prisoners={"W": ["R", "M", "M"], "B": ["A"]})
    events, after = given.act(state, given.tender("M", "R"))
    assert given.only(events, ev.PrisonersTendered).pieces == ("R", "M")
    assert (after.phase, plateau.to_act(after), after.tender.total) == ("response", {0}, 6)
    state = tendered(["RM"], ["RM"], ["BM", "M", "B"])
    events, _ = given.act(state, given.respond("M", "BM"))
    assert given.only(events, ev.PrisonersExchanged).given == ("BM", "M")


@pytest.mark.parametrize(
    ("pieces", "code"),
    [((), "no-pieces"), (("A",), "not-a-prisoner"), (("R", "R"), "not-a-prisoner"), (("R",), None)],
)
def test_a_tender_is_of_prisoners_that_are_held(pieces, code):
    state = given.state(BOARD, prisoners={"W": ["R", "M"], "B": ["A"]})
    assert given.refusal(state, given.tender(*pieces)) == code


def test_a_tender_to_somebody_without_prisoners_is_refused():
    state = given.state(BOARD, prisoners={"W": ["R"]})
    assert given.refusal(state, given.tender("R")) == "nothing-to-gain"
    assert not [action for action in given.legal(state) if isinstance(action, Tender)]


@pytest.mark.parametrize(
    ("offered", "theirs", "legal"),
    [
        (["R"], ["R", "B", "M"], {("R",), ("B", "M"), ("R", "M"), ("R", "B"), ("R", "B", "M")}),
        (["RM"], ["BM", "B", "M"], {("BM", "M"), ("BM", "B"), ("BM", "B", "M")}),
        (["M"], ["B"], {("B",), ()}),
        (["B"], ["R", "A"], {("R",), ("A",), ("A", "R"), ()}),
        (["A"], ["M"], {("M",)}),
    ],
)
def test_an_answer_is_equal_or_greater_or_the_next_lower_or_a_refusal_of_what_is_too_cheap(offered, theirs, legal):
    assert answers(tendered(offered, offered, theirs)) == legal


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (given.respond("BM"), "answer-too-low"),
        (given.REFUSE, "refusal-forbidden"),
        (given.respond(), "no-pieces"),
        (given.respond("R"), "not-a-prisoner"),
        (given.tender("BM"), "wrong-phase"),
        (given.onboard("c3", 0, "bb"), "wrong-phase"),
        (given.PASS, "wrong-phase"),
        (given.respond("BM", "M"), None),
    ],
)
def test_an_answer_is_given_as_the_rules_say(answer, code):
    assert given.refusal(tendered(["RM"], ["RM"], ["BM", "B", "M"]), answer) == code


def test_who_refuses_gives_nothing():
    state = tendered(["M"], ["M"], ["B"])
    assert given.refusal(state, Respond(pieces=("B",), refuse=True)) == "refusal-with-pieces"
    assert given.refusal(state, given.REFUSE) is None


def test_an_exchange_sends_the_pieces_home_and_the_responder_is_to_move():
    state = tendered(["RM", "M"], ["RM"], ["BM", "M"])
    before = state.reserves
    after = given.acts(state, given.respond("BM", "M"))
    assert after.prisoners == ((), ("M",))
    assert sorted(after.reserves[0]) == sorted((*before[0], "RM"))
    assert sorted(after.reserves[1]) == sorted((*before[1], "BM", "M"))
    assert (after.phase, plateau.to_act(after), after.tender) == ("play", {0}, None)
    assert after.plies == state.plies + 1


def test_the_responder_may_tender_at_once():
    state = tendered(["RM", "M", "R"], ["RM"], ["BM", "B", "M"])
    after = given.acts(state, given.respond("BM", "M"))
    assert given.refusal(after, given.tender("B")) is None


def test_after_a_refusal_the_initiator_is_still_to_move_and_must_tender_more():
    state = tendered(["B", "M", "RM"], ["B"], ["R"])
    events, after = given.act(state, given.REFUSE)
    assert given.only(events, ev.TurnResumed).min_tender == (0, 4)
    assert (plateau.to_act(after), after.plies, after.min_tender) == ({1}, state.plies, (0, 4))
    assert given.refusal(after, given.tender("B")) == "tender-too-low"
    assert given.refusal(after, given.tender("M")) == "tender-too-low"
    assert given.refusal(after, given.tender("B", "M")) is None
    assert given.refusal(after, given.onboard("c3", 0, "bb")) is None


def test_a_refusal_costs_the_turn_where_the_option_says_so():
    state = tendered(["B", "M", "RM"], ["B"], ["R"], options={"refused_tender_keeps_turn": False})
    after = given.acts(state, given.REFUSE)
    assert (plateau.to_act(after), after.plies, after.min_tender) == ({0}, state.plies + 1, (0, 4))
    assert after.quiet_plies == 1


def test_the_least_tender_stays_over_turns_until_prisoners_change():
    state = given.state(
        "a1 Bxx Brr, d4 Wxx Wbb, b2 Bbb, c3 Wbb", prisoners={"W": ["B", "R"], "B": ["A"]}, min_tender={"W": 4}
    )
    state = given.acts(state, given.onboard("d1", 0, "xx"), given.onboard("c1", 0, "xx"))
    assert state.min_tender == (0, 4)
    assert given.acts(state, given.move("c3", "b2")).min_tender == (0, 0)
    exchanged = given.acts(state, given.tender("R"), given.respond("A"))
    assert exchanged.min_tender == (0, 0)


def test_a_piece_that_came_home_gets_a_new_token_and_any_face():
    state = given.state("a1 Bxx Brr, d4 Wrr, d3 Bbr", prisoners={"B": ["M"]})
    captured = given.acts(state, given.move("d4", "d3"))
    old = captured.history[-1].captured[0].token
    home = given.acts(captured, given.onboard("b1", 0, "xx"), given.tender("A"), given.respond("M"))
    again = given.acts(home, given.onboard("c2", 0, "rb"))
    (piece,) = again.board[given.SQUARES.index("c2")]
    assert piece.kind == "A"
    assert piece.token != old
    assert given.public(again)["c2"] == ["Br?"]
