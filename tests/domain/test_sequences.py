"""Sequences made item by item: they are in length, order and content what listing everything gives.

Tables of what each kind of event changes in a state.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import chain, combinations, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.recording import Part, recorded_by, replaced, unchanged
from domain.sequences import Joined, Mapped, Pairs, Subsets, Unmade, joined, spanning

SMALL = [(size, chosen) for size in range(8) for chosen in range(9)]


def boxed(item):
    return (item,)


def parts(level):
    """Sequences of every kind, inside one another: each with the list that it stands for. Only sets hold letters."""
    plain = st.lists(st.integers(0, 9), max_size=5).map(lambda items: (tuple(items), items))
    sets = st.tuples(st.integers(0, 6), st.integers(0, 7)).map(
        lambda drawn: (Subsets(tuple("abcdef"[: drawn[0]]), drawn[1]), [*combinations("abcdef"[: drawn[0]], drawn[1])])
    )
    if not level:
        return plain | sets
    inner = parts(level - 1)
    return (
        inner
        | inner.map(lambda part: (Mapped(boxed, part[0]), [*map(boxed, part[1])]))
        | st.tuples(inner, inner).map(lambda two: (Pairs(two[0][0], two[1][0]), [*product(two[0][1], two[1][1])]))
        | st.lists(inner, max_size=3).map(
            lambda several: (joined(*(one for one, _ in several)), [*chain(*(listed for _, listed in several))])
        )
    )


@pytest.mark.sampled
@pytest.mark.parametrize(("size", "chosen"), SMALL)
def test_every_subset_is_found_by_its_place_among_the_combinations(size, chosen):
    items = tuple("abcdefg"[:size])
    subsets, listed = Subsets(items, chosen), [*combinations(items, chosen)]
    assert len(subsets) == len(listed)
    assert [subsets[place] for place in range(len(subsets))] == [*subsets] == listed


@given(st.integers(0, 40), st.integers(0, 40), st.data())
def test_any_subset_of_many_follows_the_one_before_it(size, chosen, data):
    subsets = Subsets(tuple(range(size)), chosen)
    assert len(subsets) == comb(size, chosen)
    if len(subsets) > 1:
        place = data.draw(st.integers(0, len(subsets) - 2))
        one, following = subsets[place : place + 2]
        moved = next(i for i in reversed(range(chosen)) if one[i] < size - chosen + i)
        assert following == (*one[:moved], *range(one[moved] + 1, one[moved] + 1 + chosen - moved))


def test_the_last_of_a_number_of_subsets_that_nobody_could_list_is_found_at_once():
    subsets = Subsets(tuple(range(60)), 30)
    assert len(subsets) == 118264581564861424
    assert subsets[-1] == tuple(range(30, 60))
    assert subsets[0] == tuple(range(30))


@given(parts(2), st.slices(40))
def test_length_items_slices_and_iteration_are_those_of_the_list(part, piece):
    sequence, listed = part
    assert len(sequence) == len(listed)
    assert [*sequence] == [sequence[place] for place in range(len(sequence))] == listed
    assert [sequence[-place] for place in range(1, len(listed) + 1)] == listed[::-1]
    assert [*sequence[piece]] == listed[piece]
    for place in (len(listed), -len(listed) - 1):
        with pytest.raises(IndexError):
            sequence[place]


@given(parts(2))
def test_a_few_items_show_what_all_items_hold_and_in_which_order(part):
    sequence, listed = part
    few = [*spanning(sequence)]
    assert few[:1] == listed[:1]
    assert not Counter(few) - Counter(listed)
    assert first_seen(few) == first_seen(listed)


def first_seen(items):
    """By place in an item: the values found there, in the order in which they are first seen."""
    seen = {}
    for item in items:
        for place, value in leaves(item, ()):
            seen.setdefault(place, {}).setdefault(value)
    return {place: [*values] for place, values in seen.items()}


def leaves(item, place):
    """Return the values within nested tuples with their places; a set's members share one, its size has another."""
    if isinstance(item, tuple):
        yield (*place, "size"), len(item)
        for number, member in enumerate(item):
            yield from leaves(member, (*place, "member" if isinstance(member, str) else number))
    else:
        yield place, item


def test_few_of_very_many_items_are_few():
    many = Mapped(str, Joined((Pairs(Subsets(tuple(range(60)), 30), Subsets(tuple(range(50)), 20)), tuple("ab"))))
    assert len([*spanning(many)]) == 31 + 31 - 1 + 2


def test_sequences_made_alike_are_equal_and_others_are_not():
    def made(size, cards="abc", make=str):
        return Mapped(make, Joined((Subsets(tuple(cards), size), Pairs((1, 2), tuple(cards)))))

    assert made(2) == made(2)
    assert hash(made(2)) == hash(made(2))
    assert made(2) not in (made(1), made(2, "abd"), made(2, make=repr), [*made(2)])


def test_one_part_alone_is_not_wrapped_and_no_part_is_nothing():
    assert joined((), (1, 2), Subsets((), 1)) == (1, 2)
    assert joined() == joined((), ()) == ()
    assert isinstance(joined((1,), (2,)), Unmade)


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
