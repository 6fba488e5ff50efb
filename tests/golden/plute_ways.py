"""Golden games of Plute: each way a hand and the game can end, and each option where it makes a difference."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.game import aggregate
from domain.plute import events as ev
from domain.plute.actions import Play
from domain.plute.deck import JOKERS, strength_of, suit_of
from domain.plute.state import team_of
from tests.golden.catalogue import Wanted
from tests.support.random_games import Step, starting, written

_ONE_HAND = {"win_at": 1, "lose_at": 1}
_WANTED: dict[str, tuple[str, dict[str, Any]]] = {
    "ends-three-made": ("three-made", {}),
    "ends-three-set": ("three-set", {}),
    "ends-plute": ("plute", {}),
    "ends-plute-though-set": ("plute-though-set", {"lose_at": 1}),
    "hand-claimed-made": ("claimed-made", _ONE_HAND),
    "hand-claimed-set": ("claimed-set", _ONE_HAND),
    "hand-played-out": ("played-out", _ONE_HAND),
    "joker-declares-trump": ("joker-declares", _ONE_HAND),
    "low-captured": ("low-captured", _ONE_HAND),
    "early-stop-off": ("played-out", {"early_stop": "off", **_ONE_HAND}),
    "early-stop-auto": ("stopped-unasked", {"early_stop": "auto", **_ONE_HAND}),
    "joker-order-marked": ("second-joker-first", {"joker_order": "marked", **_ONE_HAND}),
    "stuck-dealer-may-raise": ("stuck-dealer-raises", {"stuck_dealer_may_raise": True, **_ONE_HAND}),
    "dealer-may-steal": ("stolen", {"dealer_may_steal": True, **_ONE_HAND}),
    "declare-off-jack-lead": ("off-jack-declared", {"declare_off_jack_lead": True, **_ONE_HAND}),
    "low-taker": ("low-captured", {"low": "taker", "early_stop": "off", **_ONE_HAND}),
    "show-points": ("both-counted", {"show_points": True, **_ONE_HAND}),
}


def wanted(seats: int) -> list[Wanted]:
    """List the golden games of Plute."""
    return [Wanted("plute", name, seats, happens, options) for name, (happens, options) in _WANTED.items()]


def shown(events: Sequence[Any]) -> set[str]:
    """Return how the hands of a game ended, what else happened in them, and how the game ended."""
    begins = [index for index, event in enumerate(events) if isinstance(event, ev.HandDealt)]
    hands = [events[begin:end] for begin, end in pairwise([*begins, len(events)])]
    tallies = [event for event in events if isinstance(event, ev.BidMadeGood | ev.TeamSet)]
    words = {word for hand in hands for word in (*_ended(hand), *_auction(hand), *_lead(hand), *_cards(hand))}
    third = {"three-made" for tally in tallies if isinstance(tally, ev.BidMadeGood) and tally.made == 3}
    return words | third | {"three-set" for tally in tallies if isinstance(tally, ev.TeamSet) and tally.set_ == 3}


def _of(hand: Sequence[Any], kind: Any) -> list[Any]:
    return [event for event in hand if isinstance(event, kind)]


def _ended(hand: Sequence[Any]) -> Iterator[str]:
    done = "made" if _of(hand, ev.BidMadeGood) else "set"
    if _of(hand, ev.HandClaimed):
        yield f"claimed-{done}"
    elif _of(hand, ev.HandStopped):
        yield "stopped-unasked"
    else:
        yield "played-out"
    if _of(hand, ev.PluteMade):
        is_set = [tally.team for tally in _of(hand, ev.TeamSet)] == [plute.team for plute in _of(hand, ev.PluteMade)]
        yield "plute-though-set" if is_set else "plute"
    if len(_of(hand, ev.PointsCounted)) > 1:
        yield "both-counted"


def _auction(hand: Sequence[Any]) -> Iterator[str]:
    spoken = _of(hand, ev.BidMade | ev.Passed)
    bids = [event.points for event in _of(hand, ev.BidMade)]
    if len(spoken) == 6 and len(bids) == 1 and spoken[-1] == ev.BidMade(hand[0].dealer, bids[0]) and bids[0] > 4:
        yield "stuck-dealer-raises"
    if len(set(bids)) < len(bids):
        yield "stolen"


def _lead(hand: Sequence[Any]) -> Iterator[str]:
    lead, named = _of(hand, ev.CardPlayed)[0].card, _of(hand, ev.TrumpNamed)[0].trump
    if lead in JOKERS:
        yield "joker-declares"
    elif lead[-1] != named:
        yield "off-jack-declared"


def _cards(hand: Sequence[Any]) -> Iterator[str]:
    cards = [event.card for event in _of(hand, ev.CardPlayed)]
    if [card for card in cards if card in JOKERS] == ["X2", "X1"]:
        yield "second-joker-first"
    deuce = f"2{_of(hand, ev.TrumpNamed)[0].trump}"
    for trick in _of(hand, ev.TrickWon):
        if any(played.card == deuce and team_of(played.seat) != trick.team for played in trick.cards):
            yield "low-captured"


def _helped(bid: int) -> Callable[..., Iterator[Step]]:
    """Play a game with a given bid, in which every player tries to let the bidder's team take every trick."""

    def play(ruleset_id: str, seats: int, seed: int, **options: Any) -> Iterator[Step]:
        for step in starting(ruleset_id, seats, seed, **options):
            yield step
        while not step.game.is_over:
            seat = min(step.game.pending)
            legal = list(step.game.ruleset.legal_actions(step.game.state, seat))
            wished = [action for action in legal if getattr(action, "points", 0) == bid]
            action = (wished or [_helpful(step.game.state, seat, legal)])[0]
            step = written(step.game, seat, action, aggregate.act(step.game, seat, action))
            yield step

    return play


def _helpful(state: Any, seat: int, legal: Sequence[Any]) -> Any:
    """Choose the highest card for the bidder's team, the lowest for the other."""
    plays = [action for action in legal if isinstance(action, Play)]
    if not plays:
        return legal[-1]
    trump = state.table.trump or _longest(state.table.held[seat])
    plays = [action for action in plays if state.table.trump or suit_of(action.card, trump) == "T"] or plays

    def height(action: Play) -> tuple[bool, int]:
        return suit_of(action.card, trump) == "T", strength_of(action.card, trump, None)

    return max(plays, key=height) if team_of(seat) == state.hand.contract.team else min(plays, key=height)


def _longest(held: Sequence[str]) -> Any:
    return max("SHDC", key=lambda suit: sum(card.endswith(suit) for card in held))


PLAYED = {"plute": _helped(4), "plute-though-set": _helped(7)}
WITH_VIEWS = ("early-stop-auto", "ends-plute-though-set", "hand-claimed-made", "show-points")
