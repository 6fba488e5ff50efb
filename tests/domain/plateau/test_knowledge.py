"""What becomes public, and when: rules.md, section 10."""

import pytest

from domain.plateau import RULESET as plateau
from domain.plateau import events as ev
from tests.domain.plateau import builders
from tests.support.random_games import played
from tests.support.sampling import seeds


def after(board, action, **more):
    _, state = builders.act(builders.state(board, **more), action)
    return builders.public(state)


@pytest.mark.rule("plateau", "3", "the opponent does not see the top of the lower piece")
@pytest.mark.rule("plateau", "10", "opening / the upper face")
def test_the_opening_shows_the_upper_face_of_the_upper_piece():
    state = builders.acts(builders.state(phase="opening", to_move="B"), builders.opening("a1", "xr", "rb"))
    assert builders.public(state) == {"a1": ["B??", "Br?"]}


@pytest.mark.rule("plateau", "1", "height 0 is the bottom")
@pytest.mark.rule("plateau", "10", "onboarding / the upper face")
@pytest.mark.parametrize(
    ("height", "shown"),
    [
        (0, ["Wb?", "W??", "B??", "Wx?"]),
        (1, ["Wr?", "Wb?", "B??", "Wx?"]),
        (2, ["W??", "Bo?", "Wb?", "Wx?"]),
        (3, ["W??", "B??", "Wx?", "Wb?"]),
    ],
)
def test_onboarding_shows_the_new_piece_and_the_one_it_is_laid_on(height, shown):
    """The piece on top is known already; one that is put below a whole stack is laid on nothing."""
    assert after("b2 Wrx Box Wxx", builders.onboard("b2", height, "bx"))["b2"] == shown


SHOWN = {
    "a flip": ("b2 Wrx Wxb", builders.move("b2", "c3", lift=2, flip=True), "", {"c3": ["Wr?", "Wbx"]}),
    "a flip on an enemy": (
        "b2 Bxx Wxb", builders.move("b2", "c3", flip=True), "b2 B?? Wx?", {"b2": ["Bx?"], "c3": ["Wbx"]}
    ),
    "a lift": ("b2 Wbr Wxr Wxx", builders.move("b2", "b3"), "", {"b2": ["W??", "Wx?"], "b3": ["Wx?"]}),
    "a lift from an enemy": ("b2 Brx Wxx", builders.move("b2", "b3"), "b2 B?? Wx?", {"b2": ["Br?"], "b3": ["Wx?"]}),
    "stops": (
        "a1 Wrx Wbx Wxx", builders.move("a1", "d1", "b1:2", "c1:1", lift=3), "",
        {"b1": ["Wr?"], "c1": ["Wb?"], "d1": ["Wx?"]},
    ),
    "a landing": (
        "a1 Wxx, b1 Brx Wbr", builders.move("a1", "b1"), "b1 B?? Wb?", {"b1": ["B??", "Wb?", "Wx?"]}
    ),
    "a pick-up": (
        "a1 Wxx Wxx, b1 Brx Wbr", builders.move("a1", "c1", "b1:3", lift=2), "b1 B?? Wb?",
        {"b1": ["Br?"], "c1": ["Wb?", "W??", "Wx?"]},
    ),
    "a passage": (
        "a1 Wrx Wbr Wxx, b1 Box Bxx", builders.move("a1", "c1", lift=3), "",
        {"b1": ["B??", "Bx?"], "c1": ["W??", "W??", "Wx?"]},
    ),
    "a capture from an own piece": ("a1 Wrr, b1 Wbx Bxr", builders.move("a1", "b1"), "", {"b1": ["Wb?", "Wr?"]}),
    "a stomp": ("b2 Bbx Bxr Wxo", builders.stomp("b2", flip=True), "", {"b2": ["Bb?", "Wox"]}),
}  # fmt: skip


@pytest.mark.rule(
    "plateau", "10", "turning over / the piece's new upper face", "lifting, and at each stop",
    "Pieces passed over show nothing", "capture / both faces of the captured pieces",
)  # fmt: skip
@pytest.mark.parametrize(("board", "action", "public", "shown"), SHOWN.values(), ids=SHOWN)
def test_an_action_shows_what_it_uncovers_and_nothing_else(board, action, public, shown):
    assert after(board, action, public=public) == shown


@pytest.mark.rule("plateau", "10", "capture / both faces of the captured pieces")
def test_a_capture_shows_all_of_the_captured_and_the_top_of_what_lay_below():
    events, state = builders.act(builders.state("a1 Wrr, b1 Bbx Bxr Bxo"), builders.move("a1", "b1"))
    captured = builders.only(events, ev.PiecesCaptured)
    assert [(p.piece, p.top, p.bottom) for p in captured.pieces] == [("TW", "x", "o")]
    assert [(face.token, face.face) for face in captured.shown] == [("p3", "x")]
    assert builders.public(state) == {"b1": ["B??", "Bx?", "Wr?"]}


@pytest.mark.rule("plateau", "10", "Pieces passed over show nothing")
def test_a_tender_and_its_response_show_nothing_of_the_board():
    state = builders.state("a1 Bxx Brr, d4 Wxx Wbb", prisoners={"W": ["M"], "B": ["M"]})
    before = builders.public(state)
    assert builders.public(builders.acts(state, builders.tender("M"), builders.respond("M"))) == before


@pytest.mark.rule("plateau", "10", "stays known while the piece stays on the board")
def test_what_was_shown_stays_known_when_it_is_covered():
    state = builders.state("a1 Wrb, b1 Wbb, d4 Bxx")
    state = builders.acts(
        state, builders.onboard("a1", 1, "xx"), builders.move("d4", "d3"), builders.onboard("a1", 0, "ox")
    )
    assert builders.public(state)["a1"] == ["Wo?", "Wr?", "Wx?"]


@pytest.mark.parametrize("seed", seeds(6))
def test_the_top_of_every_stack_is_public_after_every_action(seed):
    for step in played("plateau", 2, seed):
        if step.game.state is not None:
            assert all(stack[-1].top_known for stack in step.game.state.board if stack)


@pytest.mark.parametrize("seed", seeds(6))
def test_faces_are_shown_once_and_only_what_was_not_public(seed):
    shown = set()
    for step in played("plateau", 2, seed):
        for event in step.events:
            faces = getattr(event, "faces", None) or getattr(event, "shown", ())
            for face in faces:
                piece = next(p for stack in step.game.state.board for p in stack if p.token == face.token)
                assert (face.token, piece.turned) not in shown
                shown.add((face.token, piece.turned))


def test_a_decision_shows_nothing_that_only_the_action_would_uncover():
    """The events of a decision name pieces, never faces that the player does not know."""
    hidden = builders.state("b2 Brx Wxb", public="b2 B?? Wx?")
    other = builders.state("b2 Bxr Wxb", public="b2 B?? Wx?")
    for action in (builders.move("b2", "c3", flip=True), builders.move("b2", "b3"), builders.stomp("b2", flip=True)):
        assert plateau.decide(hidden, 1, action) == plateau.decide(other, 1, action)
