"""A tiny game in which all seats act at once: each tenders one to three in secret, once; the highest alone wins.

It stands in the registry only while a test asks for it (fixture ``tender``), and shows what the other games cannot:
decisions that stay open while other seats act.
"""

from dataclasses import dataclass, replace
from typing import Annotated

from domain.errors import IllegalAction, OptionProblem
from domain.field_types import Bounds, secret
from domain.options import Choice, OptionRules
from domain.pictures.scene import Scene
from domain.ruleset import Agreements, Presentation, Ruleset
from domain.table import Outcome


@dataclass(frozen=True)
class Options:
    rounds: int = 1


@dataclass(frozen=True)
class Tender:
    amount: Annotated[int, Bounds(1, 3)]


@dataclass(frozen=True)
class Tendered:
    seat: int
    amount: int = secret("seat")


@dataclass(frozen=True)
class TendersOpened:
    amounts: tuple[int, ...]


@dataclass(frozen=True)
class DrawAgreed:
    pass


@dataclass(frozen=True)
class Resigned:
    seat: int


@dataclass(frozen=True)
class State:
    rounds: int
    amounts: tuple[int | None, ...]
    opened: tuple[tuple[int, ...], ...] = ()
    ended: Outcome | None = None


def choices(_seats):
    return {"rounds": Choice(None, 1, "at least one")}


def too_few(chosen, seats):
    if chosen["rounds"] < 1:
        yield OptionProblem("rounds", "too-few", f"rounds: at least one for {seats} players")


def setup(chosen, seats):
    return State(chosen.rounds, (None,) * seats)


def to_act(state):
    if len(state.opened) == state.rounds or state.ended:
        return frozenset()
    return frozenset(seat for seat, amount in enumerate(state.amounts) if amount is None)


def legal_actions(state, seat):
    return tuple(map(Tender, (1, 2, 3))) if seat in to_act(state) else ()


def decide(state, seat, action):
    if seat not in to_act(state):
        raise IllegalAction("not-your-turn", f"seat {seat} has tendered", "1")
    if action.amount not in (1, 2, 3):
        raise IllegalAction("out-of-range", f"{action.amount} is not 1, 2 or 3", "1")
    return [Tendered(seat, action.amount)]


def offers(state, seat):
    return {"draw": (len(state.opened), state.amounts[seat])}


def agree(_state, _kind):
    return [DrawAgreed()]


def resigned(_state, seat):
    return [Resigned(seat)]


def settle(state, _chance):
    return [] if None in state.amounts else [TendersOpened(state.amounts)]


def evolve(state, event):
    match event:
        case Tendered(seat, amount):
            return replace(state, amounts=(*state.amounts[:seat], amount, *state.amounts[seat + 1 :]))
        case TendersOpened(amounts):
            return replace(state, amounts=(None,) * len(amounts), opened=(*state.opened, amounts))
        case DrawAgreed():
            return _ended(state, "draw", lambda _seat: True)
        case Resigned(quitter):
            return _ended(state, "resigned", lambda seat: seat != quitter)


def _ended(state, reason, wins):
    seats = range(len(state.amounts))
    return replace(state, ended=Outcome(reason, tuple(seat for seat in seats if wins(seat)), (0,) * len(seats)))


def project(state, viewer):
    shown = [amount if seat == viewer else None for seat, amount in enumerate(state.amounts)]
    return {"tendered": [amount is not None for amount in state.amounts], "amounts": shown}


def sample(options, _viewer, view, rng):
    """Draw a state in which the hidden tenders are any amounts."""
    amounts = [
        (amount or rng.randrange(3) + 1) if has_tendered else None
        for amount, has_tendered in zip(view["amounts"], view["tendered"], strict=True)
    ]
    return State(options.rounds, tuple(amounts))


def hidden_parts(state, events):
    """Return the amount of each tender; those of earlier rounds are open."""
    rounds = iter([*state.opened, state.amounts])
    amounts = next(rounds)
    for event in events:
        yield {"/amount": amounts[event["seat"]]} if event["type"] == "tendered" else {}
        if event["type"] == "tenders_opened":
            amounts = next(rounds)


def outcome(state):
    if len(state.opened) < state.rounds or state.ended:
        return state.ended
    totals = tuple(map(sum, zip(*state.opened, strict=True)))
    return Outcome("opened", tuple(s for s, total in enumerate(totals) if total == max(totals)), totals)


RULESET = Ruleset(
    id="tender",
    name="Tender",
    summary="Everybody tenders at once.",
    version=1,
    seats=range(2, 5),
    package=__name__,
    options=OptionRules(Options, range(2, 5), choices, problems=too_few),
    actions={"tender": Tender},
    events={"tendered": Tendered, "tenders_opened": TendersOpened, "draw_agreed": DrawAgreed, "resigned": Resigned},
    view=dict,
    setup=setup,
    to_act=to_act,
    waiting_for=to_act,
    legal_actions=legal_actions,
    decide=decide,
    settle=settle,
    evolve=evolve,
    outcome=outcome,
    project=project,
    sample=sample,
    hidden_parts=hidden_parts,
    presentation=Presentation(lambda view, _shown: Scene(str(view), (), (), ()), lambda view, _shown: str(view), str),
    agreements=Agreements({"draw": "Everybody wins."}, offers, agree),
    resigned=resigned,
    ending="1",
)
