"""What is left of a plan after what has happened since it was made."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.log.record import Record
from domain.log.redaction import Hidden
from service.games.commit import seats_to_act
from service.games.plans.plan import Plan, are_outdated, carried, read, written
from tests.support.random_games import played
from tests.support.sampling import TABLES

PASS: Any = {"action": {"type": "pass"}}


def record(kind: str, seat: int | None = None, hidden: Mapping[str, Hidden] | None = None, version: int = 9) -> Record:
    return Record("gm_1", version, kind, "2026-01-01T00:00:00.000Z", seat, {}, {}, "", hidden or {}, "")


DEAL = {"/hands/0": Hidden((0,), [])}


@pytest.mark.parametrize(
    ("since", "is_outdated"),
    [
        (record("bid_made", 1), False),
        (record("bid_made", 2), True),
        (record("proposal_made", 2), False),
        (record("vote_cast", 2), False),
        (record("hand_dealt", None, DEAL), True),
        (record("cards_discarded", 1, {"/cards": Hidden((1,), [])}), False),
        (record("trick_won"), False),
        (record("taken_back"), True),
        (record("game_resumed"), False),
    ],
    ids=lambda value: getattr(value, "type", str(value)),
)
def test_steps_are_outdated_by_what_changes_their_ground(since: Record, is_outdated: bool) -> None:
    game = played("le-plateau", 4, 0)[-1].game
    assert are_outdated(2, game, [record("bid_made", 0), since]) is is_outdated
    assert not are_outdated(2, game, [])


@pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
def test_in_every_game_steps_do_not_outlive_a_deal(ruleset_id: str, seats: int) -> None:
    dealt = [step for step in played(ruleset_id, seats, 0) if any("dealt" in each.type for each in step.records)]
    assert bool(dealt) == (ruleset_id != "plateau")
    for step in dealt:
        records = [each for each in step.records if "dealt" in each.type]
        assert all(are_outdated(seat, step.game, records) for seat in range(seats))


def test_a_plan_is_stored_only_if_it_says_something() -> None:
    assert written(Plan("pl_a", 3)) == b""
    for plan in (Plan("pl_a", 3, [PASS]), Plan("pl_a", 3, [], forced=True)):
        assert read(written(plan)) == plan


ACTED = [record("bid_made", 2, version=7), record("contract_won", 2, version=8), record("phase_began", version=9)]


@pytest.mark.parametrize(
    ("records", "since"),
    [
        (ACTED, 8),
        ([ACTED[0], record("hand_dealt", None, DEAL, 8), record("bid_made", 2, version=9)], 7),
        ([record("unit_moved", version=7), record("turn_began", version=8)], 7),
    ],
)
def test_the_rest_of_a_plan_goes_on_from_what_its_seat_did(records: list[Record], since: int) -> None:
    change = carried(2, b"known", Plan("pl_a", 3, [PASS]), records)
    assert (change.seat, change.known, read(change.rest).since) == (2, b"known", since)
    assert carried(2, b"known", Plan("pl_a", 3), records).rest == b""


def test_steps_are_in_no_repr() -> None:
    assert "pass" not in repr(Plan("pl_a", 3, [PASS]))
    assert "known" not in repr(carried(2, b"known", Plan("pl_a", 3, [PASS]), ACTED)).replace("known=", "")


def test_bots_do_not_plan() -> None:
    for step in played("plateau", 2, 0):
        assert seats_to_act(step.game) == list(step.game.waiting_for)
