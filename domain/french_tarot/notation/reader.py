"""French Tarot in text: reading its actions (docs/notation.md)."""

from collections.abc import Mapping
from itertools import islice, takewhile
from typing import TypeAlias, get_args

from domain.cardplay.cards import EXCUSE, TAROT_PACK, TRUMPS
from domain.french_tarot import announcements, bidding, chien, partners, play
from domain.french_tarot import events as ev
from domain.french_tarot.actions import (
    Action,
    AnnounceMisere,
    AnnouncePetitChelem,
    AnnounceSlam,
    Bid,
    Call,
    Discard,
    Misere,
    NoSlam,
    Pass,
    Play,
    ShowPoignee,
)
from domain.french_tarot.calculation import Side
from domain.french_tarot.deck import is_trump
from domain.french_tarot.notation.deal import DEALS
from domain.french_tarot.notation.facts import FACTS
from domain.french_tarot.state import State, contract_of, shape_of
from domain.notation.deal_reader import DealReader, Grammar, PhaseGrammar, Said
from domain.notation.lexer import Word
from domain.table import Seat

_Reader: TypeAlias = DealReader[State]

_SLAMS: Mapping[str, Action] = {
    "slam": AnnounceSlam(),
    "petit_chelem": AnnouncePetitChelem(),
    "no_slam": NoSlam(),
}


def _bid(_reader: _Reader, word: Word) -> Said | None:
    if word.text.lower() == "pass":
        return Said(Pass())
    contract = next((each for each in bidding.CONTRACTS if each == word.text.lower()), None)
    return Said(Bid(contract)) if contract else None


def _call(reader: _Reader, word: Word) -> Said | None:
    if word.text.lower() != "call":
        return None
    card, called = reader.take_card()
    return Said(Call(card), (called,))


def _lay(reader: _Reader, word: Word) -> Said | None:
    """Read an écart."""
    if word.text.lower() != "lay":
        return None
    cards, words, surplus = reader.take_cards_aside(shape_of(reader.state).chien, chien.RULE)
    return Said(Discard(cards), sorted(words, key=lambda each: is_trump(each.text.upper())), surplus=surplus)


def _slam(_reader: _Reader, word: Word) -> Said | None:
    action = _SLAMS.get(word.text.lower())
    return Said(action) if action else None


def _poignee_or_pass(reader: _Reader, word: Word) -> Said | None:
    return Said(Pass()) if word.text.lower() == "pass" else _poignee(reader, word)


def _play(reader: _Reader, word: Word) -> Said | None:
    """Read a card played, or what is announced before the first one."""
    if word.text.lower() == "misere":
        return _misere(reader)
    card, winner = word.cut("=")
    if card.text.upper() in TAROT_PACK:
        return Said(Play(card.text.upper()), (card,), winner)
    return _poignee(reader, word)


def _poignee(reader: _Reader, word: Word) -> Said | None:
    if word.text.lower() != "poignee":
        return None
    level = reader.lexer.take()
    sizes = dict(zip(announcements.LEVELS, announcements.poignee_sizes(reader.state), strict=True))
    size = next((size for name, size in sizes.items() if name == level.text.lower()), None)
    if size is None:
        raise level.wrong(f"{level} is not a poignee: a poignee is {' or '.join(sizes)}", announcements.RULE)
    given = _size_ahead(reader, size)
    wrong = f"a {level.text.lower()} poignee is {size} cards"
    cards, words, surplus = reader.take_exactly(size, given, wrong, announcements.RULE)
    return Said(ShowPoignee(cards), sorted(words, key=lambda each: each.text.upper() == EXCUSE), surplus=surplus)


def _size_ahead(reader: _Reader, size: int) -> int:
    """Return how many of the next words are meant as the cards of a poignée, and not as cards played after it.

    The card that the seat plays can follow at once, and then the cards of the next seats, which are not its own.
    """
    (seat,), cards = reader.replay.to_act, reader.cards_ahead()
    trumps = sum(1 for _ in takewhile(lambda each: each.text.upper() in (*TRUMPS, EXCUSE), cards))
    own = sum(1 for _ in takewhile(lambda each: reader.can_name(seat, each), cards))
    if trumps < size and not (trumps == len(cards) and reader.is_like_a_card(trumps)):
        return trumps
    if own < size:
        return size
    if reader.state.phase == "poignee" or _ends_a_trick(reader, seat, own):
        return own
    is_last = len(reader.state.table.trick) == len(reader.state.deal.players) - 1
    if own == size:
        return size - 1 if len(cards) > own else size
    return size if own == size + 1 or is_last else own - 1


def _ends_a_trick(reader: _Reader, seat: Seat, place: int) -> bool:
    """Return whether the word at a place among those ahead is a card of the seat's own with the winner of the trick."""
    cut = (word.cut("=") for word in islice(reader.lexer.ahead(), place, place + 1))
    return any(winner is not None and reader.can_name(seat, card) for card, winner in cut)


def _misere(reader: _Reader) -> Said:
    word = reader.lexer.take()
    kinds: tuple[Misere, ...] = get_args(Misere)
    kind = next((kind for kind in kinds if kind == word.text.lower()), None)
    if kind is None:
        raise word.wrong(f"{word} is not a misere: a misere is {' or '.join(kinds)}", announcements.RULE)
    return Said(AnnounceMisere(kind), (word,))


def _story(state: State, event: object) -> str:
    """Return a sentence on how a deal ended, for the event that ends it."""
    match event:
        case ev.DealThrownIn(reason):
            return f"deal {state.deal.number}: {_THROWN_IN[reason]}, thrown in"
        case ev.DealScored(worked_out, scores):
            contract, partner = contract_of(state), partners.partner_of(state)
            taker = f"seat {contract.taker}" + ("" if partner is None else f" with seat {partner}")
            points = f"{worked_out.count.card_points} of {worked_out.contract.target} points"
            return (
                f"deal {state.deal.number}: {taker} {_DONE[worked_out.contract.won_by]} {contract.contract}, {points}: "
                f"{' '.join(f'{score:+}' for score in scores)}"
            )
        case _:
            return ""


_THROWN_IN = {"all_passed": "all passed", "petit_sec": "petit sec"}
_DONE: Mapping[Side | None, str] = {"attack": "makes", "defence": "loses", None: "just misses"}

GRAMMAR: Grammar[State] = Grammar(
    game="match",
    deal="deal",
    deals=DEALS,
    phases={
        "bid": PhaseGrammar(_bid, "bid (such as garde) or pass", bidding.RULE),
        "call": PhaseGrammar(_call, "call a card (such as call RH)", partners.RULE),
        "discard": PhaseGrammar(_lay, "lay aside as many cards as the chien had (such as lay 1S 2S 3S)", chien.RULE),
        "slam": PhaseGrammar(_slam, "announce slam or no_slam", announcements.RULE),
        "poignee": PhaseGrammar(_poignee_or_pass, "show a poignee or pass", announcements.RULE),
        "play": PhaseGrammar(_play, "play a card", play.RULE, is_card=True),
    },
    facts=FACTS,
    cards_of=lambda state, seat: (*state.table.held[seat], *state.deal.shown_trumps),
    story=_story,
)
