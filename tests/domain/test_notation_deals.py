"""What texts of games that go deal by deal share: numbers, cards, consequences."""

import pytest

from domain.notation.deals import (
    Consequences,
    card_of,
    check_numbers,
    check_trick_number,
    read_cards,
    read_dealer,
    seat_of,
)
from domain.notation.lexer import NotationError, Words

PACK = ("1S", "2S", "3S", "4S", "5S")


def fault(call, *args, **kwargs):
    with pytest.raises(NotationError) as error:
        call(*args, **kwargs)
    return error.value.line, error.value.column, error.value.message


def word(text):
    return Words(text).take()


def test_a_label_is_a_seat_of_the_table():
    assert seat_of(word("2:"), 3) == 2
    for label in ("3:", "02:", "chien:"):
        assert fault(seat_of, word(label), 3) == (1, 1, f"{label} is no seat: they are 0: to 2:")


def test_a_card_is_one_of_the_pack_in_capital_or_small_letters():
    assert card_of(word("2s"), PACK, "1") == "2S"
    assert fault(card_of, word("6S"), PACK, "1")[2] == "6S is no card"


def test_the_dealer_stands_after_the_number():
    assert read_dealer(Words("D3"), "1")[1] == 3
    assert fault(read_dealer, Words("3"), "1")[2] == "the dealer is missing, such as d0; here stands 3"


@pytest.mark.parametrize(
    ("number", "dealer", "dealers", "message"),
    [
        ("2.", "d1", (1, 1), "deal 1 is next, not 2."),
        ("1.", "d4", (1, 1), "there is no seat 4 with 4 players"),
        ("1.", "d0", (1, 1), "seat 1 deals, not seat 0"),
        ("1.", "d0", (0, 2), "by the seeds seat 2 deals, not seat 0"),
    ],
)
def test_a_deal_has_the_next_number_and_the_dealer_whose_turn_it_is(number, dealer, dealers, message):
    assert fault(check_numbers, word(number), 1, word(dealer), dealers, 4, "1")[2] == message


def test_a_deal_has_the_number_and_the_dealer_that_it_should():
    check_numbers(word("1."), 1, word("d2"), (2,), 4, "1")
    check_numbers(word("1."), 1, word("d2"), (2, 2), 4, "1")


def test_cards_go_to_seats_and_to_places_with_names_in_any_order_of_these():
    sizes = {"0": 2, "1": 0, "chien": 1}
    assert read_cards(Words("chien: 3S 0: 2S 1S rest"), sizes, {}, PACK, "1") == {"3S": "chien", "2S": "0", "1S": "0"}


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("0: 1S chien: 3S", 7, "card 2 of 2 of seat 0 is missing: here stands chien:"),
        ("0: 1S 1S chien: 3S", 7, "1S is dealt twice: seat 0 has it"),
        ("0: 1S 2S chien: 2S", 17, "2S is dealt twice: seat 0 has it"),
        ("0: 1S 2S talon: 3S", 10, "the deal goes on with chien: and cards, not with talon:"),
        ("0: 1S 3S", 7, "by the seeds 3S goes to the chien, not to seat 0"),
        ("0: 1S 2S chien:", 16, "card 1 of 1 of the chien is missing: here stands the end of the text"),
    ],
)
def test_the_first_card_that_is_wrong_is_named(text, place, message):
    sizes, true = {"0": 2, "chien": 1}, {"1S": "0", "2S": "0", "3S": "chien"}
    assert fault(read_cards, Words(text), sizes, true, PACK, "1") == (1, place, message)


def test_what_has_happened_is_picked_once_for_each_time():
    since = Consequences(Words(""))
    since.happened([1, "a", 2])
    assert [since.pick(word("n"), int, "1"), since.pick(word("n"), int, "1"), since.pick(word("a"), str, "1")] == [
        1,
        2,
        "a",
    ]
    assert fault(since.pick, word("n"), int, "1")[2] == "n does not fit: nothing of that kind has just happened"


def test_what_is_said_is_compared_in_order_or_in_any():
    Consequences(Words("2s 1S")).compare(["1S", "2S"], "1")
    Consequences(Words("+3 -3 0")).compare_in_order([3, -3, 0], "1")
    assert fault(Consequences(Words("1S 1S")).compare, ["1S", "2S"], "1") == (
        1, 4, "1S does not belong here; by the rules: 2S",
    )  # fmt: skip
    assert fault(Consequences(Words("3 2")).compare_in_order, [3, -3], "1") == (1, 3, "by the rules it is -3, not 2")


def test_a_trick_begins_with_its_number():
    check_trick_number(word("#3"), 3, begins=True, rule="1")
    assert fault(check_trick_number, word("#2"), 3, begins=True, rule="1")[2] == "trick #3 begins here, not #2"
    assert (
        fault(check_trick_number, word("#3"), 3, begins=False, rule="1")[2] == "no trick begins here: #3 does not fit"
    )
