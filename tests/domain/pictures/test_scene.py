"""What stands around a board: the heading, rows of cards, the line of each seat, drawn and written."""

from dataclasses import replace

import pytest

from domain.le_plateau.actions import Gift, Give, Play
from domain.pictures.blocks import card_rows, heading, seat_table
from domain.pictures.lines import described, written
from domain.pictures.scene import Row, Scene, SeatLine, Stage, card_thing, hand_row
from domain.pictures.shown import Shown
from domain.pictures.wording import DRAWN, PRINTED, signed, wording

PACKAGE = "domain.le_plateau"
WORDS, ALOUD = wording(PACKAGE), wording(PACKAGE, PRINTED)


def seat_line(seat=0, side=None, note="", cards=None, score=0, *, is_viewer=False, is_to_act=False):
    return SeatLine(seat, side, note, cards, score, is_viewer, is_to_act)


def texts(drawn):
    return [each.text for each in drawn.iter("text")]


def classes(drawn):
    return [each.get("class") for each in drawn.iter() if each.get("class")]


def row(name, count, note=""):
    return Row("a", name, tuple(card_thing(WORDS, "RH", note) for _ in range(count)))


def offsets(block):
    """Return where each row of cards begins."""
    moved = [each.get("transform", "translate(0 0)") for each in block.content]
    return [tuple(float(part) for part in each[len("translate(") : -1].split()) for each in moved]


def test_a_long_line_of_a_heading_is_broken_and_the_block_grows():
    short, long = (heading(Scene("T", (line,), (), ())) for line in ("ten words", "ten words " * 10))
    assert texts(short.content) == ["T", "ten words"]
    assert max(map(len, texts(long.content))) <= 52
    assert long.height > short.height


def test_a_score_has_its_sign_and_a_wide_minus_in_a_picture():
    assert [signed(score) for score in (3, 0, -12)] == ["+3", "0", "-12"]
    drawn = seat_table([seat_line(score=-12, note="declarer, -12")]).content
    assert texts(drawn)[-1] == "\N{MINUS SIGN}12"
    assert "declarer, \N{MINUS SIGN}12" in texts(drawn)


def test_only_the_seat_to_act_is_highlighted():
    lines = [seat_line(0), seat_line(1, is_to_act=True), seat_line(2)]
    drawn = seat_table(lines).content
    assert [("turn" in classes(each), texts(each)[0]) for each in drawn if each.tag == "g"] == [
        (False, "Player 1"), (True, "Player 2"), (False, "Player 3"),
    ]  # fmt: skip
    assert [line[0] for line in written(Scene("T", (), (), lines), WORDS).splitlines()[2:]] == [" ", ">", " "]


@pytest.mark.parametrize(
    ("side", "shape", "mark"), [("first", "circle", "( )"), ("second", "rect", "[ ]"), (None, None, "   ")]
)
def test_each_side_has_a_mark_of_its_own_shape(side, shape, mark):
    line = seat_line(side=side)
    drawn = [(each.tag, each.get("class")) for each in seat_table([line]).content.iter() if each.tag != "g"]
    marks = [tag for tag, style in drawn if style in ("first", "second")]
    assert marks == ([shape] if shape else [])
    assert written(Scene("T", (), (), [line]), WORDS).splitlines()[2].startswith(f"  {mark} Player 1")


def test_the_viewers_own_seat_is_marked():
    lines = [seat_line(0), seat_line(1, is_viewer=True)]
    assert [text for text in texts(seat_table(lines).content) if "(" in text] == ["You (2)"]
    assert "Player 2 (you)" in written(Scene("T", (), (), lines), WORDS)


def test_numbers_of_cards_have_a_column_only_if_they_are_known():
    assert texts(seat_table([seat_line(cards=1), seat_line(1, cards=13)]).content)[:2] == ["score", "cards"]
    assert "cards" not in texts(seat_table([seat_line()]).content)
    text = written(Scene("T", (), (), [seat_line(cards=1), seat_line(1, cards=13)]), WORDS)
    assert " 1 card " in text
    assert "13 cards" in text


def test_rows_of_cards_stand_beside_each_other_where_there_is_room():
    block = card_rows([row("a", 4), row("b", 4), row("c", 12), row("d", 1)])
    (_, top_a), (right_b, top_b), (left_c, top_c), (_, top_d) = offsets(block)
    assert top_a == top_b == 0
    assert right_b > 4 * 24
    assert left_c == 8
    assert top_c > 36
    assert top_d == block.height - (top_c - top_a) > top_c


