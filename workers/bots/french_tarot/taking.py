"""The decisions of a taker by playouts: bids, called cards, écarts and slams (``prospects``).

``greedy`` proposes what to try; if it has no doubt, nothing is played out.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

from domain.french_tarot import RULESET, partners
from domain.french_tarot.actions import (
    AnnouncePetitChelem,
    AnnounceSlam,
    Bid,
    Call,
    ContractName,
    Discard,
    NoSlam,
    Pass,
)
from domain.french_tarot.bidding import MULTIPLIER
from domain.french_tarot.deck import SHAPES
from domain.french_tarot.options import Options
from domain.french_tarot.partners import CALLING
from domain.french_tarot.state import SlamAnswer
from domain.french_tarot.view import View
from domain.table import Seat
from workers.bots.french_tarot import announcing, contracts, ecart, greedy
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot.prospects import Prospects
from workers.bots.halving import error_of_mean, halved
from workers.bots.policy import Asked, Thought
from workers.bots.ranking import Valued, best_first, posted, thought_from, thought_of, with_also

SCALE: Final = 8
"""``contracts`` counts in eighths of a point."""

POINT: Final = 1024
"""Values of bids are in parts of a point."""

HOPELESS: Final = -20 * SCALE
"""A contract with a smaller expectation of ``greedy`` (times one, from each other player) is not considered."""

PLAYOUTS_IN_A_WORLD: Final = 8
GREEDY_WORLDS: Final = 8
"""The expectation of ``greedy`` counts as much as so many worlds."""

MORE_THAN_BY_HABIT: Final[Mapping[int, int]] = {3: 8, 4: 8, 5: 3}
"""By players, how much more a bid is worth than in playouts, from each other player; a pass is worth nothing.

A taker wins more than by habit: in 120 deals between ``greedy`` bots with a garde, 5 points more from each other player
with three, 8 with four, and 1 with five. Besides, a pass lets another player take.
"""

PROPOSALS: Final = 6
"""How many écarts are tried."""

DOUBT: Final = 2
"""How many standard errors an action must be ahead of the choice of ``greedy``."""

MOST_LOSERS: Final = 3
"""The most losers, as ``greedy`` counts them, for which a slam is considered."""

WITHOUT_CHIEN: Final[AbstractSet[ContractName]] = frozenset({"garde_sans", "garde_contre"})
"""The contracts in which the taker does not take the chien."""

_SLAMS: Final[Mapping[type, SlamAnswer]] = {
    NoSlam: "none",
    AnnounceSlam: "slam",
    AnnouncePetitChelem: "petit_chelem",
}


def decided(options: Options, view: View, seat: Seat, asked: Asked) -> Thought | None:
    """Decide before the first card; None if there is no doubt, or nothing to play out."""
    weighed = greedy.weighed(options, view, seat)
    match view.phase:
        case "bid":
            return _bid(options, view, seat, asked, weighed)
        case "call":
            actions: list[object] = [action for _, action in best_first(weighed)]
            return _best(options, view, seat, asked, actions)
        case "discard":
            hand, size = c.mask_of(view.hands[seat].cards or ()), SHAPES[len(view.players)].chien
            return _best(
                options, view, seat, asked, [Discard(c.cards_of(way)) for way in ecart.proposed(hand, size, PROPOSALS)]
            )
        case "slam":
            losers = announcing.losers(c.mask_of(view.hands[seat].cards or ()), len(view.players) - 1)
            return (
                _best(options, view, seat, asked, [action for _, action in best_first(weighed)])
                if losers <= MOST_LOSERS or asked.also is not None
                else None
            )
        case _:
            return None


def _best(options: Options, view: View, seat: Seat, asked: Asked, actions: Sequence[object]) -> Thought | None:
    """Try actions in the same worlds; the first is the choice of ``greedy``."""
    actions = with_also(RULESET, asked.also, actions)
    if len(actions) < 2:
        return None
    rng = random.Random(asked.seed)  # noqa: S311 - chooses moves
    prospects = Prospects(options, view, seat, rng)

    def trial(alive: Sequence[int]) -> list[int]:
        prospects.go_on()
        return [_score_after(prospects, view, actions[index]) for index in alive]

    ranking = halved(len(actions), asked.playouts, trial, asked.is_enough)
    best = ranking.order[0]
    if best == 0 or _is_ahead(ranking.rewards[best], ranking.rewards[0]):
        return thought_from(RULESET, actions, ranking)
    ranking.order = [0, *(index for index in ranking.order if index)]
    return _without_doubtful_leads(thought_from(RULESET, actions, ranking))


def _without_doubtful_leads(thought: Thought) -> Thought:
    """Return a thought in which no action is ahead of the first if the lead is in doubt."""
    first = thought.estimates[0].score
    estimates = (replace(each, score=first, behind=0.0) if each.behind < 0 else each for each in thought.estimates)
    return replace(thought, estimates=tuple(estimates))


def _is_ahead(one: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether an action is ahead of another by ``DOUBT`` in the worlds that both were played in."""
    differences = [a - b for a, b in zip(one, other, strict=False)]
    ahead, squares, count = sum(differences), sum(each * each for each in differences), len(differences)
    return ahead > 0 and count * ahead**2 > DOUBT**2 * (count * squares - ahead**2)


