"""What texts of games that go deal by deal share: numbers, cards, facts, lines."""

from types import SimpleNamespace

import pytest

from domain.notation.deal_reader import seat_of
from domain.notation.deal_writer import Line, write_deals
from domain.notation.deals import CardCodes, Place, by_place, check_numbers, hand_of, read_cards, read_dealer
from domain.notation.facts import Consequences, happened, trick_number
from domain.notation.lexer import Lexer, NotationError

PACK = CardCodes(("1S", "2S", "3S", "4S", "5S"), "1S … 5S", "2. Cards")
CHIEN = Place("chien", "the chien")
TOP, BOTTOM = Place("1", "the top of the pile"), Place("1", "the bottom of the pile", joined=True)


def fault(call, *args, **kwargs):
    with pytest.raises(NotationError) as error:
        call(*args, **kwargs)
    return error.value.line, error.value.column, error.value.message


def word(text):
    return Lexer(text).take()


def test_a_label_is_a_seat_of_the_table():
    assert seat_of(word("2:"), 3) == 2
    for label in ("3:", "02:", "chien:"):
        assert fault(seat_of, word(label), 3) == (1, 1, f"{label} is not a seat: seats are 0: to 2:")


def test_a_card_is_one_of_the_pack_in_upper_or_lower_case():
    assert PACK.read(word("2s")) == "2S"
    with pytest.raises(NotationError) as error:
        PACK.read(word("6S"))
    assert str(error.value) == "1:1: 6S is not a card; the cards are 1S … 5S (rule 2. Cards)"


def test_the_dealer_follows_the_number():
    assert read_dealer(Lexer("D3"), "1")[1] == 3
    assert fault(read_dealer, Lexer("3"), "1")[2] == "the dealer is missing, such as d0: found 3"


@pytest.mark.parametrize(
    ("number", "dealer", "dealers", "message"),
    [
        ("2.", "d1", (1, 1), "deal 1 is next, not 2."),
        ("1.", "d4", (1, 1), "there is no seat 4 with 4 players"),
        ("1.", "d0", (1, 1), "seat 1 deals, not seat 0"),
        ("1.", "d0", (0, 2), "by the seeds seat 2 deals, not seat 0"),
    ],
)
def test_a_deal_with_a_wrong_number_or_dealer_is_rejected(number, dealer, dealers, message):
    assert fault(check_numbers, word(number), 1, word(dealer), dealers, 4, "1")[2] == message


def test_a_deal_with_the_right_number_and_dealer_is_accepted():
    check_numbers(word("1."), 1, word("d2"), (2,), 4, "1")
    check_numbers(word("1."), 1, word("d2"), (2, 2), 4, "1")


FORM = {"1S": hand_of(0), "2S": hand_of(0), "3S": CHIEN}


def test_the_labels_of_a_deal_can_come_in_any_order():
    placed = read_cards(Lexer("chien: 3S 0: 2S 1S rest"), FORM, {}, PACK, "1")
    assert placed == {"3S": CHIEN, "2S": hand_of(0), "1S": hand_of(0)}
    assert by_place(placed) == {CHIEN: ["3S"], hand_of(0): ["2S", "1S"]}
    assert by_place(placed)[hand_of(1)] == []


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("0: 1S chien: 3S", 7, "card 2 of 2 of seat 0 is missing: found chien:"),
        ("0: 1S 1S chien: 3S", 7, "1S is dealt twice: it already goes to seat 0's hand"),
        ("0: 1S 2S chien: 2S", 17, "2S is dealt twice: it already goes to seat 0's hand"),
        ("0: 1S 2S talon: 3S", 10, "chien: and its cards must come next, not talon:"),
        ("0: 1S 3S", 7, "by the seeds 3S goes to the chien, not to seat 0's hand"),
        ("0: 1S 4S", 7, "4S is not in play in this game"),
        ("0: 1S 2S chien:", 16, "card 1 of 1 of the chien is missing: found the end of the text"),
    ],
)
def test_the_first_wrong_card_is_named(text, place, message):
    assert fault(read_cards, Lexer(text), FORM, FORM, PACK, "1") == (1, place, message)


PILES = {"1S": TOP, "2S": BOTTOM, "3S": hand_of(1)}


