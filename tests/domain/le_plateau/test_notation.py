"""Le Plateau as text: what is written for whom, what can be left out, and how freely it can be typed."""

import re

import pytest

from domain.laws.play import events_of
from domain.laws.texts import body, fault_of, seen
from domain.le_plateau import events as ev
from domain.le_plateau.deck import shape_for
from domain.texts import document
from tests.domain.le_plateau.typed_texts import EXCHANGE_RULE, after_the_deal, hands, header, wrong, wrong_at_the_mark
from tests.support.random_games import played
from tests.support.sampling import tables_of

every_variant = pytest.mark.parametrize(("seats", "variant"), tables_of("le-plateau"))


# -- writing --------------------------------------------------------------------------------------------------------


# -- typing ---------------------------------------------------------------------------------------------------------


def bare(text):
    """Leave out of a text all that follows from the actions."""
    return text[: body(text)] + "\n".join(map(_bare_deal, text[body(text) :].splitlines()))


def _bare_deal(line):
    if not line[0].isdigit():
        return ""
    deal, *parts = line.split(" | ")
    kept = " ".join(part for part in parts if part.split()[0] not in ("show", "won", "lost", "void", "score"))
    for fact in (r"=\S+", r"#\d+ ", r"\d:/\S+ ?", r"\bopen( \S+){6} ?", r"\d:take .*?(?=\d:)", r"\bdealt( \S+>\d)+"):
        kept = re.sub(fact, "", kept)
    return f"{deal} {re.sub(r'[0-9]:', '', kept)}"


@every_variant
def test_whatever_follows_from_the_rules_may_be_left_out(seats, variant):
    steps = played("le-plateau", seats, 0, variant)
    text = bare(document.write(seen(steps)))
    assert not re.search("take|dealt|open|show|won|lost|void|score|=", text[body(text) :])
    assert list(document.read(text).events) == events_of(steps)


@every_variant
def test_words_may_be_small_or_capital_and_stand_on_any_line(seats, variant):
    steps = played("le-plateau", seats, 1, variant)
    text = document.write(seen(steps))
    head, tail = text[: body(text)], text[body(text) :]
    for typed in (tail.lower(), tail.replace(" | ", "\n"), tail.replace(" ", "  ; a comment | 1. d0\n"), tail.upper()):
        assert list(document.read(head + typed).events) == events_of(steps)


def test_hands_and_talon_may_be_typed_in_any_order_and_cards_of_a_hand_too():
    *seats, talon = re.split(" (?=[0-9t]+[alon]*:)", hands(3))
    shuffled = [talon, *(" ".join([words.split()[0], *reversed(words.split()[1:])]) for words in reversed(seats))]
    usual = document.read(f"{header(3)}1. d2 {hands(3)}")
    assert document.read(f"{header(3)}1. d2 {' '.join(shuffled)}").events == usual.events


def test_facts_may_name_their_cards_in_any_order():
    text = after_the_deal(3, "y.x.solo pass pass 0:take EX T20 T21 0:lay EX 10S T20 keep")
    assert fault_of(text) is None
    assert document.read(text).events[-2:] == (ev.ObjectiveKept(0), ev.PhaseBegan("play"))


# -- variants, and what is told on the way --------------------------------------------------------------------------


def test_the_double_talon_is_opened_picked_and_taken_from():
    options = "deck=full first_dealer=3"
    form = shape_for(4, "full")
    talon = " ".join(form.deck[72:])
    auction = "y.x.duo pass pass pass"
    text = after_the_deal(4, f"{auction} open {talon} 0:pick 1 take T20 T21 EX 0:lay T20 T21 EX call", options)
    reading = document.read(text.removesuffix(" call"))
    assert [type(event) for event in reading.events[-6:]] == [
        ev.TalonGroupChosen, ev.TalonTaken, ev.CountersPlaced, ev.PhaseBegan, ev.CardsDiscarded, ev.PhaseBegan,
    ]  # fmt: skip
    assert wrong_at_the_mark(
        after_the_deal(4, f"{auction} pick ^2", options),
        f"2 is not a group of the talon: pick 0, the first three cards, or 1 {EXCHANGE_RULE}",
    )
    assert wrong_at_the_mark(
        after_the_deal(4, f"{auction} ^lay", options),
        f"lay does not fit: seat 0 must pick a group of the talon (pick 0 or pick 1) {EXCHANGE_RULE}",
    )
    swapped = " ".join([*form.deck[75:], *form.deck[72:75]])
    assert wrong_at_the_mark(
        after_the_deal(4, f"{auction} open ^{swapped}", options),
        f"T20 does not belong here; by the rules: T17 T18 T19 {EXCHANGE_RULE}",
    )


def test_a_bid_without_exchange_is_one_where_there_is_none():
    cards = hands(6).partition(" talon:")[0]
    for seat in range(6):
        cards = cards.replace(f"{seat}: ", f"{seat}: T{17 + seat} " if seat < 5 else "5: EX ")
    text = f"{header(6, 'edition=2022')}1. d5 {cards}\n0:y.trio=2"
    assert document.read(text).events[-1] == ev.BidMade(0, None, "y", "trio", 2)
    assert "there is no exchange" in wrong(text.replace("y.trio=2", "y.x.trio"))
    with_choice = document.read(f"{header(6)}1. d5 {hands(6)}\n0:y.trio").events[-1]
    assert (with_choice.exchange, with_choice.value) == (False, 4)


def test_what_came_of_each_hand_is_told():
    told = []
    document.read(after_the_deal(3, "pass pass pass"), told.append)
    assert told == ["deal 1: all passed"]
    told.clear()
    text = document.write(seen(played("le-plateau", 5, 0)))
    reading = document.read(text, told.append)
    scored = [event for event in reading.events if isinstance(event, ev.HandScored)]
    assert [line.split(": ")[-1] for line in told] == [
        " ".join(f"{score:+}" for score in event.scores) if any(event.scores) else "all passed" for event in scored
    ]
    assert all(re.match(r"deal \d: (seat \d( with seat \d)? (makes|does not make) \w+, value \d+|all passed)", line)
               for line in told)  # fmt: skip