def test_a_row_too_long_for_the_page_continues_below():
    one, two = (card_rows([row("a", count)]) for count in (13, 14))
    assert two.height > one.height + 36
    assert card_rows([row("a", 7, "seat 1")]).height < card_rows([row("a", 8, "player 1")]).height


def test_a_card_that_covers_another_lies_on_its_back():
    (alone,), (covering,) = ((card_thing(WORDS, "RH", covers=covers),) for covers in (False, True))
    assert classes(card_rows([Row("a", "a", [alone])]).content).count("rule back") == 0
    assert classes(card_rows([Row("a", "a", [covering])]).content).count("rule back") == 1


def test_everything_is_written_and_described_once():
    scene = Scene(
        "T", ("L",), (Row("r", "R", (card_thing(WORDS, "RH", "player 1"), card_thing(WORDS, None),
                                    card_thing(WORDS, "T1", covers=True))),),
        (seat_line(note="N", score=3),),
    )  # fmt: skip
    assert written(scene, WORDS, ["B1", "B2"]) == (
        "T\nL\n\nB1\nB2\n\nR: RH (player 1) ?? T1/??\n\n" + " " * 6 + "Player 1      N" + " " * 44 + "+3\n"
    )
    assert described(replace(scene, stage=Stage("", ["B"])), ALOUD) == (
        "L. B. R: king of hearts, player 1; a card face down; trump 1 on a card face down. Player 1: N, score +3."
    )
    assert written(Scene("T", (), (), ()), WORDS) == "T\n"


# -- what is shown beside the view --------------------------------------------------------------------------------


def test_every_text_of_a_legal_action_is_playable():
    shown = Shown(legal=[Give((Gift(1, "RS"), Gift(2, "T1"))), Play("RH")])
    assert shown.playable == {"RS", "T1", "RH"}


def test_legal_cards_are_framed_and_read_out():
    row = hand_row(wording(PACKAGE, DRAWN, Shown(legal=[Play("T3")])), 0, ["RS", "T3"])
    assert [shown.is_legal for shown in row.things] == [False, True]
    assert classes(card_rows([row]).content).count("legal") == 1
    assert classes(card_rows([hand_row(WORDS, 0, ["RS", "T3"])]).content).count("legal") == 0
    assert described(Scene("T", (), (row,), ()), ALOUD) == (
        "Hand of player 1: king of spades, trump 3. Of these you can choose trump 3."
    )


@pytest.mark.parametrize(("viewers", "marked"), [("first", 2), ("second", 1), (None, 0)])
def test_every_line_of_the_viewers_own_side_is_marked(viewers, marked):
    lines = [seat_line(seat, side, is_viewer=seat == 0) for seat, side in enumerate([viewers, "first", "second"])]
    bars = [each for each in seat_table(lines).content.iter("rect") if each.get("class") == "ink"]
    assert len(bars) == (marked and 1 + 1 + 1)
    assert ("your side" in texts(seat_table(lines).content)) == bool(marked)


def test_with_names_each_line_is_higher_and_the_note_stands_below():
    plain, named = (seat_table([replace(seat_line(note="declarer"), name=name)]) for name in ("", "Ada"))
    assert named.height > plain.height
    assert "Ada" in texts(named.content)
    assert "Player 1" not in texts(named.content)
    (note,) = (each for each in named.content.iter("text") if each.text == "declarer")
    (name,) = (each for each in named.content.iter("text") if each.text == "Ada")
    assert float(note.get("y")) > float(name.get("y")) + 10


def test_long_notes_do_not_overlap():
    short, long = (card_rows([row("a", 4, note)]) for note in ("seat 1", "Wilhelmina the"))
    starts = [
        [float(each.get("transform").split("(")[1].split()[0]) for each in block.content[0] if each.tag == "g"]
        for block in (short, long)
    ]
    assert starts[0][1] - starts[0][0] == 46
    assert starts[1][1] - starts[1][0] > 80


def test_cards_that_all_lie_face_down_are_counted():
    rows = [Row("chien", "Chien", (card_thing(WORDS, None),) * count) for count in (1, 3)]
    assert described(Scene("T", (), rows, ()), ALOUD) == "Chien: 1 card face down. Chien: 3 cards face down."
