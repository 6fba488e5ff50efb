"""Write the recorded games of the tutorials: ``python -m tests.tutorials.record``.

What each lesson is about is written out below. The cards after that, which the learner only sees in the result, follow
a rule of thumb: the learner's partners and the learner play high, the others low.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

from domain.game import aggregate, history, seating
from domain.game.aggregate import Decided, Game
from domain.registry import RULESETS
from domain.serialization import Plain, from_plain
from domain.table import Seat
from service.games.projections.representations import action_data

Move: TypeAlias = tuple[Seat, Mapping[str, Plain]]
RANKS = {"A": 14, "R": 14, "K": 13, "D": 13, "Q": 12, "C": 12, "V": 11, "J": 11}
"""Of French and English cards alike; no game has both."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A game to record. ``comments`` name the steps: one for each of the learner's moves written here, and the end."""

    seats: int
    seed: int
    moves: Sequence[Move]
    comments: Sequence[str]
    options: Mapping[str, Plain] = field(default_factory=dict)
    ends_with: str | None = None
    partners: frozenset[Seat] = frozenset({0})


def tricks(seats: int, leader: Seat, *written: str) -> Iterator[Move]:
    """Return the moves of tricks, each written from its leader on; the card after a > wins."""
    for trick in written:
        cards = trick.split()
        for place, card in enumerate(cards):
            yield (leader + place) % seats, {"type": "play", "card": card.lstrip(">")}
        leader = (leader + next((place for place, card in enumerate(cards) if card[0] == ">"), 0)) % seats


def passes(*seats: Seat) -> list[Move]:
    """Return the passes of seats."""
    return [(seat, {"type": "pass"}) for seat in seats]


def onboard(seat: Seat, square: str, height: int, piece: str, up: str) -> Move:
    """Return the placing of a piece."""
    return seat, {"type": "onboard", "square": square, "height": height, "piece": piece, "up": up}


def opening(seat: Seat, square: str, *pieces: str) -> Move:
    """Return an opening; each piece is written with the face that lies up."""
    placed = [dict(zip(("piece", "up"), piece.split(), strict=True)) for piece in pieces]
    return seat, {"type": "open", "square": square, "pieces": placed}


LESSONS: Mapping[str, Lesson] = {
    "le-plateau": Lesson(
        seats=3,
        seed=54,
        options={"first_dealer": 2},
        ends_with="hand_scored",
        moves=[
            (0, {"type": "bid", "exchange": True, "objective": "bridge", "team": "solo"}),
            *passes(1, 2),
            (0, {"type": "exchange", "discard": ["10S", "VS", "10H"]}),
            (0, {"type": "keep"}),
            *tricks(3, 0, ">EX T5 T1", "T20 >T21 T2", "DH CH >RH", "T13 T15 >T18", "RD VD 10D", "DS >RS CS"),
        ],
        comments=("bid", "exchange", "keep", "excuse", "claim", "space", "lose", "follow", "win", "end"),
    ),
    "french-tarot": Lesson(
        seats=4,
        seed=222,
        options={"deals": 1, "first_dealer": 3},
        moves=[
            (0, {"type": "bid", "contract": "garde"}),
            *passes(1, 2, 3),
            (0, {"type": "discard", "cards": ["2S", "9S", "10S", "4H", "7H", "DH"]}),
            (0, {"type": "no_slam"}),
            *tricks(4, 0, ">T21 T4 T3 T5", "T18 T11 T6 >T19", "1H EX 2H >5H", "3D VD >RD 2D", "T17 T13 T9 >T20"),
            *tricks(4, 3, "T8 >T14 T1 T10"),
        ],
        comments=("bid", "chien", "slam", "lead", "beat", "excuse", "king", "again", "petit", "end"),
    ),
    "plute": Lesson(
        seats=6,
        seed=1520,
        ends_with="bid_made_good",
        partners=frozenset({0, 2, 4}),
        moves=[
            (0, {"type": "bid", "points": 4}),
            *passes(1, 2, 3, 4, 5),
            *tricks(6, 0, ">AC 10C X1 3C 2C 5C", "JC 2S 9C 4C >QC 2D", "QD AD >JS 10D 3D 9D"),
            *tricks(6, 0, "8C 2H 3S 7C >KC 5D", "JD 8D >6C 5H 4S KD"),
        ],
        comments=("bid", "trump", "jack", "off_jack", "draw", "ruff", "end"),
    ),
    "plateau": Lesson(
        seats=2,
        seed=0,
        moves=[
            opening(0, "b1", "M x", "R r"),
            opening(1, "b4", "M x", "B b"),
            onboard(0, "b1", 2, "R", "r"),
            onboard(1, "c3", 0, "RM", "r"),
            (0, {"type": "move", "from": "b1", "flip": False, "lift": 3, "stops": [], "to": "b4"}),
            onboard(1, "c3", 1, "R", "r"),
            onboard(0, "b4", 3, "B", "b"),
            onboard(1, "c3", 2, "R", "r"),
            onboard(0, "b4", 0, "M", "x"),
            onboard(1, "c3", 3, "M", "x"),
            onboard(0, "b4", 5, "RM", "r"),
        ],
        comments=("open", "build", "capture", "grow", "under", "six", "end"),
    ),
}


