"""The declaration of every event fits all logs that were ever written."""

from collections.abc import Iterator

from domain import field_types as ft
from domain.events import EVENTS
from domain.log.chain import THOUGHT
from domain.registry import BUILT_IN
from service.store.codec import record_of
from tests.recorded.record import recording


def recorded() -> Iterator[tuple[str, type, set[str]]]:
    """Return, for each recorded event, its type, its class of today, and the fields that it has."""
    rulesets = {ruleset.id: ruleset for ruleset in BUILT_IN}
    for game in recording():
        classes = {**EVENTS, **rulesets[game.ruleset].events}
        for entry_id, entry in game.stored():
            record = record_of(game.game, entry_id, {b"e": entry})
            of_hidden = {pointer.split("/")[1] for pointer in record.hidden if pointer != THOUGHT}
            seat = set() if record.seat is None else {"seat"}
            yield record.type, classes[record.type], {*record.data, *of_hidden, *seat}


def test_no_field_was_removed_or_renamed_and_every_later_one_can_be_left_out() -> None:
    for name, cls, has in recorded():
        declared = {field.key: field for field in ft.fields_of(cls)}
        assert has <= declared.keys(), f"{name}: a field is gone: {has - declared.keys()}"
        lacks = {key for key, field in declared.items() if key not in has and not field.omittable}
        assert not lacks, f"{name}: fields that later releases added are not Omittable: {lacks}"


def test_the_events_that_every_game_has_are_recorded_but_for_a_few() -> None:
    found = {cls for _, cls, _ in recorded()}
    missing = {name for name, cls in EVENTS.items() if cls not in found}
    assert missing == {
        "seeds_awaited", "seed_opened", "seeds_closed", "timeout_claimed", "time_credited", "operator_acted",
    }  # fmt: skip
