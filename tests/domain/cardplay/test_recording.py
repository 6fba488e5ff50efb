"""Tables of what events change in a part of a state, shared by the card games."""

from dataclasses import dataclass

from domain.cardplay.recording import Part, replaced, unchanged, without


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


def test_one_hand_loses_cards_and_keeps_its_order():
    assert without((("RH", "1S", "T1"), ("DH",)), 0, ("1S",)) == (("RH", "T1"), ("DH",))


def test_one_item_is_replaced():
    assert replaced((1, 2, 3), 1, 5) == (1, 5, 3)
