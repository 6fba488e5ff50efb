"""The picture and the text of a view: the stacks as they lie, and what stands beside the board."""

from xml.etree import ElementTree

import pytest

from domain.pictures.shown import Shown
from domain.plateau import RULESET as plateau
from domain.plateau.agreements import agree, lost_on_time, resigned
from tests.domain.plateau import builders
from tests.support.random_games import played

SVG = "{http://www.w3.org/2000/svg}"
BOARD = "a1 Bxr Brb, d4 Wxo Bbb Wrr"


def drawn(view):
    return ElementTree.fromstring(plateau.presentation.svg(view))


def description(view):
    return drawn(view).find(f"{SVG}desc").text


def classes(element):
    """List the classes of all parts of a drawing, in the order in which they are drawn."""
    return [name for each in element.iter() for name in each.get("class", "").split()]


def piles(root):
    """Return what is drawn on each square, by its colours and letters, from the bottom: rims, strips, upper face."""
    tiles = [each for each in root.iter(f"{SVG}g") if {"light-tile", "dark-tile"} & {c.get("class") for c in each}]
    found = {}
    for index, tile in enumerate(tiles):
        parts = [part for name in classes(tile) if (part := OF_A_DISC.get(name))]
        letters = [each.text for each in tile.iter(f"{SVG}text")]
        found["abcd"[index % 4] + "4321"[index // 4]] = (" ".join(parts), " ".join(letters))
    return {square: pile for square, pile in found.items() if pile[0]}


LEGEND = [
    "Faces, the upper one first: r red, b blue, o orange,",
    "x blank, ? hidden",
    "Pieces: A Ace, TW Twister, RM Red Mask, BM Blue Mask, R Red,",
    "B Blue, M Mute",
]

OF_A_DISC = {"black": "B", "white": "W", "face-none": "?"} | {f"face-{face}": face for face in "rbox"}


@pytest.mark.rule("plateau", "1", "files `a`–`d`, ranks `1`–`4`")
def test_a_text_shows_the_stacks_from_the_top_down_and_hides_what_the_view_hides():
    text = plateau.presentation.text(plateau.project(builders.state(BOARD), 0))
    ranks = [line.replace("|", " ").split() for line in text.splitlines() if "|" in line]
    assert ranks == [["[r?]"], ["(bb)"], ["4", "[??]"], ["3"], ["2"], ["(rb)"], ["1", "(xr)"]]
    assert max(map(len, text.splitlines())) < 80
    assert text.splitlines()[6] == "4 |          |          |          |   [??]   |"


def test_a_picture_draws_stacks_with_rims_of_owners_and_the_faces_known():
    view = plateau.project(builders.state(BOARD, public="d4 W?o B?? Wr?"), 0)
    assert piles(drawn(view)) == {"a1": ("B x r B r b r", "xr rb r"), "d4": ("W o B b b W r r", "?o bb r? r")}


@pytest.mark.parametrize("seed", [3, 4])
def test_a_picture_shows_of_every_piece_what_the_view_shows_and_no_more(seed):
    for step in played("plateau", 2, seed)[4::5]:
        for viewer in (0, 1, None):
            view = plateau.project(step.game.state, viewer)
            shown = {}
            for square, stack in view.board.items():
                discs = "".join(f"{'BW'[p.owner]}{p.top or ''}{p.bottom or ''}" for p in stack)
                letters = [f"{p.top or '?'}{p.bottom or '?'}" for p in stack]
                shown[square] = (" ".join((*discs, stack[-1].top)), " ".join((*letters, stack[-1].top)))
            assert piles(drawn(view)) == shown


def test_owners_differ_by_the_marks_on_their_rims_too():
    one, other = (drawn(plateau.project(builders.state(f"a1 {owner}rr"), None)) for owner in "BW")
    marks = [len(list(root.iter(f"{SVG}circle"))) for root in (one, other)]
    assert marks[0] == marks[1] + 1
    assert classes(other).count("hollow") == classes(one).count("hollow") + 1


def test_a_tall_stack_stays_on_its_square():
    tall = builders.state("a1" + " Wxx Bxx Wrr Brr" * 2 + " Wbb, a2 Bxx")
    root = drawn(plateau.project(tall, None))
    heights = [float(each.get("height")) for each in root.iter(f"{SVG}rect") if "tile" in each.get("class", "")]
    assert heights[:12] == [heights[0]] * 12
    assert heights[12:] == [heights[12]] * 4
    assert heights[12] > 9 * 20 > heights[0]


def test_what_lies_beside_the_board_is_drawn_as_far_as_it_is_known():
    view = plateau.project(builders.state("a1 Bxr, d4 Wrr", prisoners={"W": ["A", "M"]}), 1)
    root = drawn(view)
    letters = [each.text for each in root.iter(f"{SVG}text")]
    beside = letters[letters.index("Black") : -len(LEGEND)]
    assert [line.replace("\N{NO-BREAK SPACE}", " ") for line in letters[-len(LEGEND) :]] == LEGEND
    assert beside == [
        *("Black", "Reserve: 9", *"?" * 9, "Prisoners: 0 of 6"),
        *("White", "Reserve: 11", *builders.SET[:4], *builders.SET[5:], "Prisoners: 2 of 6", "A", "M"),
    ]
    assert classes(root).count("turn") == 1
    assert classes(root).count("black") == classes(root).count("white") == 12 + 1  # all pieces, and the name


def test_the_squares_of_the_last_action_are_marked():
    state = builders.acts(builders.state("a1 Wxx Wrr, d4 Bbb"), builders.move("a1", "c1", "b1:1", lift=2))
    assert classes(drawn(plateau.project(state, None))).count("touched") == 3
    assert "touched" not in classes(drawn(plateau.project(builders.state(BOARD), None)))


def test_the_text_names_who_is_to_move_the_tender_and_what_lies_aside():
    state = builders.state(BOARD, prisoners={"W": ["M"], "B": ["R"]})
    view = plateau.project(builders.acts(state, builders.tender("M")), 1)
    text = plateau.presentation.text(view)
    assert "Last: W: $ M" in text
    assert "White tenders M, worth 1" in text
    assert "Black answers" in text
    assert "> (1) Black, reserve 8\n      prisoners 1 of 6: R\n" in text
    assert "  [2] White, reserve 9: A RM BM B B M M M M\n      prisoners 1 of 6: M\n" in text
    assert classes(drawn(view)).count("turn") == 2
    assert (
        "On d4, from the bottom: White blank above orange, Black hidden above hidden and White red above red"
        in description(view)
    )
    assert "White tenders Mute, worth 1" in description(view)
    assert "White, 9 in reserve: Ace, Red Mask, Blue Mask, Blue, Blue, " in description(view)
    assert "Black, 8 in reserve: 8 hidden pieces. Black has captured 1 of 6: Red." in description(view)


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (lambda state: resigned(state, 0), "White wins: the opponent resigned"),
        (lambda state: lost_on_time(state, 0), "White wins: time ran out"),
        (lambda state: agree(state, "draw"), "A draw by agreement"),
    ],
)
def test_the_end_is_shown_with_its_reason(end, words):
    over = builders.played(builders.state(BOARD), *end(builders.state(BOARD)))
    for viewer in (0, 1, None):
        assert words in plateau.presentation.text(plateau.project(over, viewer))
        assert words in description(plateau.project(over, viewer))


def test_players_are_named_and_ones_own_plate_is_marked():
    svg = plateau.presentation.svg(plateau.project(builders.state(BOARD), 1), Shown({0: "Ada", 1: "Bob"}, 1))
    for words in ("Black, \u2068Ada\u2069<", "White, \u2068Bob\u2069 (you)<", "\u2068Bob\u2069 (you): White, to play."):
        assert words in svg
