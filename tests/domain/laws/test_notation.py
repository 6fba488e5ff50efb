"""Laws of every ruleset that has a text form: texts read back to the same game, tell no more than the events, and
the first place that is wrong is found."""

import random
import re

import pytest

from domain.notation import document
from domain.notation.lexer import NotationError
from domain.registry import RULESETS
from tests.domain.laws.facts import facts_of
from tests.domain.play import TABLES, VARIANTS, played, seeded, seeds
from tests.domain.texts import body, changed, entries, events_of, fault_of, offset, seen, without_secret, written_again

WITH_TEXT = [ruleset_id for ruleset_id, ruleset in RULESETS.items() if ruleset.notation is not None]
CHANGES = 40

every_table = pytest.mark.parametrize(("ruleset_id", "seats"), [each for each in TABLES if each[0] in WITH_TEXT])
every_variant = pytest.mark.parametrize(
    ("ruleset_id", "seats", "variant"), [each for each in VARIANTS if each[0] in WITH_TEXT]
)
every_seed = pytest.mark.parametrize(
    ("ruleset_id", "seats", "variant", "seed"), [each for each in seeded(3) if each[0] in WITH_TEXT]
)


@every_seed
def test_a_finished_game_reads_back_to_the_same_events_and_outcome(ruleset_id, seats, variant, seed):
    steps = played(ruleset_id, seats, seed, variant)
    text = document.write(seen(steps))
    reading = document.read(text)
    assert list(reading.events) == events_of(steps)
    assert reading.outcome == steps[-1].game.outcome
    assert reading.to_act == ()
    assert text.isascii()


@every_variant
def test_the_header_reads_back(ruleset_id, seats, variant):
    steps = played(ruleset_id, seats, 0, variant)
    for upto in (1, 2, seats + 1, len(steps)):
        log = seen(steps[:upto])
        assert document.read(document.write(log)).header == document.header_of(log)
    assert document.header_of(log).options == steps[-1].game.options


@every_variant
def test_a_game_that_has_begun_reads_back_at_every_request(ruleset_id, seats, variant):
    steps = played(ruleset_id, seats, 1, variant)
    begun = range(seats + 1, len(steps))
    for upto in random.Random(f"{ruleset_id} {seats} {variant}").sample(begun, min(10, len(begun))):
        reading = document.read(document.write(seen(steps[:upto])))
        assert list(reading.events) == events_of(steps[:upto])
        assert list(reading.to_act) == sorted(steps[upto - 1].game.pending)
        assert reading.outcome is None


@every_variant
def test_any_part_of_a_log_can_be_written_for_any_viewer(ruleset_id, seats, variant):
    steps = played(ruleset_id, seats, 2, variant)
    logs = {viewer: seen(steps, viewer, everything=False) for viewer in (*range(seats), None)}
    whole = document.write(seen(steps))
    for viewer, log in logs.items():
        for upto in random.Random(f"{ruleset_id} {seats} {variant} {viewer}").sample(range(1, len(log)), 15):
            text = document.write(log[:upto])
            assert text.isascii()
            if "?" not in text:
                document.read(text)
        assert fills_its_gaps(whole, document.write(log))
        assert ("?" in document.write(log)) <= getattr(facts_of(ruleset_id), "IS_NEVER_ALL_SHOWN", False)


def fills_its_gaps(whole, text):
    """Say whether a text is the whole one, but for the codes that stand there for a ?."""
    return re.fullmatch(re.escape(text).replace(r"\?", "[0-9A-Z ]+"), whole) is not None


@every_table
def test_what_is_hidden_is_refused_where_it_stands_first(ruleset_id, seats):
    steps = played(ruleset_id, seats, 0)
    refused = 0
    for step in range(seats + 1, len(steps), 7):
        text = document.write(seen(steps[:step], 0, everything=False))
        if "?" in text:
            with pytest.raises(NotationError, match=r"a \? stands for what") as error:
                document.read(text)
            assert "?" not in text[body(text) : offset(text, error.value.line, error.value.column)]
            refused += 1
    assert refused


@every_table
@pytest.mark.parametrize("seed", seeds(3))
def test_a_change_is_found_where_it_is_or_later_or_makes_another_possible_game(ruleset_id, seats, seed):
    rng = random.Random(f"changes {ruleset_id} {seats} {seed}")
    variant = rng.choice([each[2] for each in VARIANTS if each[:2] == (ruleset_id, seats)])
    whole = document.write(seen(played(ruleset_id, seats, seed % 3, variant)))
    pool = [entry for _, entry in entries(whole)]
    for number in range(CHANGES):
        place, text = changed(without_secret(whole) if number % 2 else whole, rng, pool)
        fault = fault_of(text)
        if fault is None:
            reading = document.read(text)
            assert document.read(written_again(reading)).events == reading.events
            continue
        found = offset(text, fault.line, fault.column)
        assert found >= place or not text[found:place].strip(" |\n"), (fault, text[place - 40 : place + 40])
        if place >= body(text):
            assert is_right_up_to_its_end(text[:found]), (fault, text[found - 60 : found])


def is_right_up_to_its_end(text):
    """Say whether a text that was cut has nothing wrong in it but its end, where a label may be left over."""
    text = re.sub(r"[0-9a-z]+:[\s|]*$", "", text)
    fault = fault_of(text)
    return fault is None or not text[offset(text, fault.line, fault.column) :].strip(" |\n")
