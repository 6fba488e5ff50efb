import json
import re
from dataclasses import replace

import pytest

from domain.laws.play import Table
from domain.laws.sentences import a_language_of_the_ruleset_has_all_its_words
from domain.registry import RULESETS
from domain.sentences import pattern
from domain.sentences.catalogue import PLURALS, Catalogue, catalogue, lacking, languages
from domain.sentences.message import AtSeat, Card, Decimal, Items, Message, Number, Player, Score, Text, plain
from domain.sentences.pattern import parsed
from tests.domain.laws.facts import facts_of

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
    assert [_worded(AtSeat(2)), _worded(Player("pl_1"))] == ["Player 3", "A player"]


def test_a_name_keeps_its_first_letter_and_other_words_get_a_capital():
    message = Message("trick_won", {"number": Number(3), "winner": AtSeat(2)})
    passed = Message("passed", {"player": AtSeat(2)})
    assert ENGLISH.sentence(message) == "Trick 3 goes to player 3."
    assert ENGLISH.sentence(passed) == "Player 3 passes."
    assert ENGLISH.sentence(passed, lambda _: "ada") == "ada passes."


def test_a_name_that_looks_like_a_pattern_is_only_a_name():
    assert ENGLISH.sentence(Message("passed", {"player": AtSeat(2)}), lambda _: "{seat} #") == "{seat} # passes."


@pytest.fixture
def package(tmp_path, monkeypatch, request):
    """Make a package with words, which other tests do not see."""
    name = f"words_of_{re.sub('[^a-z]', '_', request.node.name)}"

    def make(**texts):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
        for language, words in texts.items():
            (tmp_path / name / f"sentences.{language}.json").write_text(json.dumps(words))
        monkeypatch.syspath_prepend(tmp_path)
        return name

    return make


COUNTED = "{count, plural, one {one die} other {# dice}}"


def test_in_a_language_that_a_package_lacks_only_its_own_words_are_original(package):
    made = package(en={"thrown": f"{{player}} throws {COUNTED}."})
    thrown = Message("thrown", {"player": AtSeat(0), "count": Number(2)})
    said = [catalogue(made, language).sentence(thrown) for language in ("en", "fr", "ja")]
    assert said == ["Player 1 throws 2 dice."] * 3
    assert catalogue(made, "fr").sentence(Message("game_started")) == "La partie commence."
    assert [lacking(made, language) for language in ("en", "fr")] == [(), ("thrown",)]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_message_that_a_language_lacks_is_said_in_the_original(package, count):
    """No other language has one die for none, as French does, nor an article in front of a card."""
    made = package(en={"left": f"{COUNTED} left: {{cards}}", "over": "Over."}, fr={"over": "Fini."})
    left = Message("left", {"count": Number(count), "cards": Items((Card("RH"), Card("EX")))})
    english = catalogue(made).sentence(left)
    assert english == ["0 dice", "One die", "2 dice"][count] + " left: the king of hearts and the Excuse"
    assert [catalogue(made, language).sentence(left) for language in ("fr", "ja")] == [english, english]
    assert catalogue(made, "fr").sentence(Message("over")) == "Fini."


def test_a_message_within_another_is_said_in_its_own_language(package):
    made = package(en={"who": "the winner"})
    one = Message("list.two", {"first": Message("who"), "last": AtSeat(0)})
    assert catalogue(made, "fr").sentence(one) == "The winner et Joueur 1"


def test_what_a_package_rewords_is_not_said_in_the_words_of_all_games(package):
    made = package(en={"game_started": "The dice roll.", "list.two": "{first} plus {last}"}, fr={"list.two": "{last}"})
    assert catalogue(made, "fr").sentence(Message("game_started")) == "The dice roll."
    assert lacking(made, "fr") == ("game_started",)


def test_a_translation_with_a_parameter_that_the_original_lacks_is_not_used(package):
    made = package(en={"over": "{winner} wins."}, fr={"over": "{winner} gagne {points} points."})
    assert catalogue(made, "fr").sentence(Message("over", {"winner": AtSeat(0)})) == "Player 1 wins."
    assert lacking(made, "fr") == ("over",)


