"""What a golden game is kept for: each way a hand of Le Plateau can end, and each variant, for every number of players.

The ways follow section 7 of the rules: tests 1 and 2 after every trick, step 3 after the last one.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.game import aggregate
from domain.game.proposals import propose, vote
from domain.le_plateau import events as ev
from tests.domain.laws.le_plateau import with_details
from tests.golden.catalogue import Wanted
from tests.support.random_games import Step, playing, written


def hands_of(events: Sequence[Any]) -> list[Sequence[Any]]:
    """Split the ruleset's events of a game into its hands."""
    begins = [index for index, event in enumerate(events) if isinstance(event, ev.HandDealt)]
    return [events[begin:end] for begin, end in pairwise([*begins, len(events)])]


def shown(events: Sequence[Any]) -> set[str]:
    """Return how the hands of a game ended, and which rules of the variants they touched."""
    return {word for hand in hands_of(events) for word in (_ending(hand), *_touched(hand))}


def _ending(hand: Sequence[Any]) -> str:
    won = next((event for event in hand if isinstance(event, ev.HandWon)), None)
    if won is None:
        return "void"
    revealed = any(isinstance(event, ev.DiscardRevealed | ev.TalonRevealed) for event in hand)
    if won.by == "declarer":
        return "made-by-the-last-reveal" if revealed else "made-in-play"
    return "impossible-by-the-last-reveal" if revealed else "impossible-in-play"


def _touched(hand: Sequence[Any]) -> Iterator[str]:
    shown = {
        ev.TalonGroupChosen: "group-chosen",
        ev.DeclarerAbdicated: "abdicated",
        ev.TalonTaken: "exchanged",
        ev.TalonCardDealt: "talon-dealt",
        ev.PartnerFound: "partner-found",
        ev.StopAgreed: "stop-agreed",
    }
    yield from (shown[type(event)] for event in hand if type(event) in shown)
    for trick in (event for event in hand if isinstance(event, ev.TrickWon)):
        if trick.cards[0].card == "EX":
            yield "excuse-led"
        if any(played.card == "EX" and played.seat != trick.winner for played in trick.cards):
            yield "excuse-lost-its-trick"


def endings(seats: int) -> dict[str, dict[str, Any]]:
    """Return each way a hand can end with a number of players, and the options that it takes.

    With 6 players all spaces are taken by the last trick, so nothing is left to be revealed; the talon helps the
    declarer in the edition of 2022 only.
    """
    ways: dict[str, dict[str, Any]] = {"made-in-play": {}, "impossible-in-play": {}, "void": {}}
    if seats < 6:
        ways["impossible-by-the-last-reveal"] = {}
        ways["made-by-the-last-reveal"] = {"edition": "2022"}
    return ways


def _variants(seats: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    yield "edition-2022", "made-in-play", {"edition": "2022"}
    yield "scoring-positive", "made-in-play", {"scoring": "positive"}
    yield "board-random-game", "made-in-play", {"board": "random_game"}
    yield "board-random-deal", "impossible-in-play", {"board": "random_deal"}
    yield "board-custom", "made-in-play", {"board": "custom"}
    yield "void-hands-redeal", "void", {"void_hands": "redeal"}
    if seats in (3, 5):
        yield "deck-full", "exchanged", {"deck": "full"}
    yield "stop-agreed", "stop-agreed", {"hands": 2 * seats}
    if seats == 4:
        yield "deck-full", "group-chosen", {"deck": "full"}
        yield "first-dealer", "partner-found", {"first_dealer": 2, "hands": 8}
    if seats == 5:
        yield "abdication-on", "abdicated", {}
        yield "abdication-off", "partner-found", {"abdication": "off"}
        yield "abdication-on-positive", "abdicated", {"abdication": "on", "scoring": "positive"}
    if seats >= 4:
        full = {} if seats == 6 else {"deck": "full"}
        yield "excuse-french", "excuse-lost-its-trick", {"excuse": "french", **full}
        yield "excuse-french-led", "excuse-led", {"excuse": "french", **full}
    if seats == 6:
        yield "talon-dealt-to-all", "talon-dealt", {}


def wanted(seats: int) -> list[Wanted]:
    """List the golden games of Le Plateau for a number of players."""
    of_endings = [(f"ends-{way}", way, options) for way, options in endings(seats).items()]
    return [
        Wanted("le-plateau", f"{seats}-{name}", seats, happens, with_details(dict(options), seats))
        for name, happens, options in (*of_endings, *_variants(seats))
    ]


def _stopping(ruleset_id: str, seats: int, seed: int, **options: Any) -> Iterator[Step]:
    """Play at random until everyone agrees to stop in the second hand, and then to its end."""
    for step in playing(ruleset_id, seats, seed, **options):
        yield step
        if step.game.state is not None and len(step.game.state.results) == 1 and step.game.state.table.trick:
            break
    step = written(step.game, None, None, propose(step.game, 0, "stop_after_hand"))
    yield step
    for seat in range(1, seats):
        step = written(step.game, None, None, vote(step.game, seat, step.game.proposals[0].id, accept=True))
        yield step
    rng = random.Random(seed)
    while not step.game.is_over:
        (seat,) = step.game.pending
        action = rng.choice(list(step.game.ruleset.legal_actions(step.game.state, seat)))
        step = written(step.game, seat, action, aggregate.act(step.game, seat, action))
        yield step


PLAYED = {"stop-agreed": _stopping}
WITH_VIEWS = ("2-stop-agreed", "4-deck-full", "5-board-random-game", "6-board-random-deal")
