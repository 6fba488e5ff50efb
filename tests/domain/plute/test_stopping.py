"""Stopping a hand early (rules.md, early stop): only what all have seen decides."""

import random

import pytest

from domain.errors import IllegalAction
from domain.game import aggregate as games
from domain.plute import RULESET as plute
from domain.plute.actions import Claim, Pass, Play
from domain.plute.events import BidMadeGood, HandClaimed, HandStopped, PhaseBegan, PointsCounted, TeamSet
from tests.domain.laws.facts import facts_of
from tests.domain.plute import builders
from tests.support.random_games import played
from tests.support.sampling import seeds

MADE = [(0, "0:AS 1:3S 2:JS 3:4S 4:JC 5:X1"), (1, "0:2H 1:AH 2:3H 3:4H 4:5H 5:6H")]
"""Even has High, Jack, Off-Jack and the high joker; odd has a trick."""
LOST = [(1, "0:3S 1:AS 2:4S 3:JS 4:X1 5:JC"), (0, "0:AH 1:2H 2:3H 3:4H 4:5H 5:6H")]
"""Odd has those, and even a trick."""
OPEN = [(0, "0:AS 1:3S 2:JS 3:4S 4:5S 5:6S"), (1, "0:2H 1:AH 2:3H 3:4H 4:5H 5:6H")]
HELD = ["KS 2S", "QS 9H", "10S 10H", "9S 9C", "8S 8C", "7S 7C"]


def between_tricks(tricks, *, bid=4, jokers="X1", **parts):
    """Return a moment between two tricks; even has bid."""
    return builders.state("play", tricks=tricks, held=HELD, bid=bid, jokers=jokers, **parts)


THREE = [(0, "0:AS 1:3S 2:JS 3:4S 4:JC 5:5S"), MADE[1]]
LOW = [(0, "0:AS 1:3S 2:2S 3:4S 4:JS 5:6S"), (1, "0:2H 1:AH 2:3H 3:4H 4:5H 5:X2")]
LOW_TAKEN = [(0, "0:AS 1:2S 2:JC 3:4S 4:JS 5:6S"), (1, "0:2H 1:AH 2:3H 3:4H 4:5H 5:6H")]
AT_40 = [
    (0, "0:AS 1:10H 2:10D 3:10C 4:JS 5:JC"),
    (1, "0:2H 1:3H 2:4H 3:5H 4:6H 5:7H"),
    (0, "0:AH 1:2C 2:3C 3:4C 4:5C 5:6C"),
]
AT_39 = [
    (1, "0:10H 1:AS 2:10D 3:10C 4:JS 5:3S"),
    (0, "0:2H 1:3H 2:4H 3:5H 4:6H 5:7H"),
    (1, "0:2C 1:AC 2:3C 3:4C 4:5C 5:6C"),
]
FORTY = (3, "1:2D 2:3D 3:JD 4:4D 5:5D 0:6D")


@pytest.mark.rule(
    "plute", "8", "a hand can stop if each team has taken a trick", "is neither high nor low, and its point is open",
    "Only what all players have seen counts",
)  # fmt: skip
@pytest.mark.parametrize(
    ("tricks", "bid", "parts", "refused"),
    [
        (MADE, 4, {}, None),
        (MADE, 5, {}, "bid-undecided"),
        (LOST, 4, {}, None),
        (LOST, 7, {}, None),
        (OPEN, 4, {}, "bid-undecided"),
        (MADE[:1], 4, {}, "plute-possible"),
        (LOST[:1], 4, {}, "plute-possible"),
        ([], 4, {}, "plute-possible"),
        (MADE, 4, {"jokers": "", "options": {"joker_order": "marked"}}, None),
        (THREE, 4, {"jokers": ""}, "bid-undecided"),
        (THREE, 7, {"jokers": ""}, "bid-undecided"),
        (LOW, 4, {"jokers": "X2"}, "bid-undecided"),
        (LOW_TAKEN, 4, {"jokers": ""}, "bid-undecided"),
        (LOW_TAKEN, 4, {"jokers": "", "options": {"low": "taker"}}, None),
        (AT_40, 4, {"jokers": ""}, "bid-undecided"),
        ([*AT_40, (0, "0:AD 1:2D 2:3D 3:4D 4:5D 5:6D")], 4, {"jokers": ""}, None),
        (AT_39, 5, {"jokers": ""}, "bid-undecided"),
        ([*AT_39, FORTY], 5, {"jokers": ""}, None),
        ([*AT_39, FORTY], 4, {"jokers": ""}, "bid-undecided"),
        (OPEN, 4, {"options": {"early_stop": "off"}}, "no-claims"),
        (OPEN, 4, {"options": {"early_stop": "auto"}}, "no-claims"),
    ],
)  # fmt: skip
def test_a_hand_may_stop_once_each_team_has_a_trick_and_the_bid_is_decided(tricks, bid, parts, refused):
    """What is open: points of jokers never played, Low until the two was played or taken, Game up to 40 points."""
    state = between_tricks(tricks, bid=bid, **parts)
    leader = plute.project(state, None).trick.leader
    assert builders.refusal(state, leader, Claim()) == refused
    assert (Claim() in builders.legal(state, leader)) == (refused is None)
    assert refused is None or builders.to_act(state) == leader


