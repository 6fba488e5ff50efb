"""The exchange of prisoners: rules.md, section 7."""

import pytest

from domain.plateau import RULESET as plateau
from domain.plateau import events as ev
from domain.plateau.actions import Tender
from domain.plateau.pieces import worth
from tests.domain.plateau import builders

BOARD = "a1 Bxx Brr, d4 Wxx Wbb"


def tendered(mine, offered, theirs, **more):
    """Return a state in which Black must respond to White's tender."""
    return builders.state(
        BOARD, to_move="B", phase="response", tender=offered, prisoners={"W": mine, "B": theirs}, **more
    )


def responses(state):
    return {action.pieces for action in builders.legal(state)}


@pytest.mark.rule("plateau", "7", "offer any of your prisoners")
def test_any_prisoners_can_be_tendered():
    state = builders.state(BOARD, prisoners={"W": ["R", "M", "M"], "B": ["A"]})
    found = {action.pieces for action in builders.legal(state) if isinstance(action, Tender)}
    assert found == {("R",), ("M",), ("M", "M"), ("R", "M"), ("R", "M", "M")}


def test_prisoners_are_named_in_any_order():
    state = builders.state(BOARD, prisoners={"W": ["R", "M", "M"], "B": ["A"]})
    events, after = builders.act(state, builders.tender("M", "R"))
    assert builders.only(events, ev.PrisonersTendered).pieces == ("R", "M")
    assert (after.phase, plateau.to_act(after), after.tender.total) == ("response", {0}, 6)


@pytest.mark.rule("plateau", "7", "offer any of your prisoners")
@pytest.mark.parametrize("black", [builders.move("a1", "a2"), builders.onboard("c1", 0, "xx")])
@pytest.mark.parametrize("white", [builders.move("d4", "b2", lift=2), builders.onboard("d1", 0, "xx")])
def test_a_refused_tender_is_repeated_only_after_a_capture_or_an_exchange(white, black):
    state = builders.acts(tendered(["B", "M", "BM"], ["B"], ["R"]), builders.REFUSE, white, black)
    assert [plateau.project(state, viewer).min_tender for viewer in (0, 1, None)] == [(0, 4)] * 3
    assert builders.refusal(state, builders.tender("B")) == "tender-too-low"
    assert builders.refusal(state, builders.tender("M")) == "tender-too-low"
    totals = {worth(action.pieces) for action in builders.legal(state) if isinstance(action, Tender)}
    assert totals == {5, 8, 9, 12, 13}
    assert builders.acts(state, builders.tender("BM"), builders.respond("R")).min_tender == (0, 0)


@pytest.mark.rule("plateau", "7", "offer any of your prisoners")
@pytest.mark.parametrize(
    ("pieces", "code"), [((), "no-pieces"), (("A",), "not-a-prisoner"), (("R", "R"), "not-a-prisoner"), (("R",), None)]
)
def test_only_prisoners_that_are_held_can_be_tendered(pieces, code):
    state = builders.state(BOARD, prisoners={"W": ["R", "M"], "B": ["A"]})
    assert builders.refusal(state, builders.tender(*pieces)) == code


@pytest.mark.rule("plateau", "7", "must hold a prisoner too")
def test_a_tender_to_a_player_without_prisoners_is_rejected():
    state = builders.state(BOARD, prisoners={"W": ["R"]})
    assert builders.refusal(state, builders.tender("R")) == "nothing-to-gain"
    assert not [action for action in builders.legal(state) if isinstance(action, Tender)]


@pytest.mark.rule("plateau", "7", "prisoners worth as much, or more", "the next lower total that they can")
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
def test_a_response_is_equal_or_greater_or_else_the_next_lower_or_a_refusal(offered, theirs, legal):
    assert responses(tendered(offered, offered, theirs)) == legal


