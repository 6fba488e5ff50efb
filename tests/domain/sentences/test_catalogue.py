import re

import pytest

from domain.sentences.catalogue import PLURALS, catalogue, languages
from domain.sentences.message import AtSeat, Card, Decimal, Items, Message, Number, Player, Score, Text, plain
from domain.sentences.pattern import parsed

ENGLISH = catalogue("domain.french_tarot")


def _worded(parameter):
    return ENGLISH.sentence(Message("list.one", {"item": parameter}))


def test_lists_are_joined_as_english_joins_them():
    assert [_worded(Items(tuple(map(Text, "abcd"[:length])))) for length in range(5)] == [
        "Nothing",
        "A",
        "A and b",
        "A, b and c",
        "A, b, c and d",
    ]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("RH", "The king of hearts"),
        ("CC", "The knight of clubs"),
        ("10S", "The 10 of spades"),
        ("AD", "The ace of diamonds"),
        ("T21", "Trump 21"),
        ("T1", "The petit"),
        ("EX", "The Excuse"),
        ("#3", "#3"),
    ],
)
def test_cards_are_named_in_the_words_of_the_game(code, words):
    assert _worded(Card(code)) == words


def test_another_game_calls_the_lowest_trump_by_its_number():
    assert catalogue("domain.le_plateau").sentence(Message("list.one", {"item": Card("T1")})) == "Trump 1"


def test_scores_have_their_sign():
    assert [_worded(Score(score)) for score in (3, 0, -3)] == ["+3", "0", "−3"]


def test_a_fraction_has_the_mark_of_each_language():
    message = Message("sheet.aside.ecart", {"points": Decimal("32.5")})
    said = [catalogue("domain.french_tarot", language).sentence(message) for language in languages()]
    assert [re.findall(r"32.5", each) for each in said] == [["32.5"], ["32,5"], ["32.5"]]
    assert plain(Decimal("32.5")) == {"kind": "text", "text": "32.5"}


def test_who_has_no_name_is_a_seat_or_a_player():
    assert [_worded(AtSeat(2)), _worded(Player("pl_1"))] == ["Seat 3", "A player"]


def test_a_name_keeps_its_first_letter_and_other_words_get_a_capital():
    message = Message("trick_won", {"number": Number(3), "winner": AtSeat(2)})
    passed = Message("passed", {"player": AtSeat(2)})
    assert ENGLISH.sentence(message) == "Trick 3 goes to seat 3."
    assert ENGLISH.sentence(passed) == "Seat 3 passes."
    assert ENGLISH.sentence(passed, lambda _: "ada") == "ada passes."


def test_a_name_that_looks_like_a_pattern_is_only_a_name():
    assert ENGLISH.sentence(Message("passed", {"player": AtSeat(2)}), lambda _: "{seat} #") == "{seat} # passes."


def test_a_language_that_a_package_lacks_falls_back_to_the_original_one():
    assert catalogue("domain.cardplay", "fr") is catalogue("domain.cardplay")


def test_every_language_that_can_be_requested_has_plurals():
    assert languages()[0] == "en"
    assert {*languages()} <= {*PLURALS}


def test_parameters_are_plain_data_with_their_kinds():
    who = Items((AtSeat(1), Player("pl_1")))
    message = Message("said", {"who": who, "what": Message("rank.R"), "card": Card("RH"), "score": Score(-3)})
    assert plain(message) == {
        "kind": "message",
        "message": {
            "id": "said",
            "params": {
                "who": {"kind": "list", "items": [{"kind": "seat", "seat": 1}, {"kind": "player", "player": "pl_1"}]},
                "what": {"kind": "message", "message": {"id": "rank.R", "params": {}}},
                "card": {"kind": "card", "card": "RH"},
                "score": {"kind": "score", "number": -3},
            },
        },
    }


def test_a_translation_rewords_and_reorders_without_code():
    known = type(ENGLISH)("ja", {**ENGLISH.patterns, "trick_won": parsed("{winner}が第{number}トリックを取った。")})
    message = Message("trick_won", {"number": Number(3), "winner": AtSeat(2)})
    assert known.sentence(message, lambda _: "Ada") == "Adaが第3トリックを取った。"
