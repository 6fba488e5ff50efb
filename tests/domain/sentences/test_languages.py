"""Every language says all that the original one says, with the same parameters, by the rules of its writing."""

import re

import pytest

from domain.registry import BUILT_IN
from domain.sentences.catalogue import PLURALS, catalogue, language_of, languages
from domain.sentences.message import AtSeat, Card, Items, Message, Number, Text
from domain.sentences.pattern import Plural, parameters, parsed
from tests.domain.sentences.messages import PACKAGES, TYPESET, entries, texts
from tests.pseudo_language import pseudo

OTHERS = languages()[1:]
CATEGORIES = {language: {rule(number) for number in range(200)} for language, rule in PLURALS.items()}
PEOPLE_AND_CARDS = (
    "player|creator|winners?|holder|partner|declarer|taker|dealer|owner|bidder|late|to|seat|cards?|given|tendered"
)


def test_there_are_three_languages():
    assert languages() == ("en", "fr", "ja")


@pytest.mark.parametrize(
    ("tag", "language"),
    [("fr", "fr"), ("fr-CA", "fr"), ("ja-JP", "ja"), ("en-GB", "en")]
    + [(tag, "en") for tag in (None, "", "tlh", "tlh-Latn-x-us", "../sentences.fr")],
)
def test_a_tag_means_the_language_that_it_begins_with_or_the_original(tag, language):
    assert language_of(tag) == language


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("package", PACKAGES)
def test_every_entry_of_the_original_has_a_translation_with_the_same_parameters(package, language):
    original, translated = texts(package, "en"), texts(package, language)
    assert translated.keys() == original.keys()
    for message_id, text in translated.items():
        assert parameters(parsed(text)) == parameters(parsed(original[message_id])), message_id


def plurals(pattern):
    for part in pattern:
        if isinstance(part, Plural):
            yield part
            for case in part.cases.values():
                yield from plurals(case)


@pytest.mark.parametrize("language", languages())
def test_a_plural_has_the_categories_of_its_language_and_exact_numbers(language):
    for message_id, text in entries(language):
        for plural in plurals(parsed(text)):
            named = {case for case in plural.cases if not case.startswith("=")}
            assert named <= CATEGORIES[language] | {"other"}, message_id
            assert CATEGORIES[language] <= named or plural.cases.keys() - named, message_id


def test_french_puts_no_word_that_would_contract_before_a_name_or_a_card():
    """A name can begin with a vowel, and a card comes with its article: "de {card}" would be "de le roi"."""
    before = re.compile(r"\b(?:de|que|le|la|du|des|se|ne|je|[dlqsnj]’) ?\{(" + PEOPLE_AND_CARDS + r")\}")
    assert not [message_id for message_id, text in entries("fr") if before.search(text)]


def test_french_sets_its_marks_apart_and_has_no_straight_apostrophe():
    assert not [message_id for message_id, text in entries("fr", TYPESET) if re.search(r"(?<!\u00a0)[:;!?]|'", text)]


def test_japanese_has_its_own_marks():
    shown = [(message_id, re.sub(r"\{\w+, plural,", "", text)) for message_id, text in entries("ja", TYPESET)]
    assert not [message_id for message_id, text in shown if re.search(r"[.,:;()!?]", text)]


@pytest.mark.parametrize(
    ("number", "words"), [(0, "Donne 1\u00a0: Ada distribue."), (1, "Ada écarte 1 carte."), (2, "Ada écarte 2 cartes.")]
)
def test_french_counts(number, words):
    message = (
        Message("cards_discarded.unseen", {"player": AtSeat(0), "count": Number(number)})
        if number
        else Message("hand_dealt", {"hand": Number(1), "dealer": AtSeat(0)})
    )
    assert catalogue("domain.le_plateau", "fr").sentence(message, lambda _: "Ada") == words


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Play the queen of hearts, trump 21 and the Excuse"),
        ("fr", "Jouer la dame de cœur, le 21 d’atout et l’Excuse"),
        ("ja", "ハートのクイーン、切札21、エクスキューズを出す"),
    ],
)
def test_cards_are_said_in_each_language(language, words):
    cards = Items((Card("DH"), Card("T21"), Card("EX")))
    assert catalogue("domain.le_plateau", language).sentence(Message("action.play", {"card": cards})) == words


@pytest.mark.parametrize(
    ("language", "words"), [("en", "D2 is empty"), ("fr", "D2 est vide"), ("ja", "d2は空いています")]
)
def test_a_code_at_the_start_has_a_capital_where_there_are_capitals(language, words):
    empty = Message("refused.not-controlled.empty", {"square": Text("d2")})
    assert catalogue("domain.plateau", language).sentence(empty) == words


@pytest.mark.parametrize("package", PACKAGES)
def test_the_pseudo_language_is_longer_by_two_fifths_and_keeps_parameters(package):
    original = catalogue(package)
    longer = pseudo(original)
    assert [*longer.patterns] == [*original.patterns]
    for message_id, pattern in original.patterns.items():
        assert parameters(longer.patterns[message_id]) == parameters(pattern)
    passed = Message("game_started")
    before, after = original.sentence(passed), longer.sentence(passed)
    assert len(after) >= 1.4 * len(before)
    assert not {*"aeiou"} & {*after}


ONE_IN_ENGLISH = {
    "fr": {"trump {number}", "team a", "team b", "high joker", "blue"},
    "ja": {"red", "blue", "the game is over"},
}
"""English texts that another language words in two ways: with an article or without, as a piece or as a colour."""

ONE_ELSEWHERE = {
    "fr": {"{rank} de {suit}", "l’as", "écart"},
    "ja": {
        "{suit}の{rank}", "パス", "カード", "開始", "カードを渡す", "ソロ", "2人組", "3人組", "なし", "プティ",
        "ウドレーなし", "失敗", "エカール", "第1ジョーカー", "第2ジョーカー",
    },
}  # fmt: skip
"""Texts for which English has two forms: with an article or without, a noun or a verb, one or many."""


def in_two_ways(worded, others):
    """Return the texts that stand under ids whose other texts differ; the crib has headings and explanations."""
    ways = {}
    for message_id, text in worded.items():
        if message_id.startswith("crib."):
            continue
        ways.setdefault(text.casefold(), set()).add(others[message_id].casefold())
    return {text for text, words in ways.items() if len(words) > 1}


@pytest.mark.parametrize("language", OTHERS)
def test_in_a_game_one_thing_has_one_word_and_one_word_means_one_thing(language):
    in_english, elsewhere = set(), set()
    for package in ("domain.sentences", *(ruleset.package for ruleset in BUILT_IN)):
        english, other = texts(package, "en"), texts(package, language)
        in_english |= in_two_ways(english, other)
        elsewhere |= in_two_ways(other, english)
    assert in_english == ONE_IN_ENGLISH[language]
    assert elsewhere == ONE_ELSEWHERE[language]