def test_what_only_another_language_has_is_lacking_in_the_original(package):
    made = package(en={"over": "Over."}, fr={"over": "Fini.", "more": "Encore."})
    assert [lacking(made, language) for language in languages()] == [("more",), (), ("over", "more")]


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({}, "there are no words for it"),
        ({"thrown": "{player} throws {dice}."}, "it has no parameter dice"),
        ({"thrown": "{dice, plural, other {#}}"}, "it has no parameter dice"),
        ({"thrown": "{player, plural, other {#}}"}, "a plural counts a number, not a AtSeat"),
    ],
)
def test_a_message_that_cannot_be_said_in_any_language_is_spelled_and_warned_of(package, words, why, language):
    made = package(en=words)
    thrown = Message("thrown", {"player": AtSeat(0), "cards": Items((Number(2), Message("lost")))})
    with pytest.warns(UserWarning, match="cannot say") as warned:
        assert catalogue(made, language).sentence(thrown, lambda _: "Ada") == "thrown (player: Ada, cards: 2 and lost)"
    assert [str(each.message) for each in warned] == [
        f"{made} cannot say thrown, so readers get this id: {why}",
        f"{made} cannot say lost, so readers get this id: there are no words for it",
    ]


def test_an_empty_text_is_said_as_nothing(package):
    assert catalogue(package(en={"thrown": ""})).sentence(Message("thrown")) == ""


def test_a_law_names_what_a_language_of_a_ruleset_lacks(package):
    made = package(en={"over": "Over.", "left": "{count} left."}, fr={"over": "Fini.", "left": "{number}"})
    table = Table(replace(RULESETS["plute"], package=made), facts_of("plute"), 6)
    with pytest.raises(AssertionError, match=r"fr lacks words, or has them with other parameters: left"):
        a_language_of_the_ruleset_has_all_its_words.check(table)


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


def _read(language, text, **given):
    return Catalogue(language, {"said": pattern.parsed(text)}).sentence(Message("said", given))


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "No card."), (1, "1 card of Ada's."), (2, "2 cards of Ada's."), (21, "21 cards of Ada's.")],
)
def test_a_plural_chooses_by_the_exact_number_and_then_by_its_category(number, words):
    text = "{n, plural, =0 {no card} one {# card of {who}'s} other {# cards of {who}'s}}."
    assert _read("en", text, n=Number(number), who=Text("Ada")) == words


def test_french_counts_nought_as_one_and_japanese_knows_no_singular():
    assert [_read("fr", "{n} {n, plural, one {carte} other {cartes}}", n=Number(n)) for n in (0, 1, 2)] == [
        "0 carte",
        "1 carte",
        "2 cartes",
    ]
    assert _read("ja", "カード{n, plural, other {#枚}}。", n=Number(1)) == "カード1枚。"


def test_a_hash_outside_a_plural_is_itself():
    assert _read("en", "Space #{n}.", n=Number(3)) == "Space #3."


def test_an_empty_case_says_nothing():
    assert _read("en", "On a1{n, plural, =0 {} other {, above #}}.", n=Number(0)) == "On a1."


def test_the_parameters_of_a_pattern_include_those_in_every_case():
    parsed = pattern.parsed("{a} {n, plural, one {{b}} other {{c} {m, plural, other {#}}}}")
    assert pattern.parameters(parsed) == {"a", "b", "c", "m", "n"}


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "}",
        "{a",
        "{a}}",
        "{a b}",
        "{}",
        "{n, plural}",
        "{n, plural, }",
        "{n, plural, one {card}}",
        "{n, plural, other {cards}",
        "{n, plural, other cards}",
        "{n, plural, other {cards} one}",
        "{n, select, other {cards}}",
    ],
)
def test_what_is_no_pattern_is_rejected(text):
    with pytest.raises(ValueError, match="'"):
        pattern.parsed(text)


def test_only_a_number_is_counted():
    with pytest.warns(UserWarning, match="a plural counts a number, not a Text"):
        assert _read("en", "{n, plural, other {#}}", n=Text("1")) == "said (n: 1)"
