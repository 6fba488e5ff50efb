"""Choosing an action by typing: each word narrows what a seat can do, until one action is left. It knows no game."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Protocol

from service.cli.play.slots import Action, Branch, Leaf, Scalar, Slot

# -- what can be chosen next: how it is numbered, and which words it fits -----------------------------------------


YES = "x"
"""What is typed for yes."""

UNNUMBERED = -1
"""The key of an option that is yet to be numbered."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be chosen next: a whole action, or a value of its next part. ``key`` is the number to type."""

    key: int
    label: str
    words: Sequence[str]
    branches: Sequence[Branch]
    value: Scalar = None
    path: str = ""


def words_of(text: str) -> list[str]:
    """Split text into words, as the notation separates them; ``~`` is the sign of what is turned over."""
    return [word for word in re.split(r"[\s.,:;>/+*!$%()\[\]|=]+", plain(text).replace("~", f" {YES} ")) if word]


def plain(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def written(value: Scalar) -> str:
    return YES if value is True else "" if value is False or value is None else plain(str(value))


def code_of(leaf: Leaf) -> list[str]:
    values = [written(value) for slot in leaf.slots if slot.path != "type" for value in slot.values]
    return [value for value in values if value] or [written(leaf.slots[0].values[0])]


def matching(word: str, options: Sequence[Option]) -> list[Option]:
    """List the options that a word fits: as a value if there is one, or else as the beginning of a word."""
    exact = [each for each in options if word in each.words]
    return exact or [each for each in options if _begins(word, each)]


def _begins(word: str, option: Option) -> bool:
    said = plain(option.label)
    spoken = (*option.words, *re.split(r"[\W_]+", said))
    return any(each.startswith(word) for each in spoken) or (not word.isascii() and word in said)


def numbered(options: Sequence[Option]) -> list[Option]:
    """Give each option the number to type: its own value if that is a number, or else the next one that is free."""
    own = {each.key: place for place, each in reversed([*enumerate(options)]) if each.key != UNNUMBERED}
    free = (number for number in count(1) if number not in own)
    return [each if own.get(each.key) == place else replace(each, key=next(free)) for place, each in enumerate(options)]


# -- choosing an action by typing ---------------------------------------------------------------------------------

LISTED = 24
"""So many actions are offered as sentences; of more, the next part is chosen first."""


class Labels(Protocol):
    def __call__(self, action_type: str | None, slot: Slot, value: Scalar) -> str:
        """Name a value of a slot, in actions of a type if that is known."""

    def part(self, action_type: str | None, slot: Slot) -> str:
        """Name a slot."""

    def whole(self, action: Action) -> str:
        """Write an action for which there is no sentence."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What typed text means: what is left, and the first word that fits nothing, if any."""

    choice: "Choice"
    unknown: str | None = None


@dataclass(frozen=True)
class Choice:
    branches: Sequence[Branch]
    label: Labels
    depth: int = 0
    """How many words have been read to get here."""

    @classmethod
    def among(cls, leaves: Sequence[Leaf], label: Labels) -> "Choice":
        return cls(_agreed([Branch(leaf) for leaf in leaves]), label)

    @property
    def ready(self) -> Action | None:
        """The action that is chosen, if one alone is complete."""
        complete = [branch for branch in self.branches if branch.is_complete]
        return complete[0].action() if len(complete) == 1 and (self._is_over or self.depth) else None

    @property
    def _is_over(self) -> bool:
        return not any(True for branch in self.branches for _ in branch.open_slots())

    @property
    def is_begun(self) -> bool:
        return self.depth > 0

    def sentences(self) -> list[str]:
        return [branch.leaf.says for branch in self.branches if branch.leaf.says]

    @property
    def finished(self) -> bool:
        return self.ready is not None and self._is_over

    @property
    def says(self) -> str | None:
        complete = [branch for branch in self.branches if branch.is_complete]
        return complete[0].leaf.says if len(complete) == 1 else None

    @property
    def part(self) -> tuple[str | None, Slot] | None:
        """The type of action, if it is known, and the slot whose values are offered; None if whole actions are."""
        if self._are_listed:
            return None
        branch, slot = next(((branch, slot) for branch in self.branches for slot in branch.open_slots()), (None, None))
        return None if branch is None or slot is None else (_type_of(branch), slot)

    @property
    def held(self) -> Sequence[Scalar]:
        part = self.part
        return self.branches[0].held(part[1]) if part else ()

    def options(self) -> list[Option]:
        if self.finished:
            return []
        return numbered([*(self._actions() if self._are_listed else self._values())])

    def read(self, text: str) -> Reading:
        words = words_of(text)
        reading = self._narrowed(words) if words else Reading(self)
        return reading if reading.unknown else Reading(_without_yes(reading.choice, words))

    def _narrowed(self, words: Sequence[str]) -> Reading:
        shown = self.options()
        if len(words) == 1:
            option = next((each for each in shown if str(each.key) == words[0]), None)
            if option:
                return Reading(self._with(option.branches))
        now = self
        while words:
            if now._are_listed:
                return now._filtered(words)
            after = now._advanced(words[0], shown)
            if after is None:
                return Reading(now, words[0])
            now, words = after, words[1:]
        return Reading(now)

    @property
    def _are_listed(self) -> bool:
        return len(self.branches) <= LISTED and all(branch.leaf.says is not None for branch in self.branches)

    def _with(self, branches: Sequence[Branch]) -> "Choice":
        return replace(self, branches=_agreed(branches), depth=self.depth + 1)

    def _actions(self) -> Iterator[Option]:
        for branch in self.branches:
            code = code_of(branch.leaf)
            whole = [_whole(branch.leaf)]
            number = int(code[0]) if len(code) == 1 and code[0].isdecimal() else UNNUMBERED
            yield Option(number, branch.leaf.says or "", code, whole)

    def _values(self) -> Iterator[Option]:
        found: dict[tuple[str, Scalar], tuple[Slot, list[Branch]]] = {}
        for branch in self.branches:
            for slot in [*branch.open_slots()][:1]:
                for value in dict.fromkeys(branch.candidates(slot)):
                    _, those = found.setdefault((slot.path, value), (slot, []))
                    those.append(branch.filling(slot, [value]))
        for (path, value), (slot, branches) in found.items():
            label = self.label(_type_of(branches[0]), slot, value)
            only = branches[0].leaf.says if len(branches) == 1 else None
            number = value if type(value) is int and slot.kind is None else UNNUMBERED
            yield Option(number, only or label, [written(value)], branches, value, path)

    def _advanced(self, word: str, shown: Sequence[Option]) -> "Choice | None":
        """Fill the next slot that the word fits: by its value, by a number of the list, or by what it is called.

        Numbers of a set are those of the list ``shown`` when the line was typed.
        """
        branches = [after for branch in self.branches for after in _taking(branch, word)]
        if not branches:
            listed = shown if any(each.path == self._path for each in shown) else self.options()
            branches = self._chosen(next((each for each in listed if str(each.key) == word), None))
        if not branches:
            called = matching(word, self.options())
            branches = [*called[0].branches] if len(called) == 1 else []
        return self._with(branches) if branches else None

    @property
    def _path(self) -> str:
        part = self.part
        return part[1].path if part else ""

    def _chosen(self, option: Option | None) -> list[Branch]:
        if option is None:
            return []
        return [
            branch.filling(slot, [option.value])
            for branch in self.branches
            for slot in branch.open_slots()
            if slot.path == option.path and option.value in branch.candidates(slot)
        ]

    def _filtered(self, words: Sequence[str]) -> Reading:
        """Leave the actions that all words fit; one that is written with just these words, or ends so, is alone."""
        left = [*self._actions()]
        exact = [each for each in left if Counter(each.words) == Counter(words)]
        if len(exact) == 1:
            return Reading(self._with(exact[0].branches))
        for word in words:
            fitting = matching(word, left)
            if not fitting:
                return Reading(self, word)
            left = fitting
        in_order = [each for each in left if len(words) > 1 and [*each.words][-len(words) :] == [*words]]
        if len(in_order) == 1:
            left = in_order
        if len(left) == 1:
            return Reading(self._with(left[0].branches))
        chosen = {id(each.branches[0].leaf) for each in left}
        return Reading(replace(self, branches=[each for each in self.branches if id(each.leaf) in chosen]))


def _without_yes(choice: Choice, words: Sequence[str]) -> Choice:
    """Choose the action that says no where the others say yes, if it alone is left so and its values were written.

    So the notation writes it: ``y.trio`` is without exchange, and ``a1>b1`` turns nothing over.
    """
    leaves = [branch.leaf for branch in choice.branches]
    types = {leaf.action["type"] if leaf.action else None for leaf in leaves}
    plain = [leaf for leaf in leaves if not any(value is True for slot in leaf.slots for value in slot.values)]
    are_alike = len(leaves) > 1 and len(types) == 1 and None not in types
    if len(words) < 2 or not are_alike or len(plain) != 1 or Counter(words) - Counter(code_of(plain[0])):
        return choice
    return replace(choice, branches=[_whole(plain[0])], depth=choice.depth + 1)


def _whole(leaf: Leaf) -> Branch:
    return Branch(leaf, {slot.path: tuple(slot.values) for slot in leaf.slots})


def _type_of(branch: Branch) -> str | None:
    held = branch.filled.get("type")
    return str(held[0]) if held else None


def _taking(branch: Branch, word: str) -> list[Branch]:
    for slot in branch.open_slots():
        value = next((each for each in branch.candidates(slot) if written(each) == word), None)
        if value is not None:
            return [branch.filling(slot, [value])]
    return []


def _agreed(branches: Sequence[Branch]) -> list[Branch]:
    """Fill the slots for which all branches have the same and only value."""
    now = [*branches]
    for slot in now[0].leaf.slots if now else ():
        only = _only(now[0], slot)
        if only and all(_agrees(branch, slot.path, only) for branch in now):
            now = [branch.filling(_slot_at(branch, slot.path), only) for branch in now]
    return now


def _agrees(branch: Branch, path: str, only: Sequence[Scalar]) -> bool:
    slot = next((each for each in branch.leaf.slots if each.path == path), None)
    return slot is not None and sorted(map(repr, _only(branch, slot))) == sorted(map(repr, only))


def _slot_at(branch: Branch, path: str) -> Slot:
    return next(each for each in branch.leaf.slots if each.path == path)


def _only(branch: Branch, slot: Slot) -> Sequence[Scalar]:
    """Return what an open slot must be filled with; nothing if there is a choice."""
    values = branch.candidates(slot)
    needed = slot.bag.least - len(branch.held(slot))
    return values if len(values) == needed and not slot.bag.repeats else ()
