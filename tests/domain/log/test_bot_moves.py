"""A move of a bot says in its first event which bot it was at once, and what led to the move after the end."""

import copy
import json
from dataclasses import dataclass

import pytest

from domain.chance import bot_seed
from domain.field_types import secret
from domain.log import chain
from domain.log.bot_moves import BotMove, Thinking
from domain.log.record import Writer, visible
from domain.log.redaction import prepare
from domain.log.secrets import Secrets

SECRET = bytes(range(32))
SECRETS = Secrets("gm_1", SECRET)
MOVE = BotMove("searcher", 2, 1000, Thinking(7, 640, "policy"))
PUBLIC = {"name": "searcher", "version": 2, "playouts": 1000}
THOUGHT = {"seed": 7, "done": 640, "chosen": "policy"}


@dataclass(frozen=True)
class Put:
    """An event with a field of the same name and a secret."""

    seat: int
    bot: str
    card: str = secret("seat")


def log(by=MOVE):
    """Return the records of a move of two events."""
    return Writer(SECRETS).write([("put", Put(1, "x", "RH")), ("put", Put(1, "y", "EX"))], "at", "rq", by)


def seen(records, viewer, *, over=False):
    """Return a log as a viewer receives it: plain JSON."""
    return json.loads(json.dumps([visible(record, SECRETS, viewer, everything=over) for record in records]))


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_while_the_game_runs_nobody_sees_what_led_to_a_move_not_even_its_seat(viewer):
    first, second = seen(log(), viewer)
    assert first["bot"] == PUBLIC
    assert chain.THOUGHT in first["sealed"]
    assert chain.THOUGHT not in first["salts"]
    assert "bot" not in second


def test_the_end_reveals_it_beside_the_data_of_the_event():
    first, _ = seen(log(), None, over=True)
    assert first["bot"] == PUBLIC | {"thought": THOUGHT}
    assert first["data"] == {"bot": "x", "card": "RH"}


@pytest.mark.parametrize("viewer", [None, 0, 1])
@pytest.mark.parametrize("over", [False, True])
def test_every_viewer_computes_the_same_chain(viewer, over):
    records = log()
    assert chain.verify(seen(records, viewer, over=over)) == records[-1].hash


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda bot: bot.update(name="random"), "hash"),
        (lambda bot: bot.update(playouts=10), "hash"),
        (lambda bot: bot["thought"].update(done=639), "seal"),
        (lambda bot: bot.pop("thought"), "seal"),
        (lambda bot: bot.clear(), "seal"),
    ],
)
def test_anyone_who_changes_anything_of_it_breaks_the_chain(change, fault):
    events = copy.deepcopy(seen(log(), None, over=True))
    change(events[0]["bot"])
    with pytest.raises(chain.BrokenChain, match=fault):
        chain.verify(events)


def test_a_bot_that_did_not_move_cannot_be_added_nor_left_out():
    without, events = seen(log(by=None), None, over=True), seen(log(), None, over=True)
    without[0]["bot"] = PUBLIC
    del events[0]["bot"]
    for changed in (without, events):
        with pytest.raises(chain.BrokenChain):
            chain.verify(changed)


def test_a_move_of_a_player_is_written_as_it_was_before_bots_were_noted():
    record = log(by=None)[0]
    assert record.sealed_form().keys() == {"game_id", "version", "type", "at", "seat", "data", "sealed"}


def test_what_folds_does_not_depend_on_the_bot():
    assert log()[0].whole_data() == log(by=None)[0].whole_data() == {"seat": 1, "bot": "x", "card": "RH"}


def test_the_place_of_what_a_bot_thought_cannot_be_taken_by_an_event():
    @dataclass(frozen=True)
    class Taken:
        bot: Put

    with pytest.raises(TypeError, match="a field named bot"):
        prepare(Taken)


def test_seeds_are_of_32_bits_and_differ_by_secret_game_seat_version_and_bot():
    asked = [
        (SECRET, "gm_1", 0, 5, ("random", 1)),
        (bytes(32), "gm_1", 0, 5, ("random", 1)),
        (SECRET, "gm_2", 0, 5, ("random", 1)),
        (SECRET, "gm_1", 1, 5, ("random", 1)),
        (SECRET, "gm_1", 0, 6, ("random", 1)),
        (SECRET, "gm_1", 0, 5, ("greedy", 1)),
        (SECRET, "gm_1", 0, 5, ("random", 2)),
    ]
    drawn = [bot_seed(*each) for each in asked]
    assert len({*drawn}) == len(asked)
    assert all(0 <= seed < 2**32 for seed in drawn)
    assert drawn == [bot_seed(*each) for each in asked]