@pytest.mark.rule("plateau", "7", "prisoners worth as much, or more", "the next lower total that they can")
@pytest.mark.parametrize(
    ("response", "code"),
    [
        (builders.respond("BM"), "answer-too-low"),
        (builders.REFUSE, "refusal-forbidden"),
        (builders.respond(), "no-pieces"),
        (builders.respond("R"), "not-a-prisoner"),
        (builders.tender("BM"), "wrong-phase"),
        (builders.onboard("c3", 0, "bb"), "wrong-phase"),
        (builders.PASS, "wrong-phase"),
        (builders.respond("BM", "M"), None),
    ],
)
def test_a_response_that_breaks_the_rules_is_rejected(response, code):
    assert builders.refusal(tendered(["RM"], ["RM"], ["BM", "B", "M"]), response) == code


@pytest.mark.rule("plateau", "7", "return to the reserves")
def test_an_exchange_sends_the_pieces_home_and_the_responder_is_to_move():
    state = tendered(["RM", "M"], ["RM"], ["BM", "M"])
    before = state.reserves
    after = builders.acts(state, builders.respond("BM", "M"))
    assert after.prisoners == ((), ("M",))
    assert sorted(after.reserves[0]) == sorted((*before[0], "RM"))
    assert sorted(after.reserves[1]) == sorted((*before[1], "BM", "M"))
    assert (after.phase, plateau.to_act(after), after.tender) == ("play", {0}, None)
    assert after.plies == state.plies + 1


@pytest.mark.rule("plateau", "7", "After a refusal you are still to move", "the turn is over")
def test_after_a_refusal_the_initiator_is_still_to_move_and_must_tender_more():
    state = tendered(["B", "M", "RM"], ["B"], ["R"])
    events, after = builders.act(state, builders.REFUSE)
    assert builders.only(events, ev.TurnResumed).min_tender == (0, 4)
    assert (plateau.to_act(after), after.plies, after.min_tender) == ({1}, state.plies, (0, 4))
    assert builders.refusal(after, builders.tender("B")) == "tender-too-low"
    assert builders.refusal(after, builders.tender("M")) == "tender-too-low"
    assert builders.refusal(after, builders.tender("B", "M")) is None
    assert builders.refusal(after, builders.onboard("c3", 0, "bb")) is None


@pytest.mark.rule("plateau", "7", "After a refusal you are still to move", "the turn is over")
def test_a_refusal_costs_the_turn_where_the_option_says_so():
    state = tendered(["B", "M", "RM"], ["B"], ["R"], options={"refused_tender_keeps_turn": False})
    after = builders.acts(state, builders.REFUSE)
    assert (plateau.to_act(after), after.plies, after.min_tender) == ({0}, state.plies + 1, (0, 4))
    assert after.quiet_plies == 1


@pytest.mark.rule("plateau", "7", "offer any of your prisoners")
@pytest.mark.parametrize("taker", [0, 1])
def test_a_capture_by_either_player_frees_the_tenders_of_both(taker):
    board = "a1 Bxx Brr, d4 Wxx Wbb, a2 Wrr, c3 Bbb"
    prisoners = {"W": ["B", "R"], "B": ["A"]}
    state = builders.state(board, to_move="BW"[taker], prisoners=prisoners, min_tender={"W": 4, "B": 21})
    after = builders.acts(state, builders.move("d4", "c3") if taker else builders.move("a1", "a2"))
    assert [plateau.project(after, viewer).min_tender for viewer in (0, 1, None)] == [(0, 0)] * 3


@pytest.mark.rule("plateau", "10", "new each time it is placed")
def test_a_piece_that_came_home_gets_a_new_token_and_any_face():
    state = builders.state("a1 Bxx Brr, d4 Wrr, d3 Bbr", prisoners={"B": ["M"]})
    captured = builders.acts(state, builders.move("d4", "d3"))
    old = captured.history[-1].public.captured[0].token
    home = builders.acts(captured, builders.onboard("b1", 0, "xx"), builders.tender("A"), builders.respond("M"))
    again = builders.acts(home, builders.onboard("c2", 0, "rb"))
    (piece,) = again.board[builders.SQUARES.index("c2")]
    assert piece.kind == "A"
    assert piece.token != old
    assert builders.public(again)["c2"] == ["Br?"]