def test_joined_cards_are_written_in_one_word():
    assert read_cards(Lexer("1: 2S/3S 1S"), PILES, {}, PACK, "1") == {"2S": TOP, "3S": BOTTOM, "1S": hand_of(1)}


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1: 2S 3S", 4, "two cards must stand here, joined by a slash, such as RH/T3"),
        ("1: 2S/2S", 7, "2S is dealt twice: it already goes to the top of the pile"),
        ("1: 2S/3S 0:", 10, "card 3 of 3 of seat 1 is missing: found 0:"),
        ("1: 2S/3S 1S/4S", 10, "1S/4S is not a card; the cards are 1S … 5S"),
    ],
)
def test_the_first_wrong_word_of_joined_cards_is_named(text, place, message):
    assert fault(read_cards, Lexer(text), PILES, {}, PACK, "1") == (1, place, message)


def test_each_event_can_be_stated_once():
    since = Consequences(Lexer(""))
    since.happened([1, "a", 2])
    picked = [since.pick(word("n"), int, "1"), since.pick(word("n"), int, "1"), since.pick(word("a"), str, "1")]
    assert (picked, since.left, since.events) == ([1, 2, "a"], [], (1, "a", 2))
    assert fault(since.pick, word("n"), int, "1")[2] == "n does not fit: nothing of that kind has just happened"


def test_words_are_compared_in_order_or_in_any_order():
    Consequences(Lexer("2s 1S")).compare(["1S", "2S"], "1")
    Consequences(Lexer("+3 -3 0")).compare_in_order([3, -3, 0], "1")
    assert fault(Consequences(Lexer("1S 1S")).compare, ["1S", "2S"], "1") == (
        1, 4, "1S does not belong here; by the rules: 2S",
    )  # fmt: skip
    assert fault(Consequences(Lexer("3 2")).compare_in_order, [3, -3], "1") == (1, 3, "by the rules it is -3, not 2")


def test_a_result_is_compared_with_the_first_event_that_has_one():
    since = Consequences(Lexer(""))
    since.happened(["a", 2, 3])
    since.compare_result(word("2"), lambda event: event if isinstance(event, int) else None, "1")
    assert fault(since.compare_result, word("3"), lambda event: event, "1")[2] == "by the rules it is =a"
    assert fault(since.compare_result, word("3"), lambda _: None, "1")[2].startswith("nothing follows from this yet")


def test_a_fact_is_an_event_with_the_words_that_describe_it_and_its_seat():
    fact = happened(int, "1", in_order=lambda n: (n, -n), in_any_order=lambda n: ["A"] * n, of=lambda n: n)
    since = Consequences(Lexer("2 -2 a A rest"))
    since.happened(["x", 2])
    assert (fact(since, word("fact"), None), since.lexer.next.text) == (2, "rest")


def at(phase, *trick, tricks=2):
    return SimpleNamespace(phase=phase, table=SimpleNamespace(trick=trick, tricks=[None] * tricks))


def test_a_trick_begins_with_its_number():
    since, begins = Consequences(Lexer("")), trick_number("1")
    assert begins(since, word("#3"), at("play")) is None
    assert fault(begins, since, word("#2"), at("play"))[2] == "trick #3 begins here, not #2"
    for state in (at("bid"), at("play", "1S")):
        assert fault(begins, since, word("#3"), state)[2] == "no trick begins here: #3 does not fit"


def test_each_deal_is_a_line_without_a_bar_at_its_end():
    events = [{"type": name, "seat": 1, "data": name} for name in ("lost", "deal", "word", "word", "other", "deal")]
    writers = {
        "deal": lambda line, seat, _: line.say("deal", seat),
        "word": lambda line, _, data: line.part(data if not line.is_repeated else "again"),
        "other": lambda line, _, __: line.bar(),
    }
    assert list(write_deals(events, "deal", writers, lambda deal: deal)) == ["deal 1 | word | again", "deal 1"]


def test_a_line_counts_its_tricks_and_keeps_their_winners_with_the_last_card():
    line = Line()
    line.begin(2, 3)
    line.cards(0, {"cards": ["1S"]})
    line.cards("chien", {})
    for number in (1, 2):
        line.play(0, "1S")
        line.play(1, "2S")
        line.say("fact")
        line.end_trick({"winner": 1, "number": number})
    assert str(line) == "2. d3 0: 1S chien: ? #1 0:1S 2S=1 fact #2 0:1S 2S=1 fact"
