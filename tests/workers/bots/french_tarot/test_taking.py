"""What the searcher of French Tarot decides before the play, by deals that it plays out from each world."""

import random
from statistics import fmean, stdev

import pytest

from domain.chance import Chance
from domain.french_tarot import RULESET
from domain.french_tarot.actions import AnnounceSlam, Bid, Call, Discard, NoSlam, Pass
from domain.french_tarot.deck import SHAPES
from tests.domain.french_tarot import builders
from tests.support.random_games import playing
from tests.support.sampling import part
from tests.workers.bots.asking import asked_of
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import ecart, habits, scoring, searcher
from workers.bots.french_tarot.loading import loaded
from workers.bots.french_tarot.prospects import Prospects

KINGS = ("RS", "RH", "RD", "RC")


def dealt(seats, seed=0):
    """Return a state in which the first seat bids, and its options."""
    game = next(step.game for step in playing("french-tarot", seats, seed) if step.game.state and step.game.pending)
    assert game.state.phase == "bid"
    return game.state, game.options


def taken(state, seat, contract="garde", card=None, slam=None, until="play"):
    """Play by the rules up to a phase: the seat takes the contract, and lays aside as ``greedy`` does."""
    while state.phase != until:
        turn = min(RULESET.waiting_for(state))
        hand, size = c.mask_of(state.table.held[turn]), SHAPES[len(state.deal.players)].chien
        action = {
            "bid": lambda: Bid(contract) if turn == seat else Pass(),  # noqa: B023 - called at once
            "call": lambda: Call(card),
            "discard": lambda: Discard(c.cards_of(ecart.chosen(hand, size))),  # noqa: B023
            "slam": lambda: slam or NoSlam(),
            "poignee": Pass,
        }[state.phase]()
        for event in RULESET.decide(state, turn, action):
            state = RULESET.evolve(state, event)
        while state.phase != until and (events := RULESET.settle(state, Chance(b"", "", ()))):
            for event in events:
                state = RULESET.evolve(state, event)
    return state


def score_by_the_rules(state, seed, seat):
    """Play a state of the rules to its end by habit, with this seed; return what a seat wins."""
    game = loaded(state, seed)
    habits.play_out(game)
    return scoring.score_of(game, state.deal.players.index(seat))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_contract_brings_in_a_world_what_the_rules_say_that_it_brings(seats):
    for seed in range(3):
        state, options = dealt(seats, seed)
        seat = state.deal.players[0]
        prospects = Prospects(options, RULESET.project(state, seat), seat, random.Random(seed))
        prospects.draw()
        world = prospects.worlds.state
        card = next((king for king in KINGS if king not in world.table.held[seat]), None)
        called = -1 if seats < 5 else c.NUMBER[card]
        found = {"garde": prospects.exchanged(called), "petite": prospects.with_multiplier(1), **prospects.kept(called)}
        wanted = {
            name: score_by_the_rules(taken(world, seat, name, card), prospects.chance, seat)
            for name in ("petite", "garde", "garde_sans", "garde_contre")
        }
        assert found == wanted


@pytest.mark.parametrize("slam", [NoSlam(), AnnounceSlam()])
def test_a_slam_brings_in_a_world_what_the_rules_say_that_it_brings(slam):
    state, options = dealt(4, 1)
    seat = state.deal.players[0]
    before = taken(state, seat, until="slam")
    prospects = Prospects(options, RULESET.project(before, seat), seat, random.Random(1))
    prospects.draw()
    answer = "none" if isinstance(slam, NoSlam) else "slam"
    wanted = score_by_the_rules(taken(prospects.worlds.state, seat, slam=slam), prospects.chance, seat)
    assert prospects.with_slam(answer) == wanted


STRONG = "T21 T20 T19 T18 T17 T16 T15 T10 T9 T1 EX RS DS RH DH RD 1C 2C"
WEAK = "T2 1S 2S 3S 4S 5S 1H 2H 3H 4H 5H 1D 2D 3D 4D 1C 2C 3C"


def think(state, seat, playouts, **more):
    return searcher.think(asked_of(RULESET, state, seat, playouts=playouts, **more))


def dealt_to_the_first(hand):
    """Return a deal of four in which the first seat has this hand."""
    mine = hand.split()
    rest = [card for card in c.CARD if card not in mine]
    random.Random(1).shuffle(rest)
    return builders.dealt([mine, rest[:18], rest[18:36], rest[36:54]], rest[54:])


