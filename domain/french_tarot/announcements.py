"""What can be announced beside the contract: slams, poignées, misères (rules.md, announcements)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from domain.cardplay.cards import EXCUSE, Card, in_deck_order
from domain.cardplay.tricks import only
from domain.errors import Refusals
from domain.french_tarot import events as ev
from domain.french_tarot.actions import (
    Action,
    AnnounceMisere,
    AnnouncePetitChelem,
    AnnounceSlam,
    Misere,
    NoSlam,
    Pass,
    ShowPoignee,
)
from domain.french_tarot.calculation import Level
from domain.french_tarot.deck import COURT_RANKS, is_trump
from domain.french_tarot.state import SlamAnswer, State, contract_of, has_played, shape_of
from domain.sentences import message as msg
from domain.sequences import Mapped, Subsets, joined
from domain.table import Seat

RULE = "7. Announcements"
_refuse = Refusals(__package__)
LEVELS: tuple[Level, ...] = get_args(Level)
_IS_MISERE: dict[Misere, Callable[[Sequence[Card]], bool]] = {
    "no_trumps": lambda hand: not any(is_trump(card) or card == EXCUSE for card in hand),
    "no_courts": lambda hand: not any(card[0] in COURT_RANKS for card in hand),
}


# -- slam ---------------------------------------------------------------------------------------------------------


def first_leader(players: Sequence[Seat], contract: ev.ContractWon | None, slam: SlamAnswer | None) -> Seat:
    """Return the seat that leads the first trick: the announcer of a slam, else the player after the dealer."""
    return contract.taker if contract and slam == "slam" else players[0]


def slam_actors(state: State) -> frozenset[Seat]:
    """Return the taker, until a slam is announced or declined."""
    return only(None if state.deal.slam else contract_of(state).taker)


def legal_slams(state: State, _seat: Seat) -> Sequence[Action]:
    """List no slam, then what can be announced."""
    petit = () if state.options.petit_chelem == "off" else (AnnouncePetitChelem(),)
    return (NoSlam(), AnnounceSlam(), *petit)


def decide_slam(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Announce a slam, or none."""
    match action:
        case NoSlam():
            return [ev.SlamDeclined(seat)]
        case AnnounceSlam():
            return [ev.SlamAnnounced(seat)]
        case AnnouncePetitChelem() if state.options.petit_chelem != "off":
            return [ev.PetitChelemAnnounced(seat)]
        case AnnouncePetitChelem():
            raise _refuse("no-petit-chelem", RULE)
        case _:
            raise _refuse("wrong-phase.slam", RULE)


# -- poignées -----------------------------------------------------------------------------------------------------


def poignee_sizes(state: State) -> tuple[int, ...]:
    """Return how many cards each of the three levels has."""
    simple, double, triple = shape_of(state).poignees
    return simple, double, state.options.poignee_5p_triple or triple


def poignee_actors(state: State) -> frozenset[Seat]:
    """Return the seat to show a poignée or to pass, where all poignées are shown before the first lead."""
    deal = state.deal
    first = first_leader(deal.players, deal.contract, deal.slam)
    return only(next_to_show(deal.players, first, deal.poignees, deal.declined))


def next_to_show(
    players: Sequence[Seat], first: Seat, poignees: Sequence[ev.PoigneeShown], declined: Sequence[Seat]
) -> Seat | None:
    """Return the next player to show a poignée or to pass, from the leader on; None once all have."""
    asked = {*declined, *(poignee.seat for poignee in poignees)}
    start = players.index(first)
    return next((seat for seat in (*players[start:], *players[:start]) if seat not in asked), None)


def legal_showings_or_pass(state: State, seat: Seat) -> Sequence[Action]:
    """List the pass, then every poignée that can be shown."""
    passes: Sequence[Action] = (Pass(),)
    return joined(passes, _legal_showings(state, seat))


def decide_showing_or_pass(state: State, seat: Seat, action: Action) -> list[ev.Event]:
    """Show a poignée before the first lead, or pass."""
    if isinstance(action, Pass):
        return [ev.PoigneeDeclined(seat)]
    if not isinstance(action, ShowPoignee):
        raise _refuse("wrong-phase.poignee", RULE)
    return show(state, seat, action.cards)


def _legal_showings(state: State, seat: Seat) -> Sequence[ShowPoignee]:
    """List every poignée of a seat that has shown none: any of its trumps, or all of them with the Excuse."""
    if _has_shown(state, seat):
        return ()
    trumps, sizes = _trumps(state, seat), poignee_sizes(state)
    return joined(*(Mapped(ShowPoignee, Subsets(trumps, size)) for size in sizes), *_with_excuse(state, seat, sizes))