def _score_after(prospects: Prospects, view: View, action: object) -> int:
    match action:
        case Call(card):
            contract, called = view.contract.contract if view.contract else "garde", c.NUMBER[card]
            return prospects.kept(called)[contract] if contract in WITHOUT_CHIEN else prospects.exchanged(called)
        case Discard(cards):
            return prospects.exchanged(aside=c.mask_of(cards))
        case _:
            return prospects.with_slam(_SLAMS[type(action)])


@dataclass(slots=True)
class _Found:
    """The results of a contract: sum and number, with the expectation of ``greedy``, and by world without it."""

    total: int
    count: int
    worlds: list[int] = field(default_factory=list)

    def add(self, score: int) -> None:
        """Add a playout in the latest world."""
        self.total += score
        self.count += 1
        self.worlds[-1] += score


def _parts(found: Mapping[ContractName, _Found], action: object, worlds: int) -> list[float]:
    """Return the contribution of each world to the mean of an action; nothing, if it is not a bid."""
    if not isinstance(action, Bid):
        return [0.0] * worlds
    bid = found[action.contract]
    return [score / bid.count for score in bid.worlds]


def _bid(options: Options, view: View, seat: Seat, asked: Asked, weighed: Sequence[Valued]) -> Thought | None:
    """Value the contracts that can still be bid, compared with a pass: those with hope, and a requested one."""
    bids = {action.contract: (worth, action) for worth, action in weighed if isinstance(action, Bid)}
    tried = {
        name: worth
        for name, (worth, action) in bids.items()
        if worth > HOPELESS * MULTIPLIER[name] or posted(RULESET, action) == asked.also
    }
    if not tried:
        return None
    others, earlier = len(view.players) - 1, GREEDY_WORLDS * PLAYOUTS_IN_A_WORLD
    found = {name: _Found(worth * others * earlier // SCALE, earlier) for name, worth in tried.items()}
    prospects = Prospects(options, view, seat, random.Random(asked.seed))  # noqa: S311 - chooses moves
    called, done = _to_call(options, view, seat), 0
    while done + PLAYOUTS_IN_A_WORLD <= asked.playouts and not asked.is_enough(done):
        prospects.go_on()
        done += PLAYOUTS_IN_A_WORLD
        for each in found.values():
            each.worlds.append(0)
        for name, score in _tried(prospects, {*tried}, called):
            found[name].add(score)
    more = MORE_THAN_BY_HABIT[others + 1] * others * POINT
    values: list[Valued] = [(0, action) for _, action in weighed if isinstance(action, Pass)]
    values += [(found[name].total * POINT // found[name].count + more, bids[name][1]) for name in tried]

    def error(action: object, other: object | None) -> float:
        one, two = (_parts(found, each, done // PLAYOUTS_IN_A_WORLD) for each in (action, other))
        parts = [mine - theirs for mine, theirs in zip(one, two, strict=True)]
        return POINT * len(parts) * error_of_mean(parts)

    return thought_of(RULESET, values, POINT, "points", done, error)


def _tried(prospects: Prospects, names: AbstractSet[ContractName], called: int) -> Iterator[tuple[ContractName, int]]:
    """List the scores of contracts in a world; if there are both kinds, half of the playouts take the chien."""
    without, taken_in = names & WITHOUT_CHIEN, names - WITHOUT_CHIEN
    for playout in range(PLAYOUTS_IN_A_WORLD):
        prospects.draw()
        if without and (playout % 2 or not taken_in):
            found: dict[ContractName, int] = prospects.kept(called)
        else:
            found = {"garde": prospects.exchanged(called), "petite": prospects.with_multiplier(MULTIPLIER["petite"])}
        yield from ((name, score) for name, score in found.items() if name in names)


def _to_call(options: Options, view: View, seat: Seat) -> int:
    """Return the card that ``greedy`` would call, -1 without a call."""
    if len(view.players) != CALLING:
        return -1
    hand = c.mask_of(view.hands[seat].cards or ())
    callable_cards = partners.callable_cards(greedy.own_state(options, view, seat), seat)
    return c.NUMBER[max(callable_cards, key=lambda card: contracts.worth_of_call(hand, card))]
