"""The table from above: where seats sit and cards lie; and on a phone, room for every word of six players."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from domain.cardplay.tricks import TrickCard
from domain.pictures.round_table import roles, round_table, trick_number
from domain.pictures.scene import SeatLine
from domain.pictures.shown import Shown
from domain.pictures.svg import page
from domain.registry import RULESETS
from tests.support.random_games import played

SVG = "{http://www.w3.org/2000/svg}"
NAMES = dict(
    enumerate(
        ("Ada Lovelace K", "Blaise Pascal…", "Du Chatelet E…", "Leonhard Euler", "Sofya Kovalev…", "Noether, Emmy…")
    )
)
SIZES = {"title": 17, "small": 11, "token": 15, "rank": 14}
PLAIN, BOLD = 0.52, 0.59
"""About how wide a letter of a wide font is, by its size: measured with DejaVu Sans."""


def line(seat, name="", *, is_viewer=False):
    return SeatLine(seat, None, "", None, 0, is_viewer, is_to_act=False, name=name)


def words_of(svg):
    """Yield every text of a picture with its box: left, top, right, bottom."""

    def walk(element, x, y, scale):
        moved = re.fullmatch(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", element.get("transform", ""))
        if moved:
            x, y = x + scale * float(moved[1]), y + scale * float(moved[2])
            scale *= float(moved[3] or 1)
        if element.tag == f"{SVG}text" and element.text:
            size = next((SIZES[name] for name in element.get("class").split() if name in SIZES), 13) * scale
            width = (
                (BOLD if "strong" in element.get("class") or "title" in element.get("class") else PLAIN)
                * size
                * len(re.sub("[\u2066-\u2069\ufe0e]", "", element.text))
            )
            left = (
                x
                + scale * float(element.get("x"))
                - {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor")]
            )
            bottom = y + scale * float(element.get("y"))
            yield element.text, size, (left, bottom - 0.7 * size, left + width, bottom)
        for child in element:
            yield from walk(child, x, y, scale)

    return walk(ElementTree.fromstring(svg), 0, 0, 1)


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def check_room(svg):
    """Check that on a screen of 390 pixels every word is on the page, high enough to read, and beside the others."""
    found = [*words_of(svg)]
    assert len(found) > 2
    for text, size, (left, _, right, _) in found:
        assert size * 390 / 360 >= 11, text
        assert left >= 0, text
        assert right <= 360, text
    for (text, _, one), (other_text, _, other) in combinations(found, 2):
        assert not overlap(one, other), (text, other_text)


@pytest.mark.parametrize("seats", range(2, 7))
def test_names_and_roles_have_room_around_the_table(seats):
    for winner in range(seats):
        for viewer in (None, *range(seats)):
            lines = [line(seat, NAMES[seat], is_viewer=seat == viewer) for seat in range(seats)]
            check_room(page("T", "D", [round_table(lines, (), {winner: "dealer"}, [trick_number(14)])]))


@pytest.mark.parametrize(("ruleset_id", "seats"), [("plute", 6), ("french-tarot", 5)])
def test_a_full_table_is_readable_on_a_phone(ruleset_id, seats):
    ruleset = RULESETS[ruleset_id]
    for step in played(ruleset_id, seats, 1)[seats + 1 :: 31]:
        for viewer in (0, 4, None):
            shown = Shown({seat: NAMES[seat] for seat in range(seats)}, viewer)
            for names in (shown, Shown(viewer=viewer)):
                check_room(ruleset.presentation.svg(ruleset.project(step.game.state, viewer), names))


def places(block):
    return {text: (x + right) / 2 for text, _, (x, _, right, _) in words_of(page("T", "D", [block]))}


def test_the_next_seat_sits_to_the_right_or_clockwise_to_the_left():
    lines = [line(seat, is_viewer=seat == 2) for seat in range(4)]
    for is_clockwise in (False, True):
        at = places(round_table(lines, (), {}, (), is_clockwise=is_clockwise))
        assert at["You (3)"] == at["Player 1"] == 180
        assert (at["Player 4"] > 180 > at["Player 2"]) == (not is_clockwise)
        assert (at["Player 4"] < 180 < at["Player 2"]) == is_clockwise


def test_each_card_lies_on_the_side_of_its_seat_and_the_one_that_won_is_framed():
    trick = [TrickCard(1, "RH"), TrickCard(3, "2S")]
    lines = [line(seat) for seat in range(4)]
    assert (roles((), None), roles(trick, None), roles(trick, 3)) == ({}, {1: "led"}, {3: "won"})
    block = round_table(lines, trick, roles(trick, 3), [])
    at = places(block)
    assert at["R"] > 180 > at["2"]
    assert at["won"] < 180
    assert len([each for each in block.content.iter() if each.get("class") == "path on-path"]) == 1
    assert not [
        each for each in round_table(lines, trick, {}, []).content.iter() if each.get("class") == "path on-path"
    ]
