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
from tests.support.sampling import VARIANTS

every_variant = pytest.mark.parametrize(
    ("seats", "variant"), [each[1:] for each in VARIANTS if each[0] == "le-plateau"]
)


# -- writing --------------------------------------------------------------------------------------------------------


def test_a_hand_is_one_line_that_holds_everything():
    text = document.write(seen(played("le-plateau", 4, 0)))
    lines = text[body(text) :].splitlines()
    assert [line.split()[0] for line in lines] == ["1.", "2.", "3.", "4.", "result:"]


def test_a_running_hand_is_written_as_its_viewer_knows_it_and_a_finished_one_whole():
    steps = played("le-plateau", 4, 0)
    second = next(i for i, step in enumerate(steps) for event in step.events
                  if isinstance(event, ev.HandDealt) and event.deal_number == 2)  # fmt: skip
    for viewer in (*range(4), None):
        text = document.write(seen(steps[: second + 1], viewer, everything=False))
        first, running = text[body(text) :].splitlines()
        assert "?" not in first
        hidden = [label for label in ("0: ?", "1: ?", "2: ?", "3: ?", "talon: ?") if label in running]
        assert hidden == [label for label in ("0: ?", "1: ?", "2: ?", "3: ?", "talon: ?") if label != f"{viewer}: ?"]


def test_lower_cards_gifts_and_the_exchange_are_hidden_from_those_who_may_not_know():
    dealt = next(e for step in played("le-plateau", 2, 0) for e in step.events if isinstance(e, ev.HandDealt))
    upper = dealt.piles[0].piles[0].top
    opened = seen(played("le-plateau", 2, 0)[:4], 0, everything=False)
    assert f"0: {upper}/? " in document.write(opened)
    told = [up_to_the_play(2, viewer) for viewer in (0, 1, None)]
    assert [":take ? " in text and ":lay ? " in text for text in told].count(True) == 2
    assert [text for text in told if re.search(":take [^?]+ [0-9]:lay [^?]+ ", text)]
    given = [up_to_the_play(6, viewer) for viewer in (*range(6), None)]
    assert [text for text in given if re.search(r":give [?]>. [?]>. dealt [?]>. [?]>. [?]>.", text)]
    assert [text for text in given if re.search(r":give [^?]+>. [^?]+>. dealt [?]>. [?]>. [?]>.", text)]
    assert [text for text in given if re.search(r":give [?]>. [?]>. dealt .*[^?]>.", text)]


def up_to_the_play(seats, viewer):
    """Write a first hand with an exchange, as a viewer knows it when the play begins; no later hand."""
    for seed in range(60):
        steps = played("le-plateau", seats, seed)
        dealt = [i for i, step in enumerate(steps) for event in step.events if isinstance(event, ev.HandDealt)]
        taken = [i for i, step in enumerate(steps) for event in step.events if isinstance(event, ev.TalonTaken)]
        if taken and taken[0] < dealt[1]:
            upto = next(i for i, step in enumerate(steps) for event in step.events
                        if i > taken[0] and isinstance(event, ev.CardPlayed))  # fmt: skip
            return document.write(seen(steps[: upto + 1], viewer, everything=False))
    raise AssertionError("no game with an exchange in its first hand")


def test_a_board_at_random_is_written_with_every_deal_and_no_other_board_is():
    boards = {}
    for variant in ("board=random_deal", "board=random_game", "board=custom", ""):
        whole = next(v for *_, v in VARIANTS if variant in v) if variant else ""
        seats = next(s for _, s, v in VARIANTS if v == whole)
        text = document.write(seen(played("le-plateau", seats, 0, whole)))
        lines = [line for line in text[body(text) :].splitlines() if line[0].isdigit()]
        boards[variant] = [re.findall("board: (.*?) 0:", line) for line in lines]
    assert len({tuple(found) for found in boards["board=random_deal"]}) == len(boards["board=random_deal"])
    assert len({tuple(found) for found in boards["board=random_game"]}) == 1
    assert all(boards["board=random_game"])
    assert not any(boards["board=custom"] + boards[""])


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


@pytest.mark.one_in(5)
@every_variant
def test_whatever_follows_from_the_rules_may_be_left_out(seats, variant):
    for seed in range(2):
        steps = played("le-plateau", seats, seed, variant)
        text = bare(document.write(seen(steps)))
        assert not re.search("take|dealt|open|show|won|lost|void|score|=", text[body(text) :])
        assert list(document.read(text).events) == events_of(steps)


@pytest.mark.one_in(5)
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
