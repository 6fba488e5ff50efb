"""French Tarot as text: what can be left out, and the message for each error."""

import pytest

from domain.cardplay.cards import CODES, TAROT_PACK
from domain.french_tarot import RULESET as french_tarot
from domain.laws.texts import fault_of, seen
from domain.texts import document
from tests.support.documents import examples
from tests.support.random_games import played

GAME = examples("docs/notation.md", "notation tarot", "text")
FIRST, SECOND = GAME.index("\n1."), GAME.index("\n2.")


def second(old, new):
    """Change the second deal in one place."""
    assert GAME[SECOND:].count(old) == 1
    return GAME[:SECOND] + GAME[SECOND:].replace(old, new)


def said_of(text):
    """Return the message for the first fault, without its place."""
    fault = fault_of(text)
    return fault and f"{fault.message} (rule {fault.rule})"


def test_whatever_follows_from_the_rules_may_be_left_out():
    bare = second("=1 #2 1:6S", " 6S").replace(" void", "")
    for fact in (" 4:take 3H 5H T17", " partner 3", " points 31.5 score 55 55 55 -55 -110"):
        assert fact in bare
        bare = bare.replace(fact, "")
    assert document.read(bare).events == document.read(GAME).events


WRONG = [
    ("2. d3", "3. d3", "deal 2 is next, not 3. (rule 2. Deal)"),
    ("2. d3", "2. d4", "seat 3 deals, not seat 4 (rule 2. Deal)"),
    ("2. d3", "2. d7", "there is no seat 7 with 5 players (rule 2. Deal)"),
    ("0: 9S 8H", "0: 8H", "card 15 of 15 of seat 0 is missing: found 1: (rule 2. Deal)"),
    ("0: 9S 8H", "0: 8H 8H", "8H is dealt twice: it already goes to seat 0's hand (rule 2. Deal)"),
    ("chien: 3H", "chien: 9S", "9S is dealt twice: it already goes to seat 0's hand (rule 2. Deal)"),
    ("0: 9S 8H", "0: 9S 8Z", f"8Z is not a card; the cards are {CODES} (rule 1. Cards)"),
    ("chien: 3H 5H T17", "talon: 3H 5H T17", "chien: and its cards must come next, not talon: (rule 2. Deal)"),
    ("4:petite", "4:great", "great does not fit: seat 4 must bid (such as garde) or pass (rule 4. Bidding)"),
    ("4:petite", "0:petite", "seat 4 must bid (such as garde) or pass, not seat 0 (rule 4. Bidding)"),
    (
        "4:petite 0:pass",
        "4:garde 0:petite",
        "seat 0: petite is too low; you can bid garde sans and garde contre (rule 4. Bidding)",
    ),
    (
        "call RS",
        "call DS",
        "seat 4: the queen of spades cannot be called from your hand; you can call the king of spades, "
        "the king of hearts, the king of diamonds and the king of clubs (rule 5. Called card)",
    ),
    ("take 3H 5H T17", "take 3H 5H T18", "T18 does not belong here; by the rules: T17 (rule 6. Chien and écart)"),
    ("4:take", "3:take", "this belongs to seat 4 (rule )"),
    (
        "lay DH 6D 10D",
        "lay DH 6D RC",
        "seat 4: the king of clubs is a king, and stays in the hand (rule 6. Chien and écart)",
    ),
    (
        "lay DH 6D 10D",
        "lay RC 6D 10D",
        "seat 4: the king of clubs is a king, and stays in the hand (rule 6. Chien and écart)",
    ),
    ("lay DH 6D 10D", "lay DH 6D", "lay aside 3 cards, not 2 (rule 6. Chien and écart)"),
    ("lay DH 6D 10D", "lay", "lay aside 3 cards, not 0 (rule 6. Chien and écart)"),
    ("lay DH 6D 10D", "lay DH 6D 10D 4C", "lay aside 3 cards, not 4 (rule 6. Chien and écart)"),
    ("lay DH 6D 10D", "lay DH KD 10D", f"KD is not a card; the cards are {CODES} (rule 1. Cards)"),
    ("lay DH 6D 10D", "lay DH 9S 10D", "seat 4: you do not hold the 9 of spades (rule 6. Chien and écart)"),
    (
        "4:no_slam",
        "4:small_slam",
        "small_slam does not fit: seat 4 must announce slam or no_slam (rule 7. Announcements)",
    ),
    ("4:no_slam", "4:petit_chelem", "seat 4: the petit chelem is not played in this game (rule 7. Announcements)"),
    (
        "poignee simple",
        "poignee great",
        "great is not a poignee: a poignee is simple or double or triple (rule 7. Announcements)",
    ),
    ("simple T2 T3", "simple T2", "a simple poignee is 8 cards, not 7 (rule 7. Announcements)"),
    ("simple T2 T3", "double T2 T3", "a double poignee is 10 cards, not 8 (rule 7. Announcements)"),
    ("simple T2 T3", "simple T2 T22", f"T22 is not a card; the cards are {CODES} (rule 1. Cards)"),
    ("T18 2C T8", "2C T8", "a simple poignee is 8 cards, not 7 (rule 7. Announcements)"),
    ("T18 2C T8", "T18 4D 2C T8", "a simple poignee is 8 cards, not 9 (rule 7. Announcements)"),
    (
        "simple T2 T3 T9",
        "simple T2 T2 T9",
        "seat 0: a poignée is 8, 10, 15 different cards; these are 7 (rule 7. Announcements)",
    ),
    ("T18 2C T8", "T18 KC T8", f"KC does not fit: seat 0 must play a card, one of {CODES} (rule 1. Cards)"),
    ("simple T2 T3", "simple T2 T4", "seat 0: trump 4 is not yours to show (rule 7. Announcements)"),
    ("T18 2C T8", "T18 9S T8", "seat 0: the queen of clubs was led: follow suit, not the 9 of spades (rule 8. Play)"),
    ("VC=1", "VC=4", "by the rules it is =1 (rule 8. Play)"),
    ("8C VC=1", "8C=1 VC", "nothing follows from this yet: leave out the = and what stands after it (rule 8. Play)"),
    ("#2 1:6S", "#3 1:6S", "trick #2 begins here, not #3 (rule 8. Play)"),
    ("#2 1:6S", "#2 2:6S", "seat 1 must play a card, not seat 2 (rule 8. Play)"),
    ("partner 3", "partner 2", "by the rules it is partner 3 (rule 5. Called card)"),
    ("partner 3", "alone", "by the rules it is partner 3 (rule 5. Called card)"),
    ("points 31.5", "points 31", "by the rules it is 31.5, not 31 (rule 10. Counting and scoring)"),
    ("score 55 55", "score 55 54", "by the rules it is 55, not 54 (rule 10. Counting and scoring)"),
]


