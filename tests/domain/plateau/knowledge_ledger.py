"""Who knows what of the pieces on the board: worked out from how they are handled, without the ruleset's code.

A *watcher* sees whole events and applies the one-hand rule itself, whatever faces the events list. A *reader* sees the
events as some viewer does, and learns only what they contain. Both must learn the same.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from domain.plateau import events as ev
from tests.domain.plateau.reference_rules import FACES

Piece = tuple[str, str, str]
"""Which piece it is, its upper and its lower face."""


def lying(kind: str, up: str) -> Piece:
    """Return a piece as it lies with a face up."""
    one, other = FACES[kind]
    return kind, up, other if up == one else one


@dataclass
class Ledger:
    """How the pieces lie, and what is known of each as it was placed."""

    stacks: dict[str, list[str]] = field(default_factory=dict)
    turned: set[str] = field(default_factory=set)
    codes: set[str] = field(default_factory=set)

    def learn(self, token: str, side: str, face: str) -> None:
        """Note the face that a piece shows above ("top") or hides below ("bottom"), as it lies now."""
        placed = "up" if (side == "top") != (token in self.turned) else "under"
        self.codes.add(f"{token} {placed} {face}")

    def learn_all(self, token: str, kind: str, top: str, bottom: str) -> None:
        """Note all of a piece, as it lies now."""
        self.codes.add(f"{token} is {kind}")
        self.learn(token, "top", top)
        self.learn(token, "bottom", bottom)

    def place(self, square: str, height: int, token: str) -> None:
        """Put a piece into a stack."""
        self.stacks.setdefault(square, []).insert(height, token)

    def flip(self, square: str) -> list[str]:
        """Turn the top piece over; name the pieces that show: itself and the one below."""
        top = self.stacks[square][-1]
        self.turned ^= {top}
        return self.stacks[square][-2:]

    def move(self, square: str, lift: int, stops: Sequence[tuple[str, int]], end: str) -> list[str]:
        """Carry pieces along; name those that show where some were taken away."""
        bared: list[str] = []
        hand: list[str] = []
        for place, count in ((square, lift), *stops):
            pile = self.stacks.setdefault(place, [])
            pile += hand
            hand = [pile.pop() for _ in range(count)][::-1]
            bared += pile[-1:]
        self.stacks.setdefault(end, []).extend(hand)
        return bared

    def take(self, square: str, tokens: Sequence[str]) -> list[str]:
        """Take pieces out of a stack; name those that stay and lay directly below one of them."""
        pile = self.stacks[square]
        below = [low for low, high in pairwise(pile) if high in tokens and low not in tokens]
        self.stacks[square] = [token for token in pile if token not in tokens]
        return below


@dataclass
class Watcher(Ledger):
    """Notes what a viewer knows; what an action uncovers is known from the next event on, which should show it."""

    truth: dict[str, Piece] = field(default_factory=dict)
    bared: list[str] = field(default_factory=list)

    def watch(self, event: Any, viewer: int | None) -> None:
        """Note one more event."""
        self.show(self.bared)
        self.bared = []
        watcher = _WATCHERS.get(type(event))
        if watcher is not None:
            watcher(self, event)
        if isinstance(event, ev.UnitOpened) and event.seat == viewer:
            self.know([event.lower_token, event.upper_token])
        if isinstance(event, ev.PieceOnboarded) and event.seat == viewer:
            self.know([event.token])

    def show(self, tokens: Sequence[str]) -> None:
        """Note the upper faces of pieces."""
        for token in tokens:
            self.learn(token, "top", self.as_it_lies(token)[1])

    def know(self, tokens: Sequence[str]) -> None:
        """Note all of some pieces."""
        for token in tokens:
            self.learn_all(token, *self.as_it_lies(token))

    def as_it_lies(self, token: str) -> Piece:
        """Return a piece as it lies now."""
        kind, up, under = self.truth[token]
        return (kind, under, up) if token in self.turned else (kind, up, under)

    def opened(self, event: ev.UnitOpened) -> None:
        """The upper piece shows its upper face."""
        self.truth[event.lower_token] = lying(event.lower.piece, event.lower.up)
        self.truth[event.upper_token] = lying(event.upper, event.top)
        self.place(event.square, 0, event.lower_token)
        self.place(event.square, 1, event.upper_token)
        self.show([event.upper_token])

    def onboarded(self, event: ev.PieceOnboarded) -> None:
        """The new piece shows its upper face, and so does what it is laid on, if others were lifted for it."""
        self.truth[event.token] = lying(event.piece, event.top)
        self.place(event.square, event.height, event.token)
        is_inside = 0 < event.height < len(self.stacks[event.square]) - 1
        self.bared = [self.stacks[event.square][event.height - 1]] if is_inside else []
        self.show([event.token])

    def moved(self, event: ev.UnitMoved) -> None:
        """What is turned over or left behind shows."""
        self.bared = self.flip(event.from_) if event.flipped else []
        stops = [(stop.square, stop.carry) for stop in event.stops]
        self.bared += self.move(event.from_, event.lift, stops, event.to)

    def stomped(self, event: ev.UnitStomped) -> None:
        """What is turned over shows."""
        self.bared = self.flip(event.square) if event.flipped else []

    def captured(self, event: ev.PiecesCaptured) -> None:
        """All of the captured shows, and the top of what stays directly below."""
        tokens = [piece.token for piece in event.pieces]
        self.know(tokens)
        self.show(self.take(event.square, tokens))

    def revealed(self, _event: ev.EverythingRevealed) -> None:
        """All shows."""
        self.know([token for stack in self.stacks.values() for token in stack])


_WATCHERS: Mapping[type, Callable[[Watcher, Any], None]] = {
    ev.UnitOpened: Watcher.opened,
    ev.PieceOnboarded: Watcher.onboarded,
    ev.UnitMoved: Watcher.moved,
    ev.UnitStomped: Watcher.stomped,
    ev.PiecesCaptured: Watcher.captured,
    ev.EverythingRevealed: Watcher.revealed,
}


class Reader(Ledger):
    """Notes what events contain, as a viewer sees them."""

    def read(self, event_type: str, data: dict[str, Any]) -> None:
        """Note one more event."""
        reader = _READERS.get(event_type)
        if reader is not None:
            reader(self, data)

    def opened(self, data: dict[str, Any]) -> None:
        """Two pieces, shown in full to their player."""
        lower, upper = data["lower_token"], data["upper_token"]
        self.place(data["square"], 0, lower)
        self.place(data["square"], 1, upper)
        self.learn(upper, "top", data["top"])
        if "lower" in data:
            self.learn_all(lower, *lying(data["lower"]["piece"], data["lower"]["up"]))
            self.learn_all(upper, *lying(data["upper"], data["top"]))

    def onboarded(self, data: dict[str, Any]) -> None:
        """A piece, shown in full to its player."""
        self.place(data["square"], data["height"], data["token"])
        self.learn(data["token"], "top", data["top"])
        if "piece" in data:
            self.learn_all(data["token"], *lying(data["piece"], data["top"]))

    def moved(self, data: dict[str, Any]) -> None:
        """Pieces change places."""
        if data["flipped"]:
            self.flip(data["from"])
        self.move(data["from"], data["lift"], [(stop["square"], stop["carry"]) for stop in data["stops"]], data["to"])

    def stomped(self, data: dict[str, Any]) -> None:
        """A piece is turned over, perhaps."""
        if data["flipped"]:
            self.flip(data["square"])

    def shown(self, faces: Sequence[dict[str, Any]]) -> None:
        """Upper faces, of pieces that must lie where the event puts them."""
        for face in faces:
            assert face["token"] in self.stacks[face["square"]]
            self.learn(face["token"], "top", face["face"])

    def captured(self, data: dict[str, Any]) -> None:
        """Pieces as they lay, from the top down."""
        tokens = [piece["token"] for piece in data["pieces"]]
        for piece in data["pieces"]:
            assert (piece["token"] in self.turned) == piece["turned"]
            self.learn_all(piece["token"], piece["piece"], piece["top"], piece["bottom"])
        self.take(data["square"], tokens)
        self.shown(data["shown"])

    def revealed(self, data: dict[str, Any]) -> None:
        """All that lies on the board."""
        for stack in data["stacks"]:
            assert [piece["token"] for piece in stack["pieces"]] == self.stacks[stack["square"]]
            for piece in stack["pieces"]:
                self.learn_all(piece["token"], piece["piece"], piece["top"], piece["bottom"])


_READERS: Mapping[str, Callable[[Reader, dict[str, Any]], None]] = {
    "unit_opened": Reader.opened,
    "piece_onboarded": Reader.onboarded,
    "unit_moved": Reader.moved,
    "unit_stomped": Reader.stomped,
    "faces_shown": lambda reader, data: reader.shown(data["faces"]),
    "pieces_captured": Reader.captured,
    "everything_revealed": Reader.revealed,
}
