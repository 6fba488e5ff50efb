"""French Tarot in text, read: a deal, an action to decide, or a fact to compare with the rules (docs/notation.md)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, cast, get_args

from domain.cards import TAROT_PACK
from domain.french_tarot import announcements, bidding, exchange, partners, play
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
from domain.french_tarot.notation_deal import RULE as DEAL_RULE
from domain.french_tarot.notation_deal import read_deal
from domain.french_tarot.notation_facts import Facts, is_fact
from domain.french_tarot.state import State, contract_of, shape_of
from domain.notation_deals import card_of, seat_of
from domain.replay import Replay
from domain.ruleset import IllegalAction, Seat
from domain.words import Word, Words

_NUMBER = re.compile("[0-9]{1,4}[.]")
_SLAMS: Mapping[str, Action] = {
    "slam": AnnounceSlam(),
    "petit_chelem": AnnouncePetitChelem(),
    "no_slam": NoSlam(),
}


def read(replay: Replay, words: Words) -> None:
    """Read a game as far as its words go, and play it again."""
    reader = _Reader(replay, words)
    while words.more:
        reader.step()
    reader.tell()


@dataclass(frozen=True, slots=True)
class _Said:
    """An action as it was read, the words that name its cards, and who is said to win the trick by it."""

    action: Action
    cards: Sequence[Word] = ()
    winner: Word | None = None


class _Reader:
    """Reads entry after entry: a word with what belongs to it, perhaps behind the label of a seat."""

    def __init__(self, replay: Replay, words: Words) -> None:
        self._replay = replay
        self._words = words
        self._facts = Facts(words)
        self._untold = ""

    @property
    def _state(self) -> State:
        return cast("State", self._replay.state)

    def step(self) -> None:
        """Read one deal, one fact or one action."""
        label = self._words.take() if self._words.next.is_label else None
        seat = None if label is None else seat_of(label, self._replay.seats)
        word = self._words.take()
        if _NUMBER.fullmatch(word.text):
            self._deal(word, label)
        elif is_fact(word):
            whose = self._facts.check(word, self._state)
            if label is not None and seat != whose:
                raise label.wrong("this is nobody's: leave the seat out" if whose is None else f"it is seat {whose}'s")
        else:
            self._act(word, label, seat)

    def tell(self) -> None:
        """Tell how the last deal ended, if that has not been told."""
        if self._untold:
            self._replay.tell(self._untold)
            self._untold = ""

    def _deal(self, number: Word, label: Word | None) -> None:
        if label is not None:
            raise label.wrong("a deal begins with its number alone", DEAL_RULE)
        if self._state.phase != "deal":
            self._refuse(number)
        self.tell()
        self._happened(read_deal(number, self._replay, self._words))

    def _act(self, word: Word, label: Word | None, seat: Seat | None) -> None:
        if not self._replay.to_act:
            self._refuse(label or word)
        phase, actor = _PHASES[self._state.phase], self._replay.to_act[0]
        if label is not None and seat != actor:
            raise label.wrong(f"seat {actor} is to {phase.wanted}, not seat {seat}", phase.rule)
        said = phase.read(self, word)
        if said is None:
            raise word.wrong(f"{word} does not fit: seat {actor} is to {phase.wanted}", phase.rule)
        try:
            events = self._replay.act(actor, said.action)
        except IllegalAction as refused:
            fault = self._culprit(word, said, actor)
            raise fault.wrong(f"seat {actor}: {refused.message}", refused.rule) from refused
        self._happened(events)
        if said.winner is not None:
            self._facts.check_winner(said.winner)

    def _happened(self, events: Sequence[object]) -> None:
        self._facts.happened(events)
        self._untold = next(filter(None, (_story(self._state, event) for event in events)), self._untold)

    def _refuse(self, word: Word) -> NoReturn:
        """Refuse a deal in the middle of a deal, and an action between deals."""
        if self._state.phase == "over":
            raise word.wrong("the match is over: only its result can follow")
        if self._state.phase == "deal":
            number = self._state.deal.number + 1
            raise word.wrong(f"the next deal belongs here, beginning with {number}. and the dealer", DEAL_RULE)
        phase = _PHASES[self._state.phase]
        raise word.wrong(f"the deal is not over: seat {self._replay.to_act[0]} is to {phase.wanted}", phase.rule)

    def _culprit(self, word: Word, said: _Said, actor: Seat) -> Word:
        """Give the word at fault: of several cards the first that is not held, or is named before."""
        named: set[str] = set()
        for each in said.cards:
            card = each.text.upper()
            if card not in (*self._state.table.held[actor], *self._state.deal.shown_trumps) or card in named:
                return each
            named.add(card)
        return said.cards[-1] if said.cards else word

    # -- the action of each phase; None for a word that is none ---------------------------------------------------

    def bid(self, word: Word) -> _Said | None:
        """Read a bid, or a pass."""
        if word.text.lower() == "pass":
            return _Said(Pass())
        contract = next((each for each in bidding.CONTRACTS if each == word.text.lower()), None)
        return _Said(Bid(contract)) if contract else None

    def call(self, word: Word) -> _Said | None:
        """Read a called card."""
        if word.text.lower() != "call":
            return None
        card = self._words.take()
        return _Said(Call(card_of(card, TAROT_PACK, partners.RULE)), (card,))

    def lay(self, word: Word) -> _Said | None:
        """Read an écart."""
        if word.text.lower() != "lay":
            return None
        cards = [self._words.take() for _ in range(shape_of(self._state).chien)]
        return _Said(Discard(tuple(card_of(card, TAROT_PACK, exchange.RULE) for card in cards)), cards)

    def slam(self, word: Word) -> _Said | None:
        """Read what is announced of a slam."""
        action = _SLAMS.get(word.text.lower())
        return _Said(action) if action else None

    def poignee_or_pass(self, word: Word) -> _Said | None:
        """Read a poignée, or that none is shown."""
        return _Said(Pass()) if word.text.lower() == "pass" else self._poignee(word)

    def play(self, word: Word) -> _Said | None:
        """Read a card played, or what is announced before the first one."""
        if word.text.lower() == "misere":
            return self._misere()
        card, winner = word.cut("=")
        if card.text.upper() in TAROT_PACK:
            return _Said(Play(card.text.upper()), (card,), winner)
        return self._poignee(word)

    def _poignee(self, word: Word) -> _Said | None:
        if word.text.lower() != "poignee":
            return None
        said = self._words.take()
        sizes = dict(zip(announcements.LEVELS, announcements.poignee_sizes(self._state), strict=True))
        size = next((size for level, size in sizes.items() if level == said.text.lower()), None)
        if size is None:
            raise said.wrong(f"{said} is no poignee: they are {' '.join(sizes)}", announcements.RULE)
        cards = [self._words.take() for _ in range(size)]
        return _Said(ShowPoignee(tuple(card_of(card, TAROT_PACK, announcements.RULE) for card in cards)), cards)

    def _misere(self) -> _Said:
        word = self._words.take()
        kinds: tuple[Misere, ...] = get_args(Misere)
        kind = next((kind for kind in kinds if kind == word.text.lower()), None)
        if kind is None:
            raise word.wrong(f"{word} is no misere: they are {' '.join(kinds)}", announcements.RULE)
        return _Said(AnnounceMisere(kind), (word,))


def _story(state: State, event: object) -> str:
    """Tell in a sentence how a deal ended, if an event says so."""
    match event:
        case ev.DealThrownIn(reason):
            return f"deal {state.deal.number}: {_THROWN_IN[reason]}, thrown in"
        case ev.DealScored(worked_out, scores):
            contract, partner = contract_of(state), state.results[-1]["partner"]
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


@dataclass(frozen=True, slots=True)
class _Phase:
    """How the action of a phase is read, what its seat is to do, and the section of its rules."""

    read: Callable[[_Reader, Word], _Said | None]
    wanted: str
    rule: str


_PHASES: Mapping[str, _Phase] = {
    "bid": _Phase(_Reader.bid, "bid (such as garde) or pass", bidding.RULE),
    "call": _Phase(_Reader.call, "call a card (such as call RH)", partners.RULE),
    "discard": _Phase(_Reader.lay, "lay aside as many cards as the chien had (such as lay 1S 2S 3S)", exchange.RULE),
    "slam": _Phase(_Reader.slam, "announce slam or no_slam", announcements.RULE),
    "poignee": _Phase(_Reader.poignee_or_pass, "show a poignee or pass", announcements.RULE),
    "play": _Phase(_Reader.play, "play a card", play.RULE),
}