def show(state: State, seat: Seat, cards: tuple[Card, ...]) -> list[ev.Event]:
    """Show a poignée."""
    if _has_shown(state, seat):
        raise _refuse("poignee-already-shown", RULE)
    trumps = _trumps(state, seat)
    level = _level_of(trumps, cards, poignee_sizes(state), excuse=EXCUSE in state.table.held[seat])
    hidden = [card for card in _trumps_in_hand(state, seat) if card not in cards]
    if EXCUSE in cards and hidden:
        raise _refuse("trump-hidden-by-excuse", RULE, hidden=msg.Items(tuple(map(msg.Card, hidden))))
    return [ev.PoigneeShown(seat, level, in_deck_order(cards))]


def _has_shown(state: State, seat: Seat) -> bool:
    return any(poignee.seat == seat for poignee in state.deal.poignees)


def _level_of(trumps: Sequence[Card], cards: Sequence[Card], sizes: Sequence[int], *, excuse: bool) -> Level:
    """Return the level of a poignée shown from these trumps, and perhaps the Excuse; reject what is not one."""
    if len(cards) not in sizes or len(set(cards)) != len(cards):
        wanted = ", ".join(map(str, sizes))
        raise _refuse("no-poignee", RULE, wanted=msg.Text(wanted), shown=msg.Number(len(set(cards))))
    for card in cards:
        if card not in trumps and not (card == EXCUSE and excuse):
            if is_trump(card) or card == EXCUSE:
                raise _refuse("card-not-showable.not-yours", RULE, card=msg.Card(card))
            raise _refuse("card-not-showable.no-trump", RULE, card=msg.Card(card))
    return LEVELS[list(sizes).index(len(cards))]


def _with_excuse(state: State, seat: Seat, sizes: Sequence[int]) -> Iterator[Sequence[ShowPoignee]]:
    """List, by size, the poignées with the Excuse: all trumps in hand, and any of those laid aside in sight."""
    if EXCUSE not in state.table.held[seat]:
        return
    in_hand, aside = _trumps_in_hand(state, seat), _trumps_aside(state, seat)
    for more in range(len(aside) + 1):
        if len(in_hand) + more + 1 in sizes:
            yield Mapped(_WithExcuse(in_hand), Subsets(aside, more))


@dataclass(frozen=True, slots=True)
class _WithExcuse:
    """Makes poignées of all trumps in hand, some that were laid aside, and the Excuse."""

    in_hand: tuple[Card, ...]

    def __call__(self, again: tuple[Card, ...]) -> ShowPoignee:
        return ShowPoignee(in_deck_order((*self.in_hand, *again, EXCUSE)))


def _trumps(state: State, seat: Seat) -> tuple[Card, ...]:
    """Return the trumps that a seat can show."""
    return in_deck_order((*_trumps_in_hand(state, seat), *_trumps_aside(state, seat)))


def _trumps_in_hand(state: State, seat: Seat) -> tuple[Card, ...]:
    return tuple(filter(is_trump, state.table.held[seat]))


def _trumps_aside(state: State, seat: Seat) -> tuple[Card, ...]:
    """Return the taker's trumps that were laid aside in sight, and can be shown again."""
    contract = state.deal.contract
    return state.deal.shown_trumps if contract and contract.taker == seat else ()


# -- before a seat's first card -----------------------------------------------------------------------------------


def legal_before_first_card(state: State, seat: Seat) -> Sequence[Action]:
    """List what a seat can announce in its turn to play, before its first card."""
    if has_played(state, seat):
        return ()
    shows_now = state.options.poignee_timing == "before_own_first_card"
    return joined(_legal_miseres(state, seat), _legal_showings(state, seat) if shows_now else ())


def decide_before_first_card(state: State, seat: Seat, action: ShowPoignee | AnnounceMisere) -> list[ev.Event]:
    """Show a poignée or announce a misère before the seat's own first card."""
    if has_played(state, seat):
        raise _refuse("too-late.own-first-card", RULE)
    if isinstance(action, AnnounceMisere):
        return _announce_misere(state, seat, action.kind)
    if state.options.poignee_timing != "before_own_first_card":
        raise _refuse("too-late.first-lead", RULE)
    return show(state, seat, action.cards)


def _legal_miseres(state: State, seat: Seat) -> Sequence[Action]:
    if state.options.misere == "off":
        return ()
    hand, announced = state.table.held[seat], _announced(state, seat)
    return tuple(AnnounceMisere(kind) for kind, holds in _IS_MISERE.items() if kind not in announced and holds(hand))


def _announce_misere(state: State, seat: Seat, kind: Misere) -> list[ev.Event]:
    if state.options.misere == "off":
        raise _refuse("no-misere", RULE)
    if kind in _announced(state, seat):
        raise _refuse("misere-already-announced", RULE, kind=msg.Message(f"misere.{kind}"))
    if not _IS_MISERE[kind](state.table.held[seat]):
        raise _refuse("not-a-misere", RULE, kind=msg.Message(f"misere.{kind}"))
    return [ev.MisereAnnounced(seat, kind)]


def _announced(state: State, seat: Seat) -> set[Misere]:
    return {misere.kind for misere in state.deal.miseres if misere.seat == seat}
