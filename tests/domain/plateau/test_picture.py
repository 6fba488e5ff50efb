"""The picture and the text of a view: the stacks as they lie, and what stands beside the board."""

from xml.etree import ElementTree

import pytest

from domain import plateau
from domain.plateau.agreements import agree, resign
from tests.domain.plateau import given
from tests.domain.play import played

SVG = "{http://www.w3.org/2000/svg}"
BOARD = "a1 Bxr Brb, d4 Wxo Bbb Wrr"


def said(view):
    return ElementTree.fromstring(plateau.svg(view)).find(f"{SVG}desc").text


def test_a_text_shows_the_stacks_from_the_top_down_and_hides_what_the_view_hides():
    text = plateau.text(plateau.project(given.state(BOARD), 0))
    ranks = [line.split() for line in text.splitlines()[1:] if line]
    assert ranks[1:4] == [["[r?]"], ["(bb)"], ["4", ".", ".", ".", "[??]"]]
    assert ranks[4:6] == [["3", ".", ".", ".", "."], ["2", ".", ".", ".", "."]]
    assert ranks[6:9] == [["(rb)"], ["1", "(xr)", ".", ".", "."], ["a", "b", "c", "d"]]


def test_a_picture_draws_every_piece_with_the_mark_of_its_owner():
    for step in played("plateau", 2, 3)[4::7]:
        state = step.game.state
        root = ElementTree.fromstring(plateau.svg(plateau.project(state, None)))
        classes = [each.get("class") for each in root.iter()]
        pieces = [piece for stack in state.board for piece in stack]
        assert classes.count("first") == sum(piece.owner == 0 for piece in pieces)
        assert classes.count("second") == sum(piece.owner == 1 for piece in pieces)


def test_a_tall_stack_stays_on_its_square():
    tall = given.state("a1" + " Wxx Bxx Wrr Brr" * 2 + " Wbb")
    root = ElementTree.fromstring(plateau.svg(plateau.project(tall, None)))
    scales = [each.get("transform") for each in root.iter(f"{SVG}g") if "scale(" in each.get("transform", "")]
    assert len(scales) == 1
    assert 9 * 13 * float(scales[0].split("scale(")[1].rstrip(")")) <= 76.1


def test_what_is_said_names_the_player_to_move_the_tender_and_what_lies_beside_the_board():
    state = given.state(BOARD, prisoners={"W": ["M"], "B": ["R"]})
    view = plateau.project(given.acts(state, given.tender("M")), 1)
    text = plateau.text(view)
    assert "Last: W: $ M" in text
    assert "White tenders M" in text
    assert "Black is to answer" in text
    assert "(0) Black, reserve 8\n" in text
    assert "[1] White, reserve 9: A RM BM B B M M M M" in text
    assert "d4, from the bottom: White xo, Black ??, White rr" in said(view)


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (lambda state: resign(state, 0), "White wins by resignation"),
        (lambda state: agree(state, "draw"), "A draw by agreement"),
    ],
)
def test_the_end_is_told_with_its_reason(end, words):
    over = given.played(given.state(BOARD), *end(given.state(BOARD)))
    for viewer in (0, 1, None):
        assert words in plateau.text(plateau.project(over, viewer))
        assert words in said(plateau.project(over, viewer))
