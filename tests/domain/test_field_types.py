"""Field types: each type hint is described by one record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

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

CODE, SIZE = Pattern("x+", "letter"), Bounds(1, 9)


@dataclass(frozen=True)
class Point:
    """A place with a name."""

    from_: int
    name: str | None = None


class Answer(TypedDict):
    """An answer with a part that can be left out."""

    points: list[Point]
    comment: NotRequired[str]


@dataclass(frozen=True)
class Drawing:
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
        (Point | None, OrNone(Nested(Point))),
        (tuple[Point, ...], ListOf(Nested(Point))),
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
    assert [(field.name, field.key) for field in fields_of(Point)] == [("from_", "from"), ("name", "name")]


def test_a_field_is_required_unless_it_has_a_default_or_can_be_omitted():
    assert [field.required for field in fields_of(Point)] == [True, False]
    assert [field.key for field in fields_of(Drawing) if field.required] == ["hidden", "owned"]
    assert [(field.key, field.required) for field in fields_of(Answer)] == [("points", True), ("comment", False)]


def test_a_field_carries_its_default_its_sentence_and_the_seats_that_see_it():
    hidden, owned, size, _, names = fields_of(Drawing)
    assert (size.type, size.default, size.doc, size.secret_to) == (Integer(SIZE), 3, "How large.", None)
    assert (hidden.secret_to, owned.secret_to) == ((), ("size",))
    assert (names.type, names.default, names.doc) == (MapOf(Integer()), None, "")


def test_an_omittable_field_has_the_type_that_it_has_where_it_appears():
    price = fields_of(Drawing)[3]
    assert (price.type, price.omittable, price.required) == (Integer(), True, False)
