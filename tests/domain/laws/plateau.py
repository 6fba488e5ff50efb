"""Facts of Plateau for the laws: the pieces, who knows which face of them, worked out from how they are handled."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from domain.game import Game, GameStarted
from domain.plateau import events as ev
from domain.plateau.actions import Onboard, Open, Placed
from domain.plateau.pieces import KIND_OF, SET
from domain.plateau.state import State

ORDERED = {("Open", "pieces"), ("Move", "stops")}
IN_EVERY_LOG = {"unit_opened", "piece_onboarded", "turn_began", "everything_revealed"}


def has_its_subject(_state: State, _event: Any) -> bool:
    """Say that anything can be recorded at any time."""
    return True


def pack(game: Game) -> list[str]:
    """Give the twelve pieces of each player."""
    assert len(game.sitters) == 2
    return [f"{seat} {kind}" for seat in (0, 1) for kind in SET]


def places_of_cards(state: State) -> Iterator[str]:
    """List the pieces on the board, in the reserves, and among the prisoners."""
    for stack in state.board:
        yield from (f"{piece.owner} {piece.kind}" for piece in stack)
    for seat in (0, 1):
        yield from (f"{seat} {kind}" for kind in state.reserves[seat])
        yield from (f"{1 - seat} {kind}" for kind in state.prisoners[seat])


@dataclass
class Ledger:
    """What somebody has worked out: how the pieces lie, and what is known of each as it was placed."""

    stacks: dict[str, list[str]] = field(default_factory=dict)
    turned: set[str] = field(default_factory=set)
    codes: set[str] = field(default_factory=set)
    truth: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    bared: list[str] = field(default_factory=list)

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
        bared, hand = [], []
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
        below = [low for low, high in zip(pile, pile[1:], strict=False) if high in tokens and low not in tokens]
        self.stacks[square] = [token for token in pile if token not in tokens]
        return below

    def true_face(self, token: str, side: str) -> str:
        """Give a face of a piece as it lies now."""
        _, up, under = self.truth[token]
        return up if (side == "top") != (token in self.turned) else under

    def show(self, tokens: Sequence[str]) -> None:
        """Note the upper faces of pieces."""
        for token in tokens:
            self.learn(token, "top", self.true_face(token, "top"))


nothing_known = Ledger


def known_after(known: Ledger, event: Any, viewer: int | None) -> Ledger:
    """Note what a viewer knows after one more event: by the one-hand rule, whatever the events say was shown.

    What a deed lays bare is known with the next event, which should be the one that says so.
    """
    known.show(known.bared)
    known.bared = []
    match event:
        case ev.UnitOpened(seat, square, lower, upper):
            known.truth[lower] = faces(event.lower)
            known.truth[upper] = faces(Placed(event.upper, event.top))
            known.place(square, 0, lower)
            known.place(square, 1, upper)
            known.show([upper])
            know_own(known, viewer == seat, lower, upper)
        case ev.PieceOnboarded(seat, square, height, token):
            known.truth[token] = faces(Placed(event.piece, event.top))
            known.place(square, height, token)
            is_inside = 0 < height < len(known.stacks[square]) - 1
            known.bared = [known.stacks[square][height - 1]] if is_inside else []
            known.show([token])
            know_own(known, viewer == seat, token)
        case ev.UnitMoved():
            known.bared = known.flip(event.from_) if event.flipped else []
            stops = [(stop.square, stop.carry) for stop in event.stops]
            known.bared += known.move(event.from_, event.lift, stops, event.to)
        case ev.UnitStomped():
            known.bared = known.flip(event.square) if event.flipped else []
        case ev.PiecesCaptured():
            know_own(known, True, *(piece.token for piece in event.pieces))
            known.show(known.take(event.square, [piece.token for piece in event.pieces]))
        case ev.EverythingRevealed():
            know_own(known, True, *(token for stack in known.stacks.values() for token in stack))
    return known


def faces(piece: Placed) -> tuple[str, str, str]:
    """Give a piece, its upper and its lower face."""
    (under,) = (under for (up, under), kind in KIND_OF.items() if (kind, up) == (piece.piece, piece.up))
    return piece.piece, piece.up, under


def know_own(known: Ledger, is_known: bool, *tokens: str) -> None:
    """Note all of some pieces."""
    for token in tokens if is_known else ():
        kind, _, _ = known.truth[token]
        known.learn_all(token, kind, known.true_face(token, "top"), known.true_face(token, "bottom"))


def named_after(named: Ledger, event_type: str, data: dict[str, Any], _game: Game) -> Ledger:
    """Note what a reader has been told after one more event, from its data as they see it alone."""
    match event_type:
        case "unit_opened":
            lower, upper = data["lower_token"], data["upper_token"]
            named.place(data["square"], 0, lower)
            named.place(data["square"], 1, upper)
            named.learn(upper, "top", data["top"])
            if "lower" in data:
                named.learn_all(lower, *faces(Placed(**data["lower"])))
                named.learn_all(upper, *faces(Placed(data["upper"], data["top"])))
        case "piece_onboarded":
            named.place(data["square"], data["height"], data["token"])
            named.learn(data["token"], "top", data["top"])
            if "piece" in data:
                named.learn_all(data["token"], *faces(Placed(data["piece"], data["top"])))
        case "unit_moved":
            if data["flipped"]:
                named.flip(data["from"])
            stops = [(stop["square"], stop["carry"]) for stop in data["stops"]]
            named.move(data["from"], data["lift"], stops, data["to"])
        case "unit_stomped" if data["flipped"]:
            named.flip(data["square"])
        case "faces_shown":
            name_faces(named, data["faces"])
        case "pieces_captured":
            for piece in data["pieces"]:
                named.learn_all(piece["token"], piece["piece"], piece["top"], piece["bottom"])
            named.take(data["square"], [piece["token"] for piece in data["pieces"]])
            name_faces(named, data["shown"])
        case "everything_revealed":
            for piece in (piece for stack in data["stacks"] for piece in stack["pieces"]):
                named.learn_all(piece["token"], piece["piece"], piece["top"], piece["bottom"])
    return named


def name_faces(named: Ledger, shown: Sequence[dict[str, Any]]) -> None:
    """Note the upper faces that an event names, of pieces that must lie where it says."""
    for face in shown:
        assert face["token"] in named.stacks[face["square"]]
        named.learn(face["token"], "top", face["face"])


def codes(known: Ledger) -> frozenset[str]:
    """Give what is known, piece by piece as it was placed."""
    return frozenset(known.codes)


def told_by_view(view: dict[str, Any], _game: Game) -> frozenset[str]:
    """Give what a view tells: on the board, of captured pieces, and in the history."""
    told = Ledger()
    captured = [piece for line in view["history"] for piece in line["captured"]]
    for piece in (*(piece for stack in view["board"].values() for piece in stack), *captured):
        told.turned |= {piece["token"]} if piece["turned"] else set()
        for side in ("top", "bottom"):
            if piece[side]:
                told.learn(piece["token"], side, piece[side])
        if piece["piece"]:
            told.codes.add(f"{piece['token']} is {piece['piece']}")
    written = [code for line in view["history"] for code in codes_in(line["line"])]
    for number, code in enumerate(written, 1):
        shown = zip(("up", "under"), code, strict=True)
        told.codes |= {f"p{number} {side} {face}" for side, face in shown if face != "?"}
    return codes(told)


def codes_in(line: str) -> list[str]:
    """List the pieces that a line of the history places."""
    return re.findall(r"(?<=[ .])[rbox?]{2}(?=[.]|$)", line) if line[3] in "*+" else []


MANY = 10


def has_many_worlds(state: State, viewer: int | None) -> bool:
    """Say whether the pieces on the board could be others in many ways, by their known faces and their numbers."""
    ways = 1
    for owner in {0, 1} - {viewer}:
        unknown, left = [], list(state.reserves[owner])
        for piece in (piece for stack in state.board for piece in stack if piece.owner == owner):
            seen = (piece.top if piece.top_known else None, piece.bottom if piece.bottom_known else None)
            unknown.append([kind for faces, kind in KIND_OF.items() if agree(seen, faces)])
            left.append(piece.kind)
        ways *= ways_to_assign(sorted(unknown, key=len), left, MANY)
    return ways >= MANY


def agree(seen: tuple[str | None, ...], faces: tuple[str, ...]) -> bool:
    """Say whether faces are as they are known."""
    return all(known in (face, None) for known, face in zip(seen, faces, strict=True))


def ways_to_assign(allowed: Sequence[Sequence[str]], left: list[str], most: int) -> int:
    """Count, up to some number, the ways to give each piece one of its kinds, each as often as it is left."""
    if not allowed:
        return 1
    ways = 0
    for kind in allowed[0]:
        if kind in left and ways < most:
            rest = left.copy()
            rest.remove(kind)
            ways += ways_to_assign(allowed[1:], rest, most)
    return ways


def is_deal(event: Any) -> bool:
    """Say whether the game begins with it: nothing is dealt, so all of a game is one deal."""
    return isinstance(event, GameStarted)


def redealt(events: Sequence[Any], state: State) -> list[Any]:
    """Give the events with the pieces placed that were placed in the world of ``state``."""
    placed = {}
    for piece in (piece for stack in state.board for piece in stack):
        placed[piece.token] = Placed(piece.kind, piece.bottom if piece.turned else piece.top)
    changed: list[Any] = []
    for event in events:
        match event:
            case ev.UnitOpened():
                lower = placed.get(event.lower_token, event.lower)
                upper = placed.get(event.upper_token, Placed(event.upper, event.top))
                changed.append(replace(event, lower=lower, upper=upper.piece))
            case ev.PieceOnboarded():
                piece = placed.get(event.token, Placed(event.piece, event.top))
                changed.append(replace(event, piece=piece.piece))
            case _:
                changed.append(event)
    return changed


def asked_again(action: Any, events: Sequence[Any]) -> Any:
    """Give the action that these events answer: which piece was placed is hidden, and differs between worlds."""
    match action, events[0]:
        case Open(), ev.UnitOpened() as opened:
            return Open(action.square, (opened.lower, Placed(opened.upper, opened.top)))
        case Onboard(), ev.PieceOnboarded() as onboarded:
            return replace(action, piece=onboarded.piece)
        case _:
            return action
