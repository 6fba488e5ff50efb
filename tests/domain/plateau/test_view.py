"""What each viewer is shown: rules.md, the view."""

from dataclasses import fields

import pytest

from domain.plateau import RULESET as plateau
from domain.plateau.agreements import resigned
from domain.plateau.state import End
from domain.plateau.view import View
from domain.serialization import to_plain
from tests.domain.plateau import builders

BOARD = "a1 Bxr Brb, d4 Wxo Bbb Wrr"
VIEWERS = (0, 1, None)


def pieces(view, square):
    return [(p.owner, p.piece, p.top, p.bottom) for p in view.board[square]]


@pytest.mark.rule("plateau", "10", "Undersides, covered faces that were never seen")
def test_a_player_sees_all_of_their_own_pieces_and_of_others_what_is_public():
    state = builders.state(BOARD)
    assert pieces(plateau.project(state, 0), "a1") == [(0, "RM", "x", "r"), (0, "A", "r", "b")]
    assert pieces(plateau.project(state, 0), "d4") == [(1, None, None, None), (0, "B", "b", "b"), (1, None, "r", None)]
    assert pieces(plateau.project(state, 1), "a1") == [(0, None, None, None), (0, None, "r", None)]


@pytest.mark.rule("plateau", "10", "stays known while the piece stays on the board")
def test_a_spectator_sees_of_a_player_what_the_other_player_sees():
    state = builders.state(BOARD)
    spectator = plateau.project(state, None)
    for square in ("a1", "d4"):
        for seat in (0, 1):
            theirs = [p for p in pieces(spectator, square) if p[0] != seat]
            assert theirs == [p for p in pieces(plateau.project(state, seat), square) if p[0] != seat]


@pytest.mark.rule("plateau", "10", "Undersides, covered faces that were never seen")
def test_reserves_are_counted_for_all_and_shown_to_their_owner():
    state = builders.state(BOARD)
    for viewer in VIEWERS:
        for reserve in plateau.project(state, viewer).reserves:
            assert reserve.count == len(state.reserves[reserve.seat])
            assert reserve.pieces == (state.reserves[reserve.seat] if reserve.seat == viewer else None)


@pytest.mark.rule("plateau", "10", "Pieces passed over show nothing")
def test_everything_else_is_the_same_for_every_viewer():
    state = builders.state(BOARD, prisoners={"W": ["M"], "B": ["R"]}, min_tender={"W": 1})
    state = builders.acts(state, builders.onboard("b2", 0, "bx"), builders.tender("R"))
    views = [plateau.project(state, viewer) for viewer in VIEWERS]
    for field in fields(View):
        if field.name not in ("board", "reserves", "history"):
            assert len({getattr(view, field.name) for view in views}) == 1
    assert to_plain(views[0].tender) == {"seat": 0, "to": 1, "pieces": ["R"], "total": 5}
    assert (views[0].phase, views[0].to_move) == ("response", 1)


def test_the_history_hides_from_others_what_a_player_placed():
    state = builders.state(phase="opening", to_move="B")
    state = builders.acts(
        state, builders.opening("a1", "xr", "rb"), builders.opening("d4", "xx", "bx"), builders.onboard("b2", 0, "xo")
    )
    lines = [[line.line for line in plateau.project(state, viewer).history] for viewer in VIEWERS]
    assert lines[0] == ["B: * a1 xr.rb", "W: * d4 ??.b?", "B: +b2/0 xo"]
    assert lines[1] == ["B: * a1 ??.r?", "W: * d4 xx.bx", "B: +b2/0 x?"]
    assert lines[2] == ["B: * a1 ??.r?", "W: * d4 ??.b?", "B: +b2/0 x?"]


@pytest.mark.rule("plateau", "10", "new each time it is placed")
def test_tokens_are_numbered_by_placement_and_reveal_nothing_about_the_piece():
    def tokens(*codes):
        state = builders.state(phase="opening", to_move="B")
        state = builders.acts(state, builders.opening("a1", *codes[:2]), builders.opening("d4", *codes[2:4]))
        state = builders.acts(state, builders.onboard("b2", 0, codes[4]))
        return {square: [p.token for p in stack] for square, stack in plateau.project(state, None).board.items()}

    assert tokens("xr", "rb", "xx", "xo", "bb") == tokens("rr", "rr", "bx", "xx", "br")
    assert tokens("xr", "rb", "xx", "xo", "bb") == {"a1": ["p1", "p2"], "d4": ["p3", "p4"], "b2": ["p5"]}


@pytest.mark.rule("plateau", "10", "end of the game / everything")
def test_everything_is_public_when_the_game_is_over():
    state = builders.acts(builders.state(BOARD), builders.onboard("b2", 0, "bx"))
    state = builders.played(state, *resigned(state, 0))
    views = [plateau.project(state, viewer) for viewer in VIEWERS]
    assert views[0] == views[1] == views[2]
    assert pieces(views[0], "a1") == [(0, "RM", "x", "r"), (0, "A", "r", "b")]
    assert tuple(reserve.pieces for reserve in views[0].reserves) == state.reserves
    assert [line.line for line in views[0].history] == ["W: +b2/0 bx", "B: #"]
    assert (views[0].phase, views[0].to_move) == ("over", None)
    assert views[0].end == End("resign", 1)
