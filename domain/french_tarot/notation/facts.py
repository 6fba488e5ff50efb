"""French Tarot in text: the facts that a text can state, by the word that begins them (docs/notation.md)."""

from collections.abc import Mapping

from domain.french_tarot import bidding, chien, hands, partners, play, scoring
from domain.french_tarot import events as ev
from domain.french_tarot.state import State
from domain.notation.facts import Consequences, Fact, happened, trick_number
from domain.notation.lexer import Word


def _partner(since: Consequences, word: Word, _state: State) -> None:
    partner = since.pick(word, ev.PartnerRevealed, partners.RULE).partner
    if partner is None:
        raise word.wrong("by the rules it is alone", partners.RULE)
    said = since.lexer.take()
    if said.text != str(partner):
        raise said.wrong(f"by the rules it is partner {partner}", partners.RULE)


def _alone(since: Consequences, word: Word, _state: State) -> None:
    partner = since.pick(word, ev.PartnerRevealed, partners.RULE).partner
    if partner is not None:
        raise word.wrong(f"by the rules it is partner {partner}", partners.RULE)


def _points(since: Consequences, word: Word, _state: State) -> None:
    """Compare the card points of the attack, which the event that scores the deal holds."""
    since.pick(word, ev.DealRevealed, scoring.RULE)
    scored = [event.calculation.count.card_points for event in since.events if isinstance(event, ev.DealScored)]
    since.compare_in_order(scored, scoring.RULE)


FACTS: Mapping[str, Fact[State]] = {
    "petit_sec": happened(ev.PetitSecShown, hands.PETIT_SEC_RULE, of=lambda shown: shown.holder),
    "imprenable": happened(ev.PetitImprenableDeclared, hands.PETIT_SEC_RULE, of=lambda declared: declared.holder),
    "void": happened(ev.DealThrownIn, bidding.RULE),
    "take": happened(
        ev.ChienTurned,
        chien.RULE,
        in_any_order=lambda turned: turned.cards,
        of=lambda turned: turned.taker,
    ),
    "show": happened(ev.TrumpsShown, chien.RULE, in_any_order=lambda shown: shown.cards, of=lambda shown: shown.taker),
    "partner": _partner,
    "alone": _alone,
    "#": trick_number(play.RULE),
    "points": _points,
    "score": happened(ev.DealScored, scoring.RULE, in_order=lambda scored: scored.scores),
}