def test_the_errors_of_bids_are_the_spread_of_what_other_worlds_say():
    """Of one bid, and of how much one is behind another in the same worlds."""
    strong = dealt_to_the_first(STRONG)
    found = [bids_by_contract(strong, seed) for seed in range(1, 1 + part(64))]
    for name in found[0]:
        spread = stdev(each[name].score for each in found)
        assert 0.6 < spread / fmean(each[name].error for each in found) < 1.6
    best = next(name for name, each in found[0].items() if each.behind == 0)
    of_the_same = [each for each in found if each[best].behind == 0]
    spread = stdev(each["petite"].behind for each in of_the_same)
    assert len(of_the_same) > len(found) / 2
    assert 0.6 < spread / fmean(each["petite"].behind_error for each in of_the_same) < 1.6


def bids_by_contract(state, seed):
    """Return what is expected of each contract that is thought of, after few playouts."""
    thought = think(state, 0, 80, seed=seed)
    return {each.action["contract"]: each for each in thought.estimates if each.action["type"] == "bid"}


def test_it_bids_high_with_a_strong_hand_and_passes_with_a_weak_one():
    strong, weak = dealt_to_the_first(STRONG), dealt_to_the_first(WEAK)
    bid = think(strong, 0, 80)
    assert bid.action["type"] == "bid"
    assert bid.action["contract"] != "petite"
    assert 0 < bid.playouts <= 80
    passed = think(weak, 0, 80)
    assert passed.action == {"type": "pass"}
    assert passed.playouts == 0


def test_a_pass_brings_nothing_and_the_bid_that_is_made_more():
    strong = dealt_to_the_first(STRONG)
    estimates = think(strong, 0, 80).estimates
    assert [each.score for each in estimates if each.action == {"type": "pass"}] == [0]
    assert estimates[0].score > 0


def test_where_only_bids_without_the_chien_are_left_no_deal_is_played_with_it(monkeypatch):
    state = dealt_to_the_first(STRONG)
    mine = state.table.held[0]
    state = builders.dealt([state.table.held[1], mine, *state.table.held[2:]], state.deal.chien, dealer=3)
    for event in RULESET.decide(state, 0, Bid("garde")):
        state = RULESET.evolve(state, event)
    monkeypatch.setattr(Prospects, "exchanged", None)
    thought = think(state, 1, 80)
    assert thought.playouts == 80
    assert {each.action.get("contract") for each in thought.estimates} == {None, "garde_sans", "garde_contre"}


def test_a_bid_ends_when_it_is_enough():
    state = dealt_to_the_first(STRONG)
    early = think(state, 0, 400, is_enough=lambda done: done >= 16)
    assert early.playouts == 16
    assert early == think(state, 0, 400, is_enough=lambda done: done >= early.playouts)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_ecart_that_is_tried_is_another_one_and_legal(seats):
    state, _ = dealt(seats, 2)
    seat = state.deal.players[0]
    card = next((king for king in KINGS if king not in state.table.held[seat]), None)
    state = taken(state, seat, card=card, until="discard")
    hand, size = c.mask_of(state.table.held[seat]), SHAPES[seats].chien
    ways = ecart.proposed(hand, size, 6)
    assert ways[0] == ecart.chosen(hand, size)
    assert len({*ways}) == len(ways) == 6
    for way in ways:
        assert RULESET.decide(state, seat, Discard(c.cards_of(way)))
    thought = think(state, seat, 60)
    assert thought.action == thought.estimates[0].action
    assert len(thought.estimates) == 6


def test_an_ecart_whose_lead_is_in_doubt_counts_as_good_as_the_usual_one():
    state = taken(dealt(4, 2)[0], 0, until="discard")
    hand, is_level = c.mask_of(state.table.held[0]), 0
    for seed in range(1, 6):
        thought = think(state, 0, 40, seed=seed)
        first, *others = thought.estimates
        usual = {"type": "discard", "cards": [*c.cards_of(ecart.chosen(hand, 6))]}
        assert min(each.behind for each in others) >= 0
        is_level += first.action == usual and any(each.behind == 0 and each.score == first.score for each in others)
    assert is_level
