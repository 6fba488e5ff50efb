"""The bot ``searcher`` for Plute: it plays out its actions in worlds that are consistent with its view.

A bid is tried with the rest of the auction, a card that names trump with each suit of its own. It claims as ``greedy``
does.
"""

import random
from collections.abc import Sequence

from domain.plute import RULESET
from domain.plute.actions import Bid, Play
from domain.plute.deck import TRUMP_SUITS, printed_suit
from domain.plute.options import Options
from domain.plute.state import State, of_team, other_team, team_of
from domain.plute.view import View
from domain.serialization import from_plain
from domain.table import Seat
from workers.bots.compiled import fast, words
from workers.bots.halving import halved
from workers.bots.plute import auctions, greedy, matches, playouts, worlds
from workers.bots.plute import cards as c
from workers.bots.plute import kernel as k
from workers.bots.plute.loading import begun, loaded
from workers.bots.policy import Asked, Thought
from workers.bots.ranking import Scale, best_first, thought_from, with_also

BIDDING = 3
"""A bid is tried with whole hands, which take longest, so it has only this part of the playouts."""

BIDS_TRIED = 3
"""The pass and the lowest bids."""


def think(asked: Asked) -> Thought:
    """Choose a bid or a card by playouts, and claim as ``greedy`` does."""
    view = from_plain(View, asked.view["state"])
    options, seat = from_plain(Options, asked.view["game"]["options"]), asked.view["viewer"]["seat"]
    actions = [action for _, action in best_first(greedy.weighed(options, view, seat))]
    if len(actions) < 2:
        return greedy.think(asked)
    return (_bid if view.phase == "bid" else _card)(asked, options, view, seat, actions)


def _card(asked: Asked, options: Options, view: View, seat: Seat, actions: Sequence[object]) -> Thought:
    plays = [action for action in actions if isinstance(action, Play)]
    codes = [_code(view, action) for action in plays]
    sign = 1 if seat % 2 == 0 else -1
    drawn = worlds.drawn_for(options, view, seat, _rng(asked), loaded)
    scratch = words([0] * k.LENGTH)

    def trial(alive: Sequence[int]) -> list[int]:
        tried = words(codes[action] for action in alive)
        fast(playouts.try_cards)(next(drawn), tried, scratch)
        return [sign * int(worth) for worth in tried]

    ranking = halved(len(plays), asked.playouts, trial, asked.is_enough)
    return thought_from(RULESET, plays, ranking, Scale("bid", k.FOR_THE_BID))


def _bid(asked: Asked, options: Options, view: View, seat: Seat, actions: Sequence[object]) -> Thought:
    tried_first = sorted(actions, key=lambda action: action.points if isinstance(action, Bid) else 0)[:BIDS_TRIED]
    bids = with_also(RULESET, asked.also, [action for action in actions if action in tried_first])
    points = [action.points if isinstance(action, Bid) else 0 for action in bids]
    auction = words([view.dealer, len(view.bids), int(options.dealer_may_steal), *_worths(options, view, seat)])
    drawn = worlds.drawn_for(options, view, seat, _rng(asked), _bidding)
    scratch = words([0] * k.LENGTH)

    def trial(alive: Sequence[int]) -> list[int]:
        tried = words(points[action] for action in alive)
        fast(auctions.try_bids)(next(drawn), tried, scratch, auction)
        return [int(worth) for worth in tried]

    ranking = halved(len(bids), asked.playouts // BIDDING, trial, asked.is_enough)
    return thought_from(RULESET, bids, ranking, Scale("win", matches.CERTAIN / 2, -1.0))


def _rng(asked: Asked) -> random.Random:
    return random.Random(asked.seed)  # noqa: S311 - chooses moves; the game's own draws are made elsewhere


def _bidding(state: State, seed: int) -> list[int]:
    """Load a hand in the auction, with the highest bid so far."""
    game = begun(state, seed)
    for spoken in state.hand.bids:
        if spoken.points is not None:
            game[k.BID], game[k.BIDDER] = spoken.points, spoken.seat
    return game


def _worths(options: Options, view: View, seat: Seat) -> list[int]:
    """Return the values of the hand to the team of a seat, by its result."""
    own, others = (of_team(view.tally, team) for team in (team_of(seat), other_team(team_of(seat))))
    return matches.worths_of(
        options.win_at - own.made,
        options.lose_at - own.set,
        options.win_at - others.made,
        options.lose_at - others.set,
    )


def _code(view: View, action: Play) -> int:
    """Return a card with its trump suit, in the kernel's code."""
    trump = view.trump or action.trump or printed_suit(action.card)
    return k.CODES * TRUMP_SUITS.index(trump) + c.NUMBER[action.card]