@pytest.mark.parametrize(("old", "new", "answer"), WRONG)
def test_the_first_thing_that_is_wrong_is_named_with_its_rule(old, new, answer):
    assert said_of(second(old, new)) == answer


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("lay DH 6D 10D", "lay RC 6D 10D", "RC"),
        ("lay DH 6D 10D", "lay DH 6D", "4:no_slam"),
        ("simple T2 T3", "simple T2", "2C T8"),
        ("T18 2C T8", "T18 4D 2C T8", "4D 2C T8"),
        ("simple T2 T3 T9", "simple T2 T2 T9", "T2 T9"),
    ],
)
def test_the_word_at_fault_is_pointed_at_and_not_the_last_one(old, new, word):
    text = second(old, new)
    fault = fault_of(text)
    assert text.split("\n")[fault.line - 1][fault.column - 1 :].startswith(word)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("T2 T3 T9 T10 T12 T15 T16 T18 0:2C 1:T8", 8),
        ("T2 T3 T9 T10 T12 T15 T16 T18 misere no_courts 2C", 8),
        ("T2 T3 T9 T10 T12 T15 T16 2C T8 8C VC", 7),
        ("T2 T3 T9 T10 T12 T15 T16 T18 2C T8 8C VC=1", 8),
        ("T2 T3 T9 T10 T12 T15 T16 T18 4D 2C T8", 9),
        ("T2 T3 T9 T10 T12 T15 T16 T18 T8 8C VC=1", 7),
        ("T2 T3 T9 T10 T12 T15 T16 T18 4D 2C=1", 9),
        ("T2 T3 T9 T10 T12 T15 T16 0:2C 1:T8", 7),
    ],
)
def test_what_is_played_after_a_poignee_does_not_count_as_its_cards(words, given):
    start = GAME.index("simple ", SECOND)
    fault = fault_of(f"{GAME[:start]}simple {words}\n")
    wrong = f"a simple poignee is 8 cards, not {given}"
    assert (fault.message if fault else "").startswith("a simple poignee") == (given != 8)
    assert given == 8 or fault.message == wrong


def test_of_too_many_trumps_laid_aside_the_one_too_many_is_pointed_at():
    taker = ["RS", "RH", "RD", "RC", "EX", "T1", "T21", *(f"T{n}" for n in range(2, 10))]
    chien = ["2S", "3S", "T10"]
    rest = [card for card in TAROT_PACK if card not in (*taker, *chien)]
    hands = [taker, *(rest[seat::4] for seat in range(4))]
    dealt = " ".join(f"{seat}: {' '.join(hand)}" for seat, hand in enumerate(hands))
    start = f"notation: 1\nruleset: french-tarot 2\nseats: 5\n\n1. d4 {dealt} chien: {' '.join(chien)}\n"
    words = "0:garde 1:pass 2:pass 3:pass 4:pass 0:call RS 0:lay T2 T3 2S"
    fault = fault_of(start + words)
    assert fault.message == "seat 0: lay trumps aside only where there is no other way: 1 here, not 2"
    assert words[fault.column - 1 :] == "T3 2S"


def test_a_void_must_be_thrown_in_and_a_match_that_is_over_has_no_more_deals():
    assert said_of(second(" 4:petite 0:pass", " 4:petite void")).startswith("void does not fit")
    without_result = GAME[: GAME.index("result:")]
    assert said_of(without_result + "3. d4") == "the match is over: only its result can follow (rule )"


@pytest.mark.parametrize("fact", ["void", "take 3H 5H T17", "partner 3", "score 55 55 55 -55 -110"])
def test_a_fact_is_named_once(fact):
    place = GAME.index(fact) + len(fact)
    assert said_of(f"{GAME[:place]} {fact}{GAME[place:]}").startswith(
        f"{fact.split()[0]} does not fit: nothing of that"
    )


def test_the_deal_of_another_secret_is_refused():
    text = document.write(seen(played(french_tarot.id, 4, 1)))
    place = text.index(" 0: ") + 4
    one, other = text[place:].split()[0], text[text.index(" 1: ") + 4 :].split()[0]
    swapped = text.replace(f" {one} ", " * ", 1).replace(f" {other} ", f" {one} ", 1).replace(" * ", f" {other} ", 1)
    assert fault_of(text) is None
    assert said_of(swapped) == f"by the seeds {other} goes to seat 1's hand, not to seat 0's hand (rule 2. Deal)"


def test_a_deal_is_reported_with_the_points_of_the_attack_and_those_it_needed():
    reports = []
    document.read(GAME, reports.append)
    assert reports == [
        "deal 1: all passed, thrown in",
        "deal 2: seat 4 with seat 3 loses petite, 31.5 of 51 points: +55 +55 +55 -55 -110",
    ]
