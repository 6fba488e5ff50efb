"""The value of bids, called cards, écarts and slams, by deals that are played out in worlds.

The seat is, or would be, the taker. In each world it takes the chien, lays aside what ``greedy`` would, and all play by
habit (``habits``).
"""

import random
from dataclasses import replace

from domain.french_tarot.actions import ContractName
from domain.french_tarot.bidding import MULTIPLIER
from domain.french_tarot.deck import SHAPES
from domain.french_tarot.events import ContractWon
from domain.french_tarot.options import Options
from domain.french_tarot.state import Called, SlamAnswer, State
from domain.french_tarot.view import View
from domain.table import Seat
from workers.bots.compiled import Words, fast, words
from workers.bots.drawing import SEED
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import ecart, habits, scoring, shuffling
from workers.bots.french_tarot import kernel as k
from workers.bots.french_tarot.loading import bases_of
from workers.bots.french_tarot.worlds import Worlds

_SUITS = (1 << c.PETIT) - 1


class Prospects:
    """Deals that a seat plays as the taker, in one world after the other.

    ``worlds`` are those that are consistent with its view; ``chance`` is the seed of the next playout.
    """

    def __init__(self, options: Options, view: View, seat: Seat, rng: random.Random) -> None:
        self.worlds = Worlds(options, view, seat, rng)
        self._view, self._seat, self._rng = view, seat, rng
        self._player = view.players.index(seat)
        self._called = -1 if view.called is None else c.NUMBER[view.called.card]
        self._size = SHAPES[len(view.players)].chien
        self._bases: dict[tuple[ContractName, int, SlamAnswer | None], Words] = {}
        self._game = words([0] * k.LENGTH)
        self.chance = 1
        self._aside = 0

    def go_on(self) -> None:
        """Continue to another world."""
        self.worlds.next()
        self._aside = 0
        self.draw()

    def draw(self) -> None:
        """Continue with other random numbers in the same world."""
        self.chance = self._rng.randrange(1, 1 << 32)

    def exchanged(self, called: int = -1, aside: int | None = None) -> int:
        """Return what the seat wins with a garde, or its contract, after it took the chien and laid cards aside.

        ``called`` is the card to call, if there is one, and ``aside`` the écart, as bits.
        """
        self._put("garde", called)
        game, whole = self._game, self._held() | self._chien()
        if called >= 0 and self._chien() >> called & 1:
            game[k.SECRET] = -1
        gone = self._laid_aside(whole) if aside is None else aside
        game[k.SUIT_CARDS + self._player] = whole & ~gone & _SUITS
        game[k.TRUMP_CARDS + self._player] = (whole & ~gone) >> c.PETIT
        self._count(gone, 1)
        return self._played()

    def kept(self, called: int = -1) -> dict[ContractName, int]:
        """Return what the seat wins with a garde sans and a garde contre."""
        self._put("garde_sans", called)
        chien, game = self._chien(), self._game
        self._count(chien, 1)
        sans = self._played()
        self._count(chien, -1)
        game[k.MULTIPLIER] = MULTIPLIER["garde_contre"]
        return {"garde_sans": sans, "garde_contre": self._score()}

    def with_slam(self, answer: SlamAnswer) -> int:
        """Return what the seat wins if it announces a slam, or does not."""
        self._put("garde", -1, answer)
        return self._played()

    def with_multiplier(self, multiplier: int) -> int:
        """Return the score of the last deal with another multiplier."""
        self._game[k.MULTIPLIER] = multiplier
        return self._score()

    def _put(self, contract: ContractName, called: int, slam: SlamAnswer | None = None) -> None:
        called = self._called if called < 0 else called
        key = contract, called, slam
        world = self.worlds.current
        if key not in self._bases:
            self._bases[key] = words(bases_of(self._supposed(contract, called, slam)))
        is_secret = self._view.called is None or not self._view.called.revealed
        world[shuffling.CALLED] = called if is_secret else -1
        if slam is None:  # the kernel counts the cards aside at the end of the deal
            world[shuffling.ASIDE] = -1
        fast(shuffling.put)(world, self._bases[key], self._game)
        self._game[SEED] = self.chance

    def _supposed(self, contract: ContractName, called: int, slam: SlamAnswer | None) -> State:
        """Return a state in which the seat has taken this contract."""
        state = self.worlds.state
        deal = state.deal
        return replace(
            state,
            deal=replace(
                deal,
                contract=deal.contract or ContractWon(self._seat, contract, MULTIPLIER[contract]),
                called=deal.called or (Called(c.CARD[called], revealed=False, partner=None) if called >= 0 else None),
                slam=slam,
            ),
        )

    def _laid_aside(self, whole: int) -> int:
        """Return the cards that ``greedy`` would lay aside in this world."""
        self._aside = self._aside or ecart.chosen(whole, self._size)
        return self._aside

    def _held(self) -> int:
        game = self._game
        return int(game[k.SUIT_CARDS + self._player]) | int(game[k.TRUMP_CARDS + self._player]) << c.PETIT

    def _chien(self) -> int:
        world = self.worlds.current
        suits, trumps = world[shuffling.SUITS_AT + shuffling.CHIEN], world[shuffling.TRUMPS_AT + shuffling.CHIEN]
        return int(suits) | int(trumps) << c.PETIT

    def _count(self, cards: int, sign: int) -> None:
        """Count cards for the attack, or no longer (``sign`` -1)."""
        self._game[k.HALVES] += sign * sum(c.HALVES[card] for card in c.numbers_of(cards))
        self._game[k.OUDLERS] += sign * (cards & c.OUDLERS).bit_count()

    def _played(self) -> int:
        fast(habits.play_out)(self._game)
        return self._score()

    def _score(self) -> int:
        return int(fast(scoring.score_of)(self._game, self._player))
