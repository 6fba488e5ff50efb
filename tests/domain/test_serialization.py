"""Plain data: dataclasses written as JSON can hold them, and read back.

Field types: each type hint is described by one record.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.field_types import (
    Anything,
    Boolean,
    Bounds,
    Integer,
    ListOf,
    MapOf,
    Nested,
    Omittable,
    OneOf,
    OrNone,
    Pattern,
    Text,
    describe,
    doc,
    fields_of,
    secret,
)
from domain.serialization import changed, from_plain, to_plain
from tests.support.random_games import played
from tests.support.sampling import every_table, part


@dataclass(frozen=True)
class Point:
    from_: int
    name: str | None = None


@dataclass(frozen=True)
class Drawing:
    points: tuple[Point, ...]
    colour: Literal["red", "blue"]
    hidden: str = secret()
    size: Annotated[int, Bounds(1, 9)] = doc("How large.", default=3)
    first: Point | None = None
    tags: tuple[str, ...] = ()
    names: Mapping[str, int] = field(default_factory=dict)
    code: Annotated[str, Pattern("x+", "code")] = "x"


@dataclass(frozen=True)
class Atlas:
    pages: Mapping[str, tuple[Point, ...]]
    notes: Mapping[str, Point | None]


DRAWING = Drawing((Point(1, "a"), Point(2)), "red", "h", 4, Point(3), ("t",), {"n": 1}, "xx")
PLAIN = {
    "points": [{"from": 1, "name": "a"}, {"from": 2, "name": None}],
    "colour": "red",
    "size": 4,
    "first": {"from": 3, "name": None},
    "tags": ["t"],
    "names": {"n": 1},
    "code": "xx",
    "hidden": "h",
}


def test_a_changed_copy_differs_in_the_named_fields_alone():
    assert changed(DRAWING, size=5, colour="blue") == replace(DRAWING, size=5, colour="blue")
    assert DRAWING.size == 4


def test_a_copy_gets_no_field_that_its_class_does_not_have():
    with pytest.raises(TypeError, match=r"^Drawing has no field secret, seize$"):
        changed(DRAWING, size=5, seize=5, secret=[1, 2])


def test_a_dataclass_is_written_field_by_field_keywords_without_their_underscore():
    assert to_plain(DRAWING) == PLAIN
    assert json.loads(json.dumps(to_plain(DRAWING))) == PLAIN


def test_what_was_written_is_read_back():
    assert from_plain(Drawing, PLAIN) == DRAWING


def test_missing_fields_take_their_defaults():
    short = {"points": [], "colour": "blue", "hidden": ""}
    assert from_plain(Drawing, short) == Drawing((), "blue", "")


def test_a_set_is_written_in_order():
    assert to_plain(frozenset({"c", "a", "b"})) == ["a", "b", "c"]


def test_a_secret_field_stays_out_of_the_repr():
    assert "hidden" not in repr(Drawing((), "red", "psst"))
    assert "psst" not in repr(Drawing((), "red", "psst"))


def test_a_mapping_of_dataclasses_is_written_and_read_back():
    atlas = Atlas({"a": (Point(1), Point(2, "b"))}, {"n": None})
    plain = {"pages": {"a": [{"from": 1, "name": None}, {"from": 2, "name": "b"}]}, "notes": {"n": None}}
    assert to_plain(atlas) == plain
    assert from_plain(Atlas, plain) == atlas


@settings(max_examples=part(100))
@given(st.lists(st.tuples(st.integers(), st.none() | st.text()), max_size=5), st.integers(), st.text())
def test_writing_and_reading_are_inverse(points, size, hidden):
    drawing = Drawing(tuple(Point(*point) for point in points), "red", hidden, size)
    assert from_plain(Drawing, json.loads(json.dumps(to_plain(drawing)))) == drawing


@dataclass(frozen=True)
class Offer:
    price: Annotated[int | None, Omittable()]
    goods: str


@pytest.mark.parametrize(
    ("offer", "plain"), [(Offer(3, "a"), {"price": 3, "goods": "a"}), (Offer(None, "a"), {"goods": "a"})]
)
def test_an_omittable_field_is_left_out_where_it_is_none(offer, plain):
    assert to_plain(offer) == plain
    assert from_plain(Offer, plain) == offer


@pytest.mark.parametrize(("ruleset_id", "seats", "variant"), every_table())
def test_every_event_action_and_view_of_a_game_survives_json(ruleset_id, seats, variant):
    for number, step in enumerate(played(ruleset_id, seats, 4, variant)):
        for value in (*step.events, *([step.action] if step.action is not None else [])):
            assert from_plain(type(value), json.loads(json.dumps(to_plain(value)))) == value
        for viewer in (*range(seats), None) if step.game.state is not None and number % 5 == 0 else ():
            view = step.game.ruleset.project(step.game.state, viewer)
            received = orjson.loads(orjson.dumps(view))
            assert (received, [*received]) == (to_plain(view), [*to_plain(view)])
            assert from_plain(type(view), received) == view


CODE, SIZE = Pattern("x+", "letter"), Bounds(1, 9)


@dataclass(frozen=True)
class Place:
    """A place with a name."""

    from_: int
    name: str | None = None


class Answer(TypedDict):
    """An answer with a part that can be left out."""

    points: list[Place]
    comment: NotRequired[str]


@dataclass(frozen=True)
class Sketch:
    """A dataclass with a field of every manner of declaration."""

    hidden: str = secret()
    owned: str = secret("size")
    size: Annotated[int, SIZE] = doc("How large.", default=3)
    price: Annotated[int | None, Omittable()] = None
    names: Mapping[str, int] = field(default_factory=dict)


@pytest.mark.parametrize(
    ("hint", "described"),
    [
        (str, Text()),
        (int, Integer()),
        (bool, Boolean()),
        (Any, Anything()),
        (Annotated[str, CODE], Text(CODE)),
        (Annotated[int, SIZE], Integer(SIZE)),
        (Literal["red", 2], OneOf(("red", 2))),
        (Annotated[int, SIZE] | None, OrNone(Integer(SIZE))),
        (Place | None, OrNone(Nested(Place))),
        (tuple[Place, ...], ListOf(Nested(Place))),
        (tuple[int, int], ListOf(Integer())),
        (list[str], ListOf(Text())),
        (Sequence[tuple[bool, ...]], ListOf(ListOf(Boolean()))),
        (Mapping[str, Answer], MapOf(Nested(Answer))),
        (dict[str, Any], MapOf(Anything())),
        (dict, MapOf(Anything())),
        (NotRequired[str], Text()),
    ],
)
def test_a_type_hint_is_described(hint, described):
    assert describe(hint) == described


@pytest.mark.parametrize("hint", [float, object, set[str], int | str, tuple[int, str], tuple[float, ...], None])
def test_a_type_that_no_field_can_have_is_rejected(hint):
    with pytest.raises(TypeError, match="a field cannot have"):
        describe(hint)


def test_the_values_of_a_literal_keep_their_order():
    assert (describe(Literal["a", "b"]), describe(Literal["b", "a"])) == (OneOf(("a", "b")), OneOf(("b", "a")))


def test_a_field_has_a_key_without_the_underscore_of_a_keyword():
    assert [(field.name, field.key) for field in fields_of(Place)] == [("from_", "from"), ("name", "name")]


def test_a_field_is_required_unless_it_has_a_default_or_can_be_omitted():
    assert [field.required for field in fields_of(Place)] == [True, False]
    assert [field.key for field in fields_of(Sketch) if field.required] == ["hidden", "owned"]
    assert [(field.key, field.required) for field in fields_of(Answer)] == [("points", True), ("comment", False)]


def test_a_field_carries_its_default_its_sentence_and_the_seats_that_see_it():
    hidden, owned, size, _, names = fields_of(Sketch)
    assert (size.type, size.default, size.doc, size.secret_to) == (Integer(SIZE), 3, "How large.", None)
    assert (hidden.secret_to, owned.secret_to) == ((), ("size",))
    assert (names.type, names.default, names.doc) == (MapOf(Integer()), None, "")


def test_an_omittable_field_has_the_type_that_it_has_where_it_appears():
    price = fields_of(Sketch)[3]
    assert (price.type, price.omittable, price.required) == (Integer(), True, False)
