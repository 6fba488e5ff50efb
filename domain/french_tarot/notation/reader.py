"""French Tarot in text, read: a deal, an action to decide, or a fact to compare with the rules (docs/notation.md)."""

from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

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
from domain.french_tarot.notation.deal import RULE as DEAL_RULE
from domain.french_tarot.notation.deal import read_deal
from domain.french_tarot.notation.facts import Facts, is_fact
from domain.french_tarot.state import State, contract_of, shape_of
from domain.notation.deal_reader import DealReader, Phase, Said
from domain.notation.deals import card_of
from domain.notation.lexer import Word, Words
from domain.notation.replay import Replay
from domain.table import Seat

_SLAMS: Mapping[str, Action] = {
    "slam": AnnounceSlam(),
    "petit_chelem": AnnouncePetitChelem(),
    "no_slam": NoSlam(),
}


def read(replay: Replay, words: Words) -> None:
    """Read a game as far as its words go, and play it again."""
    _Reader(replay, words, Facts(words)).read()


class _Reader(DealReader):
    GAME, DEAL, DEAL_RULE = "match", "deal", DEAL_RULE

    @property
    def _state(self) -> State:
        return cast("State", self._replay.state)

    def phases(self) -> Mapping[str, Phase]:
        return _PHASES

    def is_fact(self, word: Word) -> bool:
        return is_fact(word)

    def read_deal(self, number: Word) -> Sequence[Any]:
        return read_deal(number, self._replay, self._words)

    def next_number(self) -> int:
        return self._state.deal.number + 1

    def cards_of(self, seat: Seat) -> Sequence[str]:
        return (*self._state.table.held[seat], *self._state.deal.shown_trumps)

    def story(self, event: Any) -> str:
        return _story(self._state, event)

    # -- the action of each phase; None for a word that is none ---------------------------------------------------

    def bid(self, word: Word) -> Said | None:
        """Read a bid, or a pass."""
        if word.text.lower() == "pass":
            return Said(Pass())
        contract = next((each for each in bidding.CONTRACTS if each == word.text.lower()), None)
        return Said(Bid(contract)) if contract else None

    def call(self, word: Word) -> Said | None:
        """Read a called card."""
        if word.text.lower() != "call":
            return None
        card = self._words.take()
        return Said(Call(card_of(card, TAROT_PACK, partners.RULE)), (card,))

    def lay(self, word: Word) -> Said | None:
        """Read an écart."""
        if word.text.lower() != "lay":
            return None
        cards = [self._words.take() for _ in range(shape_of(self._state).chien)]
        return Said(Discard(tuple(card_of(card, TAROT_PACK, chien.RULE) for card in cards)), cards)

    def slam(self, word: Word) -> Said | None:
        """Read what is announced of a slam."""
        action = _SLAMS.get(word.text.lower())
        return Said(action) if action else None

    def poignee_or_pass(self, word: Word) -> Said | None:
        """Read a poignée, or that none is shown."""
        return Said(Pass()) if word.text.lower() == "pass" else self._poignee(word)

    def play(self, word: Word) -> Said | None:
        """Read a card played, or what is announced before the first one."""
        if word.text.lower() == "misere":
            return self._misere()
        card, winner = word.cut("=")
        if card.text.upper() in TAROT_PACK:
            return Said(Play(card.text.upper()), (card,), winner)
        return self._poignee(word)

    def _poignee(self, word: Word) -> Said | None:
        if word.text.lower() != "poignee":
            return None
        said = self._words.take()
        sizes = dict(zip(announcements.LEVELS, announcements.poignee_sizes(self._state), strict=True))
        size = next((size for level, size in sizes.items() if level == said.text.lower()), None)
        if size is None:
            raise said.wrong(f"{said} is no poignee: they are {' '.join(sizes)}", announcements.RULE)
        cards = [self._words.take() for _ in range(size)]
        return Said(ShowPoignee(tuple(card_of(card, TAROT_PACK, announcements.RULE) for card in cards)), cards)

    def _misere(self) -> Said:
        word = self._words.take()
        kinds: tuple[Misere, ...] = get_args(Misere)
        kind = next((kind for kind in kinds if kind == word.text.lower()), None)
        if kind is None:
            raise word.wrong(f"{word} is no misere: they are {' '.join(kinds)}", announcements.RULE)
        return Said(AnnounceMisere(kind), (word,))


def _story(state: State, event: object) -> str:
    """Tell in a sentence how a deal ended, if an event says so."""
    match event:
        case ev.DealThrownIn(reason):
            return f"deal {state.deal.number}: {_THROWN_IN[reason]}, thrown in"
        case ev.DealScored(worked_out, scores):
            contract, partner = contract_of(state), state.results[-1].partner
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


_PHASES: Mapping[str, Phase] = {
    "bid": Phase(_Reader.bid, "bid (such as garde) or pass", bidding.RULE),
    "call": Phase(_Reader.call, "call a card (such as call RH)", partners.RULE),
    "discard": Phase(_Reader.lay, "lay aside as many cards as the chien had (such as lay 1S 2S 3S)", chien.RULE),
    "slam": Phase(_Reader.slam, "announce slam or no_slam", announcements.RULE),
    "poignee": Phase(_Reader.poignee_or_pass, "show a poignee or pass", announcements.RULE),
    "play": Phase(_Reader.play, "play a card", play.RULE),
}
