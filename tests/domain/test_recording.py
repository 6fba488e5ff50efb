"""Tables of what each kind of event changes in a state."""

from dataclasses import dataclass

import pytest

from domain.recording import Part, recorded_by, replaced, unchanged


@dataclass(frozen=True)
class _Table:
    trick: tuple[str, ...] = ()
    tricks: int = 0


@dataclass(frozen=True)
class _State:
    phase: str
    table: _Table


@dataclass(frozen=True)
class _Played:
    card: str


_TABLE: Part[_State, _Table] = Part("table")
_STATE = _State("play", _Table(("RH",), 3))


def test_an_event_changes_fields_of_one_part_and_nothing_else():
    record = _TABLE.on(_Played, lambda table, event: {"trick": (*table.trick, event.card)})[_Played]
    assert record(_STATE, _Played("1S")) == _State("play", _Table(("RH", "1S"), 3))
    assert _STATE.table.trick == ("RH",)


def test_a_part_is_changed_in_its_state():
    assert _TABLE.changed(_STATE, tricks=4) == _State("play", _Table(("RH",), 4))


def test_some_events_change_nothing():
    assert unchanged(_STATE, _Played("1S")) is _STATE


def test_every_event_is_recorded_as_the_table_says_for_its_kind():
    evolve = recorded_by({_Played: lambda state, event: _TABLE.changed(state, trick=(event.card,)), str: unchanged})
    assert evolve(_STATE, _Played("1S")) == _State("play", _Table(("1S",), 3))
    assert evolve(_STATE, "a pass") is _STATE


def test_a_part_gets_no_field_that_it_does_not_have():
    with pytest.raises(TypeError, match=r"^_Table has no field trik$"):
        _TABLE.changed(_STATE, trik=())
    with pytest.raises(TypeError, match=r"^_Table has no field trik$"):
        _TABLE.on(_Played, lambda _, event: {"trik": event.card})[_Played](_STATE, _Played("1S"))


def test_one_item_is_replaced():
    assert replaced((1, 2, 3), 1, 5) == (1, 5, 3)
