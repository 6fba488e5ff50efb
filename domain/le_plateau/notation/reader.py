"""Le Plateau in text: reading its actions (docs/notation.md)."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import TypeAlias, cast

from domain.cardplay.cards import TAROT_PACK
from domain.le_plateau import agreements, bidding, partners, play, talon_exchange
from domain.le_plateau import events as ev
from domain.le_plateau.actions import (
    Abdicate,
    Announce,
    Bid,
    ChooseTalon,
    Exchange,
    Gift,
    Give,
    Keep,
    Pass,
    Play,
    RaiseObjective,
    TeamSize,
)
from domain.le_plateau.board import OBJECTIVES, Objective
from domain.le_plateau.notation.deal import CARDS, DEALS
from domain.le_plateau.notation.facts import FACTS, result_of
from domain.le_plateau.notation.writer import STOP
from domain.le_plateau.state import State, shape_of
from domain.notation.deal_reader import DealReader, Grammar, PhaseGrammar, Said
from domain.notation.lexer import Word
from domain.table import Seat

_Reader: TypeAlias = DealReader[State]

_GIFTS = 2
_BID = re.compile(rf"({'|'.join(OBJECTIVES)})([.]x)?[.](solo|duo|trio)")


def _bid(reader: _Reader, word: Word) -> Said | None:
    if word.text.lower() == "pass":
        return Said(Pass())
    head, value = word.cut("=")
    found = _BID.fullmatch(head.text.lower())
    if found is None:
        return None
    objective, exchange_part, team = found.groups()
    no_exchange = False if shape_of(reader.state).exchange else None
    exchanges = True if exchange_part else no_exchange
    return Said(Bid(exchanges, cast("Objective", objective), cast("TeamSize", team)), follows=value)


def _pick(reader: _Reader, word: Word) -> Said | None:
    """Read the choice of a group of the talon."""
    if word.text.lower() != "pick":
        return None
    group = reader.lexer.take()
    if group.text not in ("0", "1"):
        message = f"{group} is not a group of the talon: pick 0, the first three cards, or 1"
        raise group.wrong(message, talon_exchange.RULE)
    return Said(ChooseTalon(int(group.text)))


def _lay(reader: _Reader, word: Word) -> Said | None:
    """Read a discard of as many cards as were taken."""
    if word.text.lower() != "lay":
        return None
    state = reader.state
    plays_next = partners.is_complete(state) and not partners.raisers(state)
    cards, words, surplus = reader.take_cards_aside(len(state.hand.taken), talon_exchange.RULE, then_a_card=plays_next)
    return Said(Exchange(cards), words, surplus=surplus)


def _give(reader: _Reader, word: Word) -> Said | None:
    """Read two gifts."""
    if word.text.lower() != "give":
        return None
    receivers = {str(seat): seat for seat in range(reader.replay.seats) if seat not in reader.replay.to_act}
    gifts: list[Gift] = []
    words: list[Word] = []
    given = sum(1 for _ in takewhile(lambda each: ">" in each.text, reader.lexer.ahead()))
    wrong_number = reader.lexer.peek(min(given, _GIFTS)).wrong(f"give {_GIFTS} cards, not {given}", talon_exchange.RULE)
    if given < _GIFTS and not reader.is_like_a_card(given):
        raise wrong_number
    for _ in range(_GIFTS):
        card, to = reader.lexer.take().cut(">")
        code = CARDS.read(card)
        if to is None or to.text not in receivers:
            message = "two cards must go to two other players, such as RS>1 2D>4"
            raise (to or card).wrong(message, talon_exchange.RULE)
        gifts.append(Gift(receivers.pop(to.text), code))
        words.append(card)
    return Said(Give(tuple(gifts)), words, surplus=wrong_number if given > _GIFTS else None)


def _call(reader: _Reader, word: Word) -> Said | None:
    """Read an announcement."""
    if word.text.lower() != "call":
        return None
    card, holder = reader.lexer.take().cut("=")
    return Said(Announce(CARDS.read(card)), (card,), holder)


def _raise_or_keep(reader: _Reader, word: Word) -> Said | None:
    match word.text.lower():
        case "keep":
            return Said(Keep())
        case "abdicate":
            return Said(Abdicate())
        case "raise":
            return _raise(reader)
        case _:
            return None


def _raise(reader: _Reader) -> Said:
    word, value = reader.lexer.take().cut("=")
    objective = next((each for each in OBJECTIVES if each == word.text.lower()), None)
    if objective is None:
        raise word.wrong(f"{word} is not an objective: objectives are {' '.join(OBJECTIVES)}", partners.RULE)
    return Said(RaiseObjective(objective), (word,), value)


def _play(_reader: _Reader, word: Word) -> Said | None:
    card, winner = word.cut("=")
    return Said(Play(card.text.upper()), (card,), winner) if card.text.upper() in TAROT_PACK else None


def _stop(reader: _Reader, word: Word, label: Word | None, _seat: Seat | None) -> Sequence[object]:
    """Read that the players agreed to stop after this hand."""
    if label is not None:
        raise label.wrong("all players agree to stop: leave the seat out", agreements.RULE)
    if not reader.replay.to_act or not agreements.offers(reader.state, 0):
        raise word.wrong("there is no hand now after which the players could agree to stop", agreements.RULE)
    return reader.replay.record(agreements.agree(reader.state, "stop_after_hand"))


def _story(state: State, event: object) -> str:
    """Return a sentence on how a hand ended, for the event that ends it."""
    if not isinstance(event, ev.HandScored):
        return ""
    result = state.results[-1]
    contract, scores = result.contract, " ".join(f"{score:+}" for score in result.scores)
    if contract is None:
        return f"deal {result.deal_number}: all passed"
    friends = "".join(f" with seat {seat}" for seat in contract.partners)
    makes = "makes" if result.by == "declarer" else "does not make"
    return (
        f"deal {result.deal_number}: seat {contract.declarer}{friends} {makes} {contract.objective}, "
        f"value {result.value}: {scores}"
    )


GRAMMAR: Grammar[State] = Grammar(
    game="game",
    deal="hand",
    deals=DEALS,
    phases={
        "bid": PhaseGrammar(_bid, "bid (such as y.x.duo) or pass", bidding.RULE),
        "choose_talon": PhaseGrammar(_pick, "pick a group of the talon (pick 0 or pick 1)", talon_exchange.RULE),
        "exchange": PhaseGrammar(
            _lay, "lay aside as many cards as it took (such as lay 1S 2S 3S)", talon_exchange.RULE
        ),
        "give": PhaseGrammar(_give, "give two cards (such as give RS>1 2D>4)", talon_exchange.RULE),
        "announce": PhaseGrammar(_call, "call a card (such as call RS)", partners.RULE),
        "raise": PhaseGrammar(_raise_or_keep, "keep or raise the objective (such as raise fork)", partners.RULE),
        "play": PhaseGrammar(_play, "play a card", play.RULE, is_card=True),
    },
    facts=FACTS,
    result_of=result_of,
    cards_of=lambda state, seat: state.table.held[seat],
    story=_story,
    out_of_turn={STOP: _stop},
)
