"""What one viewer knows, and other worlds that look the same to that viewer."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from domain.chance import Rng
from domain.log.record import Shown
from domain.serialization import Plain
from domain.table import EVERYTHING, Seat, Viewer
from liars_dice.nouns import BidMade, Cup, CupsLifted, Face, LiftedCup, Options, State
from liars_dice.rules import turn


@dataclass(frozen=True, slots=True)
class SeenCup:
    """A cup: how many dice are under it, and their faces, null if the viewer does not see them."""

    seat: Seat
    count: int
    dice: tuple[Face, ...] | None


@dataclass(frozen=True, slots=True)
class View:
    """The table as a viewer sees it; ``last`` is how the last round ended."""

    round: int
    starter: Seat
    turn: Seat | None
    cups: tuple[SeenCup, ...]
    bids: tuple[BidMade, ...]
    last: CupsLifted | None


def project(state: State, viewer: Viewer) -> View:
    """Build the view of a viewer."""
    seen = {cup.seat: cup.dice for cup in state.cups if viewer in (cup.seat, EVERYTHING)}
    cups = tuple(SeenCup(seat, count, seen.get(seat)) for seat, count in enumerate(state.left))
    return View(state.round, state.starter, turn(state), cups, state.bids, state.last)


def sample(options: Options, _viewer: Viewer, view: View, rng: Rng) -> State:
    """Draw a state with this view: dice that the viewer does not see can show any face."""
    cups = tuple(
        Cup(cup.seat, cup.count, cup.dice or _drawn(cup.count, rng))
        for cup in view.cups
        if cup.count and view.turn is not None
    )
    return State(
        options=options,
        left=tuple(cup.count for cup in view.cups),
        round=view.round,
        starter=view.starter,
        cups=cups,
        bids=view.bids,
        last=view.last,
    )


def _drawn(count: int, rng: Rng) -> tuple[Face, ...]:
    return cast("tuple[Face, ...]", tuple(sorted(1 + rng.randrange(6) for _ in range(count))))


def hidden_parts(state: State, events: Iterable[Shown]) -> Iterator[Mapping[str, Plain]]:
    """Return the dice of a round, as they lay in the world of a state; a round that is over has shown them."""
    lay: Iterable[Cup | LiftedCup] = state.cups or (state.last.cups if state.last else ())
    dice = {f"/cups/{place}/dice": cup.dice for place, cup in enumerate(lay)}
    return (dice if event["type"] == "dice_rolled" else {} for event in events)
