"""French Tarot in text: reading its actions (docs/notation.md)."""

from collections.abc import Mapping
from typing import TypeAlias, get_args

from domain.cardplay.cards import TAROT_PACK
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
from domain.french_tarot.notation.deal import DEALS
from domain.french_tarot.notation.facts import FACTS
from domain.french_tarot.state import State, contract_of, shape_of
from domain.notation.deal_reader import DealReader, Grammar, PhaseGrammar, Said
from domain.notation.lexer import Word

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
    (card,), words = reader.take_cards(1, partners.RULE)
    return Said(Call(card), words)


def _lay(reader: _Reader, word: Word) -> Said | None:
    """Read an écart."""
    if word.text.lower() != "lay":
        return None
    cards, words = reader.take_cards(shape_of(reader.state).chien, chien.RULE)
    return Said(Discard(cards), words)


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
    cards, words = reader.take_cards(size, announcements.RULE)
    return Said(ShowPoignee(cards), words)


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
            points = f"{worked_out.count.card_points} points of {worked_out.contract.target}"
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
        "play": PhaseGrammar(_play, "play a card", play.RULE),
    },
    facts=FACTS,
    cards_of=lambda state, seat: (*state.table.held[seat], *state.deal.shown_trumps),
    story=_story,
)