@pytest.mark.rule("plute", "8", "**every** seat can then `claim`", "the leader can play on instead")
@pytest.mark.parametrize(("tricks", "kind"), [(MADE, BidMadeGood), (LOST, TeamSet)])
def test_a_claim_ends_the_hand_with_the_entry_in_the_tally(tricks, kind):
    events, state = builders.act(between_tricks(tricks), 3, Claim())
    assert events[:2] == [HandClaimed(3), HandStopped(2)]
    assert [type(event) for event in events[2:]] == [PointsCounted, kind, PhaseBegan]
    assert state.phase == "deal"
    assert state.results[-1].stopped


@pytest.mark.rule("plute", "8", "Neither team gets the remaining points")
def test_points_not_played_go_to_no_team():
    options = {"show_points": True}
    events, _ = builders.act(between_tricks(MADE, options=options), 0, Claim())
    counted = builders.of_kind(events, PointsCounted)
    assert counted == [
        PointsCounted("even", ("high", "jack", "off_jack", "high_joker"), 6),
        PointsCounted("odd", (), 4),
    ]


@pytest.mark.rule("plute", "8", "Neither team gets the remaining points")
def test_cards_not_played_stay_hidden_after_a_claim():
    state = between_tricks(MADE, tally=((2, 0), (0, 0)))
    events, state = builders.act(state, 0, Claim())
    assert plute.outcome(state).reason == "three_made"
    told = repr(events) + repr(plute.project(state, None))
    assert not [card for hand in HELD for card in hand.split() if f"'{card}'" in told]


@pytest.mark.rule("plute", "8", "**every** seat can then `claim`", "the leader can play on instead")
def test_every_seat_may_claim_and_only_the_leader_may_play():
    state = between_tricks(MADE)
    assert plute.to_act(state) == frozenset(range(6))
    assert plute.waiting_for(state) == frozenset({1})
    for seat in range(6):
        assert Claim() in builders.legal(state, seat)
        assert (len(builders.legal(state, seat)) > 1) == (seat == 1)
    assert builders.refusal(state, 2, Play("10S")) == "may-only-claim"
    assert builders.refusal(state, 1, Pass()) == "wrong-phase"


@pytest.mark.rule("plute", "8", "**every** seat can then `claim`", "the leader can play on instead")
def test_the_leader_may_lead_instead_and_claims_wait_for_the_whole_trick():
    _, state = builders.act(between_tricks(MADE), 1, Play("QS"))
    assert plute.to_act(state) == frozenset({2})
    for seat, card in ((2, "10S"), (3, "9S"), (4, "8S"), (5, "7S"), (0, "KS")):
        assert builders.refusal(state, seat, Claim()) == "trick-not-complete"
        _, state = builders.act(state, seat, Play(card))
    assert plute.to_act(state) == frozenset(range(6))


@pytest.mark.rule("plute", "8", "With `auto`, the hand stops automatically")
@pytest.mark.parametrize(("tricks", "stops"), [(MADE, True), (LOST, True), (OPEN, False), (MADE[:1], False)])
def test_a_decided_hand_stops_by_itself_where_that_is_agreed(tricks, stops):
    *earlier, (winner, cards) = tricks
    *trick, last = cards.split()
    held = [*HELD[:5], f"{HELD[5]} {last.partition(':')[2]}"]
    state = builders.state("play", tricks=earlier, trick=" ".join(trick), held=held, jokers="X1" if earlier else "",
                        options={"early_stop": "auto"})  # fmt: skip
    events, state = builders.act(state, 5, Play(last.partition(":")[2]))
    assert (HandStopped(len(tricks)) in events) == stops
    assert (state.phase == "deal") == stops
    assert not builders.of_kind(events, HandClaimed)
    if not stops:
        assert builders.to_act(state) == winner


def moments_of_claims():
    """Find (game, leader) where a claim is possible."""
    for seed in seeds(3):
        for step in played("plute", 6, seed):
            if len(step.game.pending) > 1:
                yield step.game, plute.project(step.game.state, None).trick.leader


def test_a_seat_gets_a_new_decision_if_its_legal_actions_change():
    """The decision whether to claim is not the decision what to play."""
    followed = 0
    for game, leader in moments_of_claims():
        card = plute.legal_actions(game.state, leader)[0]
        _, after = games.act(game, leader, card)
        (follower,) = after.pending
        assert game.decision_id(follower) != after.decision_id(follower)
        followed += 1
    assert followed


@pytest.mark.rule("plute", "8", "Only what all players have seen counts")
def test_whether_a_claim_is_possible_follows_from_what_is_seen():
    facts, rng, compared = facts_of("plute"), random.Random(9), 0
    for seed in seeds(4):
        for step in played("plute", 6, seed)[::9]:
            state = step.game.state
            if step.game.status != "active" or state.phase != "play":
                continue
            world = plute.sample(state.options, None, plute.project(state, None), rng)
            assert sorted(facts.places_of_cards(world)) == sorted(facts.places_of_cards(state))
            for seat in plute.to_act(state):
                assert answer(world, seat) == answer(state, seat)
                compared += 1
    assert compared


def answer(state, seat):
    try:
        return plute.decide(state, seat, Claim())
    except IllegalAction as refused:
        return refused.code, refused.message