def recorded(ruleset_id: str) -> dict[str, Any]:
    """Play a lesson, and the cards after it to the end of the hand; return it as data."""
    lesson, ruleset = LESSONS[ruleset_id], RULESETS[ruleset_id]
    secret = sha256(f"tutorial {lesson.seed}".encode()).digest()
    options = ruleset.options.complete(lesson.options, lesson.seats)
    sitters = tuple(map(str, range(lesson.seats)))
    new = seating.NewGame(
        f"tutorial-{ruleset_id}", ruleset, options, "public", sandbox=False, creator="0", sitters=sitters, by_deal=False
    )
    game, types = _after(None, seating.create(new, secret))
    moves: list[Move] = []
    while not game.is_over and (lesson.ends_with not in types or not moves):
        if len(moves) < len(lesson.moves):
            seat, action = lesson.moves[len(moves)]
        else:
            seat, action = _by_rule_of_thumb(game, lesson.partners)
        fields = {name: value for name, value in action.items() if name != "type"}
        made = from_plain(ruleset.actions[str(action["type"])], fields)
        moves.append((seat, action_data(ruleset, made)))
        game, types = _after(game, aggregate.act(game, seat, made))
    mine = [place for place, (seat, _) in enumerate(lesson.moves) if seat == 0]
    places = [*mine, len(moves)]
    return {
        "seats": lesson.seats,
        "learner": 0,
        "options": lesson.options,
        "secret": secret.hex(),
        "moves": moves,
        "steps": [{"comment": name, "after": at} for name, at in zip(lesson.comments, places, strict=True)],
    } | ({"ends_with": lesson.ends_with} if lesson.ends_with else {})


def _after(before: Game | None, decided: Decided) -> tuple[Game, set[str]]:
    records, game = history.record(before, decided, "2026-01-01T00:00:00.000Z", "rq")
    return game, {record.type for record in records}


def _by_rule_of_thumb(game: Game, play_high: frozenset[Seat]) -> Move:
    for seat in sorted(game.pending):
        actions = [action_data(game.ruleset, each) for each in game.ruleset.legal_actions(game.state, seat)]
        cards = [action for action in actions if action["type"] == "play"]
        if cards:
            best = max if seat in play_high else min
            return seat, best(cards, key=lambda action: _height(str(action["card"])))
    raise ValueError("no seat has a card to play")


def _height(card: str) -> int:
    if card[1:].isdecimal():
        return 20 + int(card[1:])
    return RANKS.get(card[:-1]) or int(card[:-1])


def main() -> None:
    """Write the games into the packages of their rulesets."""
    for ruleset_id in LESSONS:
        path = Path(str(files(RULESETS[ruleset_id].package) / "tutorial.json"))
        path.write_text(written(recorded(ruleset_id)), encoding="utf-8")


def written(game: Mapping[str, Any]) -> str:
    """Write a recorded game with a line for each move and step."""
    lists = {name: game[name] for name in ("moves", "steps")}
    head = json.dumps({name: value for name, value in game.items() if name not in lists})[:-1]
    parts = [
        f'  "{name}": [\n' + ",\n".join(f"    {json.dumps(each)}" for each in some) + "\n  ]"
        for name, some in lists.items()
    ]
    return head + ",\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    main()
