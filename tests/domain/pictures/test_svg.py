"""Elements, pages and colours: well-formed whatever is in them, and legible by day and by night.

Wording: cards in codes, signs and words, seats by number or by name.
"""

from xml.etree import ElementTree

import pytest

from domain.pictures.cards import SYMBOLS, face, token
from domain.pictures.shown import Shown
from domain.pictures.svg import Block, element, group, number, page, words
from domain.pictures.wording import DRAWN, PRINTED, WRITTEN, with_sign, wording
from domain.sentences.message import AtSeat, Card, Items, Score, message

SVG = "{http://www.w3.org/2000/svg}"


def parsed(*blocks, title="A title", description="A description"):
    return ElementTree.fromstring(page(title, description, blocks, SYMBOLS))


def test_what_is_written_comes_out_as_it_went_in():
    nasty = """<script>alert("x & 'y'")</script> ]]> é ♥ \u2028"""
    root = parsed(Block(10, words(nasty, 0, 0, "ink")), title=nasty, description=nasty)
    assert [root.find(f"{SVG}{tag}").text for tag in ("title", "desc")] == [nasty, nasty]
    assert root.find(f".//{SVG}text").text == nasty
    assert not root.findall(f".//{SVG}script")


def test_attributes_are_escaped_and_named_as_in_svg():
    made = element("text", x=1.5, class_='a"<b', text_anchor="end", viewBox="0 0 1 1")
    assert ElementTree.fromstring(ElementTree.tostring(made)).attrib == {
        "x": "1.5", "class": 'a"<b', "text-anchor": "end", "viewBox": "0 0 1 1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-0.0, "0"), (-0.001, "0"), (0.006, "0.01"), (1 / 3, "0.33"), (-0.5, "-0.5"), (10, "10"),
     (1234.5, "1234.5"), (9999.99, "9999.99")],
)  # fmt: skip
def test_a_number_is_short(value, text):
    assert number(value) == text


def test_blocks_lie_below_each_other_and_the_page_holds_them():
    boxes = [Block(height, group(element("rect", height=height))) for height in (30, 12.5)]
    root = parsed(*boxes)
    assert root.attrib["viewBox"] == "0 0 360 58.5"
    assert [each.attrib["transform"] for each in root.findall(f"{SVG}g")] == ["translate(0 8)", "translate(0 38)"]


def test_a_page_has_no_size_of_its_own_and_is_named_for_screen_readers():
    root = parsed(title="T", description="D")
    assert not {"width", "height"} & {*root.keys()}
    assert root.attrib["role"] == "img"
    labels = {each.attrib["id"]: each.text for each in root if "id" in each.attrib}
    assert [labels[name] for name in root.attrib["aria-labelledby"].split()] == ["T", "D"]


@pytest.mark.parametrize("code", ["RH", "10S", "1D", "CC"])
def test_a_suit_card_is_its_rank_and_the_shape_of_its_suit(code):
    for drawn in (token(code), face(code)):
        assert [each.text for each in drawn.iter("text")] == [code[:-1]]
        assert [each.attrib["href"] for each in drawn.iter("use")] == [f"#card-{code[-1]}"]


def test_trumps_and_other_codes_are_letters_and_the_excuse_is_a_star():
    for code in ("T1", "T21", "#18", "??", "1T", "X", ""):
        assert "".join(each.text for each in token(code).iter("text")) == code
    for drawn in (token("EX"), face("EX")):
        assert [each.attrib["href"] for each in drawn.iter("use")] == ["#card-EX"]
        assert not list(drawn.iter("text"))


def test_a_card_face_down_shows_nothing_but_its_back():
    (edge,) = face(None)
    assert edge.attrib["class"] == "rule back"


def test_every_shape_that_a_card_uses_is_defined():
    assert {symbol.attrib["id"] for symbol in SYMBOLS} == {f"card-{name}" for name in ("S", "H", "D", "C", "EX")}


PACKAGE = "domain.french_tarot"


@pytest.mark.parametrize(
    ("code", "sign", "words"),
    [("RH", "R♥\ufe0e", "king of hearts"), ("10S", "10♠\ufe0e", "10 of spades"), ("CC", "C♣\ufe0e", "knight of clubs"),
     ("QD", "Q♦\ufe0e", "queen of diamonds"), ("T21", "T21", "trump 21"), ("EX", "EX", "the Excuse"),
     ("#4", "#4", "#4")],
)  # fmt: skip
def test_a_card_has_a_code_a_sign_and_words(code, sign, words):
    said = message("list.one", item=Card(code))
    assert [wording(PACKAGE, style).phrase(said) for style in (WRITTEN, DRAWN)] == [code, sign]
    assert (with_sign(code), wording(PACKAGE, PRINTED).card(code)) == (sign, words)


def test_a_thing_is_named_by_its_ruleset():
    assert wording("domain.plute").card("X1") == "first joker"
    assert [wording("domain.plateau").card(kind) for kind in ("A", "TW", "hidden")] == [
        "Ace",
        "Twister",
        "a hidden piece",
    ]


def test_scores_and_lists_are_worded_for_a_terminal_or_as_in_a_sentence():
    said = message("scene.scored", scores=Items((Score(3), Score(0), Score(-2))))
    assert wording(PACKAGE).sentence(said) == "Points: +3 0 -2"
    assert wording(PACKAGE, PRINTED).sentence(said) == "Points: +3, 0 and \N{MINUS SIGN}2"
    cards = message("list.one", item=Items((Card("RH"), Card("T2"))))
    assert wording(PACKAGE).phrase(cards) == "RH T2"
    assert wording(PACKAGE, PRINTED).phrase(cards) == "the king of hearts and trump 2"


def test_a_name_stands_for_its_seat_and_keeps_its_direction_and_its_first_letter():
    for style in (DRAWN, PRINTED):
        said = wording(PACKAGE, style, Shown({2: "ada"}))
        assert [said.seat(1), said.seat(2)] == ["player 2", "\u2068ada\u2069"]
        assert [said.name(1), said.name(2)] == ["", "\u2068ada\u2069"]
        assert said.sentence(message("scene.turn.play", seat=AtSeat(1))) == "Player 2 to play"
        assert said.sentence(message("scene.turn.play", seat=AtSeat(2))) == "\u2068ada\u2069 to play"
