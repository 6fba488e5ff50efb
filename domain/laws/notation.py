"""Texts read back to the same game, show no more than the events, and the first error in them is found."""

import random
import re
from collections.abc import Callable

from domain.laws.law import Check, Law, Scope
from domain.laws.moments import of_every_kind, running
from domain.laws.play import Table, events_of, played, tables
from domain.laws.texts import (
    body,
    changed,
    entries,
    fault_of,
    offset,
    seen,
    without_secret,
    written_again,
)
from domain.notation.lexer import NotationError
from domain.ruleset import AnyRuleset
from domain.texts import document
from domain.texts.header import header_of

CHANGES = 40


def _has_text(ruleset: AnyRuleset) -> bool:
    return ruleset.notation is not None


def _of_texts(scope: Scope, seeds: int = 0) -> Callable[[Check], Law]:
    return lambda check: Law(check, scope, seeds, _has_text)


@_of_texts("game", 3)
def a_finished_game_reads_back_to_the_same_events_and_outcome(table: Table, seed: int) -> None:
    """The text is ASCII."""
    steps = played(table, seed)
    text = document.write(seen(steps))
    reading = document.read(text)
    assert list(reading.events) == events_of(steps)
    assert reading.outcome == steps[-1].game.outcome
    assert reading.to_act == ()
    assert text.isascii()


@_of_texts("variant")
def the_header_reads_back(table: Table) -> None:
    """Before the start as well."""
    steps = played(table, 0)
    for upto in (1, 2, table.seats + 1, len(steps)):
        log = seen(steps[:upto])
        assert document.read(document.write(log)).header == header_of(log)
    assert header_of(log).options == steps[-1].game.options


@_of_texts("variant")
def a_game_that_has_begun_reads_back_at_every_request(table: Table) -> None:
    """The seats to act are the same."""
    steps = played(table, 1)
    rng = random.Random(f"{table.ruleset.id} {table.seats} {table.variant}")
    for upto in [place + 1 for place in of_every_kind(rng, steps, running(steps), fewest=8)]:
        reading = document.read(document.write(seen(steps[:upto])))
        assert list(reading.events) == events_of(steps[:upto])
        assert list(reading.to_act) == sorted(steps[upto - 1].game.pending)
        assert reading.outcome is None


@_of_texts("variant")
def any_part_of_a_log_can_be_written_for_any_viewer(table: Table) -> None:
    """What is hidden from the viewer is a question mark, and nothing else is."""
    steps = played(table, 2)
    whole = document.write(seen(steps))
    for viewer in (*range(table.seats), None):
        log = seen(steps, viewer, everything=False)
        rng = random.Random(f"{table.ruleset.id} {table.seats} {table.variant} {viewer}")
        for upto in rng.sample(range(1, len(log)), min(15, len(log) - 1)):
            text = document.write(log[:upto])
            assert text.isascii()
            if "?" not in text:
                document.read(text)
        assert _fills_its_gaps(whole, document.write(log))
        assert ("?" in document.write(log)) <= table.facts.is_never_all_shown


def _fills_its_gaps(whole: str, text: str) -> bool:
    """Return whether a text equals the whole one, except for codes in place of question marks."""
    return re.fullmatch(re.escape(text).replace(r"\?", "[0-9A-Z ]+"), whole) is not None


@_of_texts("table")
def what_is_hidden_is_refused_where_it_stands_first(table: Table) -> None:
    """A text with a gap cannot be read as a game."""
    steps = played(table, 0)
    refused = 0
    for step in range(table.seats + 1, len(steps), 7):
        text = document.write(seen(steps[:step], 0, everything=False))
        if "?" in text:
            fault = fault_of(text)
            assert fault is not None
            assert re.search(r"a \? stands for what", str(fault))
            assert "?" not in text[body(text) : offset(text, fault.line, fault.column)]
            refused += 1
    assert refused


@_of_texts("table", 3)
def a_change_is_found_where_it_is_or_later_or_makes_another_possible_game(table: Table, seed: int) -> None:
    """It is never found earlier: everything before the reported place is right."""
    rng = random.Random(f"changes {table.ruleset.id} {table.seats} {seed}")
    of_the_table = [each for each in tables(table.ruleset, table.facts) if each.seats == table.seats]
    whole = document.write(seen(played(rng.choice(of_the_table), seed % 3)))
    pool = [entry for _, entry in entries(whole)]
    for number in range(CHANGES):
        place, text = changed(without_secret(whole) if number % 2 else whole, rng, pool)
        fault = fault_of(text)
        if fault is None:
            reading = document.read(text)
            assert document.read(written_again(reading)).events == reading.events
        else:
            _check_place(text, place, fault)


def _check_place(text: str, place: int, fault: NotationError) -> None:
    found = offset(text, fault.line, fault.column)
    assert found >= place or not text[found:place].strip(" |\n"), (fault, text[place - 40 : place + 40])
    if place >= body(text):
        assert _is_right_up_to_its_end(text[:found]), (fault, text[found - 60 : found])


def _is_right_up_to_its_end(text: str) -> bool:
    """Return whether the only error in a text that was cut is its end, where a label can be left over."""
    text = re.sub(r"[0-9a-z]+:[\s|]*$", "", text)
    fault = fault_of(text)
    return fault is None or not text[offset(text, fault.line, fault.column) :].strip(" |\n")
