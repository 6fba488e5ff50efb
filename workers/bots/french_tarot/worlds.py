"""The worlds of a view for the kernel: sometimes one drawn by ``sample``, and between them some by ``shuffling``.

Those of ``sample`` are all equally likely. After some swaps, worlds occur in proportion to their likelihood given what
the seat has heard and seen, and cost a hundredth.
"""

import random
from collections.abc import Iterator, Mapping

from domain.french_tarot.inference import CHIEN, ECART, Place, cards_played
from domain.french_tarot.options import Options
from domain.french_tarot.sampling import free_cards, sample
from domain.french_tarot.state import State
from domain.french_tarot.view import View
from domain.table import Seat
from workers.bots.compiled import Words, fast, words
from workers.bots.drawing import SEED
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import hearing, watching
from workers.bots.french_tarot import shuffling as s
from workers.bots.signs import FRESH_EVERY, PASSES

_SUITS = (1 << c.PETIT) - 1


class Worlds:
    """The worlds of a view.

    ``places`` has the possible places of each free card, as bits; ``state`` is the world that was drawn last.
    """

    def __init__(self, options: Options, view: View, seat: Seat, rng: random.Random) -> None:
        self._asked = options, seat, view
        self._rng = rng
        self.places = {
            c.NUMBER[card]: sum(1 << number_of(view, place) for place in places)
            for card, places in free_cards(options, view).items()
            if len(places) > 1
        }
        self._index = {number: index for index, number in enumerate(self.places)}
        self._mask = sum(1 << number for number in self.places)
        self._blank = _blank(options, view, seat, self.places)
        self._count = 0
        self._stir = fast(s.stir)
        self.current: Words = []
        self.state = self._draw()

    def next(self) -> Words:
        """Continue to another world, and return it."""
        is_fresh = self._count % FRESH_EVERY == 0
        if is_fresh and self._count:
            self.state = self._draw()
        self._count += 1
        self._stir(self.current, int(self.current[s.COUNT]) * (PASSES if is_fresh else 1))
        return self.current

    def _draw(self) -> State:
        options, seat, view = self._asked
        state = sample(options, seat, view, self._rng)
        world = [*self._blank]
        world[SEED] = self._rng.randrange(1, 1 << 32)
        for place, cards in lying(state, view):
            world[s.SUITS_AT + place], world[s.TRUMPS_AT + place] = cards & _SUITS, cards >> c.PETIT
            for number in c.numbers_of(cards & self._mask):
                world[s.LIES + self._index[number]] = place
            world[s.STRENGTH + world[s.DEALT_TO + place]] += hearing.strength_of(cards)
        self.current = words(world)
        return state


def lying(state: State, view: View) -> Iterator[tuple[int, int]]:
    """List the places by their numbers in ``shuffling``, and their cards."""
    for player, seat in enumerate(view.players):
        yield player, c.mask_of(state.table.held[seat])
    yield s.CHIEN, c.mask_of(state.deal.chien) if view.chien.count else 0
    yield s.ECART, c.mask_of(state.deal.ecart)


def number_of(view: View, place: Place) -> int:
    """Return the number of a place in ``shuffling``."""
    return {CHIEN: s.CHIEN, ECART: s.ECART}[place] if place in (CHIEN, ECART) else view.players.index(place[1])


def _blank(options: Options, view: View, seat: Seat, may: Mapping[int, int]) -> list[int]:
    """Return the array of a world with all that is the same in every world."""
    world = [0] * s.SIZE
    world[s.COUNT] = len(may)
    world[s.CARD : s.CARD + len(may)] = may
    world[s.MAY : s.MAY + len(may)] = may.values()
    _load_past(world, options, view)
    _load_auction(world, view)
    _load_play(world, view, seat)
    return world


def _load_past(world: list[int], options: Options, view: View) -> None:
    """Load who may have been dealt the petit alone, the secret partner, and the owner of the cards aside."""
    for played in cards_played(view):
        world[s.PAST + view.players.index(played.seat)] |= 1 << c.NUMBER[played.card] >> c.PETIT
    declared = view.petit_imprenable
    anybody = (1 << len(view.players)) - 1
    world[s.LONE_PETIT] = anybody if options.petit_sec == "play_on" else 0
    if declared is not None:
        world[s.LONE_PETIT] |= 1 << view.players.index(declared)
    world[s.CALLED] = -1 if view.called is None or view.called.revealed else c.NUMBER[view.called.card]
    world[s.ASIDE] = -1
    if view.contract is not None:
        taker = view.players.index(view.contract.taker)
        world[s.PAST + taker] |= c.mask_of(view.ecart.trumps) >> c.PETIT
        world[s.TAKEN_IN + taker] = c.mask_of(view.chien.turned_up) >> c.PETIT
        world[s.ASIDE] = {"garde_sans": s.CHIEN, "garde_contre": -1}.get(view.contract.contract, s.ECART)


def _load_auction(world: list[int], view: View) -> None:
    """Load what the auction has shown, and the strength of the cards that each hand has played."""
    players = view.players
    world[s.DEALT_TO : s.DEALT_TO + s.PLACES] = [*range(s.NOBODY), s.NOBODY, s.NOBODY]
    for heard in hearing.heard(view):
        player = players.index(heard.seat)
        world[s.SHOWN + player], world[s.STRENGTH + player] = heard.shown, -heard.line
    for played in cards_played(view):
        world[s.STRENGTH + players.index(played.seat)] += hearing.STRENGTH_OF[c.NUMBER[played.card]]
    if view.contract is not None:
        taker = players.index(view.contract.taker)
        world[s.DEALT_TO + s.ECART] = taker
        world[s.STRENGTH + taker] -= hearing.strength_of(c.mask_of(view.chien.turned_up))


def _load_play(world: list[int], view: View, seat: Seat) -> None:
    """Load what exchange and play have shown about each unseen card."""
    index = {card: index for index, card in enumerate(world[s.CARD : s.CARD + world[s.COUNT]])}
    unseen = sum(1 << card for card in index)
    for (place, card), lean in watching.leanings(view, seat, unseen).items():
        world[s.LEAN + s.CARDS * number_of(view, place) + index[card]] = lean
