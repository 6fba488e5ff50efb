import pytest

from domain.sentences import pattern
from domain.sentences.catalogue import Catalogue
from domain.sentences.message import Message, Number, Text


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
