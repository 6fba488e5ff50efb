"""A stored log is checked whole, also while its game continues, and whatever its operator changes by hand is named."""

from dataclasses import replace

import pytest

from domain.audit import stored
from domain.audit.stored import verify_stored
from domain.game import history
from domain.laws.play import log_of
from domain.log import chain
from domain.log.record import Writer
from domain.log.redaction import Hidden
from domain.registry import RULESETS
from service.store.codec import canonical
from tests.support.random_games import played
from tests.support.sampling import SMALLEST


@pytest.fixture(scope="module")
def log():
    return log_of(played("plateau", 2, 0))


def fault_in(records):
    fault = verify_stored(records, canonical).fault
    assert fault is not None
    return fault


@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_a_game_verifies_at_any_time(ruleset_id, seats):
    steps = played(ruleset_id, seats, 0)
    for length in (1, 2, len(steps) // 2, len(steps) - 1, len(steps)):
        records = log_of(steps[:length])
        for write in (chain.canonical, canonical):
            report = verify_stored(records, write)
            assert (report.fault, report.unchecked, report.version) == (None, (), len(records))


def changed(log, number, **parts):
    return [*log[:number], replace(log[number], **parts), *log[number + 1 :]]


def test_what_breaks_the_chain_is_named(log):
    for records, version in (
        (changed(log, 8, data={**log[8].data, "more": 1}), 9),
        (changed(log, 8, at=log[9].at + "0"), 9),
        (log[1:], 2),
        (changed(log, 0, hidden={}), 1),
    ):
        assert fault_in(records).version in {1, version}


def rewritten(steps, change):
    """Write the events of a game again as its operator can, with another event for one of them."""
    game, records = steps[-1].game, []
    writer = Writer(game.secrets)
    for step in steps:
        events = history.named(game.ruleset, map(change, step.events))
        records += writer.write(events, step.records[0].at, step.records[0].request)
        writer = Writer(game.secrets, records[-1].version, records[-1].hash)
    return records


def test_a_running_game_that_was_rewritten_against_the_rules_is_named():
    steps = played("le-plateau", 2, 0)[:12]
    dealt = next(event for step in steps for event in step.events if type(event).__name__ == "HandDealt")
    assert verify_stored(rewritten(steps, lambda event: event)).fault is None
    fault = fault_in(rewritten(steps, lambda event: replace(event, deal_number=2) if event is dealt else event))
    assert fault.field == "/data/deal_number"


def test_who_can_see_a_hidden_part_is_compared_too():
    records = log_of(played("le-plateau", 2, 0)[:12])
    number = next(n for n, each in enumerate(records) if each.type == "hand_dealt")
    pointer, part = next((at, part) for at, part in records[number].hidden.items() if part.to == (0,))
    hidden = {**records[number].hidden, pointer: Hidden((0, 1), part.value)}
    fault = fault_in(changed(records, number, hidden=hidden))
    assert (fault.version, fault.field) == (number + 1, f"/hidden{pointer}/to")


def test_times_that_go_back_and_events_after_the_end_are_named(log):
    steps = played("plateau", 2, 0)
    game, last = steps[-1].game, steps[-1].records
    early = Writer(game.secrets, log[-len(last) - 1].version, log[-len(last) - 1].hash)
    events = history.named(game.ruleset, steps[-1].events)
    assert fault_in([*log[: -len(last)], *early.write(events, "2020-01-01T00:00:00.000Z", "r")]).field == "/at"
    after = Writer(game.secrets, log[-1].version, log[-1].hash).write(events[-1:], log[-1].at, "r")
    assert fault_in([*log, *after]).expected.startswith("no event after")


def test_rules_that_are_not_installed_are_said_not_to_be(log, monkeypatch):
    monkeypatch.setattr(stored, "RULESETS", {name: each for name, each in RULESETS.items() if name != "plateau"})
    report = verify_stored(log)
    assert (report.fault, len(report.unchecked)) == (None, 1)
