"""Legal actions as they are narrowed: every action is a leaf, a row of slots, one for each of its fields.

A field that lists scalars is a bag: things go into it in any order. Leaves are made from a list of actions, or from a
schema where the list would be too long.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

Scalar: TypeAlias = str | int | bool | None
Action: TypeAlias = Mapping[str, Any]
Schema: TypeAlias = Mapping[str, Any]
Kinds: TypeAlias = Mapping[str, str]
"""The kind of thing that each field stands for: ``give.gifts.seat`` → ``seat``."""


@dataclass(frozen=True, slots=True)
class Bag:
    """How many values a slot takes, and whether one can come twice."""

    least: int
    most: int
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """A field of an action by its path (``gifts.0.seat``), the values that it can have, and what these stand for."""

    path: str
    kind: str | None
    values: Sequence[Scalar]
    bag: Bag = Bag(1, 1)
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Leaf:
    """An action, in words too; or a form that many actions have, where ``action`` is None."""

    slots: Sequence[Slot]
    action: Action | None = None
    says: str | None = None
    empty: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    leaf: Leaf
    filled: Mapping[str, Sequence[Scalar]] = field(default_factory=dict)

    def held(self, slot: Slot) -> Sequence[Scalar]:
        return self.filled.get(slot.path, ())

    def candidates(self, slot: Slot) -> list[Scalar]:
        left = list(slot.values)
        if len(self.held(slot)) >= slot.bag.most:
            return []
        for value in () if slot.bag.repeats else self.held(slot):
            if value in left:
                left.remove(value)
        return left

    def filling(self, slot: Slot, values: Iterable[Scalar]) -> "Branch":
        return Branch(self.leaf, {**self.filled, slot.path: (*self.held(slot), *values)})

    def open_slots(self) -> Iterator[Slot]:
        return (slot for slot in self.leaf.slots if len(self.held(slot)) < slot.bag.most)

    @property
    def is_complete(self) -> bool:
        return all(len(self.held(slot)) >= slot.bag.least for slot in self.leaf.slots)

    def action(self) -> Action:
        if self.leaf.action is not None:
            return self.leaf.action
        made: dict[str, Any] = {}
        for path in self.leaf.empty:
            _put(made, path, [])
        for slot in self.leaf.slots:
            held = [*self.held(slot)]
            if slot.is_list or held[0] is not None:
                _put(made, slot.path, held if slot.is_list else held[0])
        return made


def leaves_of(actions: Sequence[Action], kinds: Kinds, says: Sequence[str]) -> list[Leaf]:
    """List what is narrowed; ``says`` are the actions in words. Actions of a type get the same slots."""
    fields: dict[str, dict[str, None]] = {}
    for action in actions:
        fields.setdefault(action["type"], {}).update(dict.fromkeys(action))
    return [
        Leaf([slot for name in fields[each["type"]] for slot in _slots(each.get(name), name, each, kinds)], each, said)
        for each, said in zip(actions, says, strict=True)
    ]


def leaves_of_schema(schema: Schema, kinds: Kinds) -> list[Leaf]:
    """List what is narrowed, from a schema: a leaf for each type of action and each length of its lists of objects."""
    return [leaf for each in schema.get("oneOf", [schema]) for leaf in _forms_of(each["properties"], kinds)]


def kinds_in(actions: Mapping[str, Schema]) -> dict[str, str]:
    """Read from the schemas of a ruleset's actions, by their types, which fields stand for things."""
    kinds: dict[str, str] = {}
    for name, schema in actions.items():
        _look(schema, name, schema, kinds)
    return kinds


def _look(given: Schema, path: str, whole: Schema, kinds: dict[str, str]) -> None:
    part = whole.get("$defs", {}).get(given["$ref"].rpartition("/")[2], {}) if "$ref" in given else given
    if "x-pick" in part:
        kinds[path] = part["x-pick"]
    for name, inner in part.get("properties", {}).items():
        _look(inner, f"{path}.{name}", whole, kinds)
    inner_parts = [
        part.get("items"),
        *(each for key in ("prefixItems", "oneOf", "anyOf") for each in part.get(key, ())),
    ]
    for inner in inner_parts:
        if isinstance(inner, Mapping):
            _look(inner, path, whole, kinds)


def named(action_type: object, path: str) -> str:
    """Name a field as the service does, without the places in lists: ``give.gifts.seat``."""
    return ".".join(part for part in f"{action_type}.{path}".split(".") if not part.isdigit())


def _slots(value: Any, path: str, action: Action, kinds: Kinds) -> Iterator[Slot]:
    """List the slots of a value, which it fills by itself."""
    kind = kinds.get(named(action["type"], path))
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _slots(inner, f"{path}.{name}", action, kinds)
    elif not isinstance(value, list):
        yield Slot(path, kind, (value,))
    elif any(isinstance(item, Mapping) for item in value):
        for place, item in enumerate(value):
            yield from _slots(item, f"{path}.{place}", action, kinds)
    else:
        yield Slot(path, kind, tuple(value), Bag(len(value), len(value)), is_list=True)


def _forms_of(properties: Mapping[str, Schema], kinds: Kinds, within: str = "", of: str = "") -> list[Leaf]:
    action_type = of or str(_values(properties["type"])[0])
    parts = [
        _forms(part, f"{within}{name}", action_type, kinds)
        for name, part in properties.items()
        if within or name != "decision_id"
    ]
    return [
        Leaf([slot for part in parts for slot in part.slots], empty=[path for part in parts for path in part.empty])
        for parts in product(*parts)
    ]


def _forms(part: Schema, path: str, action_type: str, kinds: Kinds) -> list[Leaf]:
    kind = kinds.get(named(action_type, path))
    if part.get("type") == "object":
        return _forms_of(part["properties"], kinds, f"{path}.", action_type)
    if part.get("type") != "array":
        return [Leaf([Slot(path, kind, _values(part))])]
    least, most = part["minItems"], part["maxItems"]
    if part.get("items", {}).get("type") != "object":
        values = _values(part["items"]) if "items" in part else ()
        return [Leaf([Slot(path, kind, values, Bag(least, most, not part.get("uniqueItems")), is_list=True)])]
    forms = []
    for length in range(least, most + 1):
        items = {str(place): part["items"] for place in range(length)}
        forms += _forms_of(items, kinds, f"{path}.", action_type) if items else [Leaf([], empty=[path])]
    return forms


def _values(part: Schema) -> tuple[Scalar, ...]:
    return tuple(part["enum"]) if "enum" in part else (part["const"],)


def _put(target: dict[str, Any], path: str, value: Any) -> None:
    """Put a value at a path; the places in a list come in order."""
    *way, last = path.split(".")
    inner: Any = target
    for part, after in zip(way, [*way, last][1:], strict=True):
        inner = _entered(inner, part, [] if after.isdigit() else {})
    if isinstance(inner, list):
        inner.append(value)
    else:
        inner[last] = value


def _entered(within: Any, part: str, missing: Any) -> Any:
    if isinstance(within, dict):
        return within.setdefault(part, missing)
    if int(part) == len(within):
        within.append(missing)
    return within[int(part)]
