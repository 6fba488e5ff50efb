"""The behaviours of Hearts: passing, following, hearts broken, points, the moon, the end, and what is known."""

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from facts import FACTS
from games import begun, folded, played, secret_of
from hearts import RULESET, sampling
from hearts.bots import think
from hearts.deck import PACK, SUIT_OF, in_pack_order
from hearts.nouns import (
    CardsChosen,
    DealtHand,
    HandDealt,
    HandScored,
    Pass,
    Play,
    TrickCard,
    TrickTaken,
)
from hearts.state import evolve

from domain.chance import Chance
from domain.errors import IllegalAction
from domain.game import history
from domain.laws import fair_draws
from domain.laws.play import Table
from domain.serialization import from_plain, to_plain
from domain.texts import document
from domain.tutorials import comments, steps
from workers.bots.policy import Asked

CHANCE = Chance(bytes(32), "gm_1", (None,) * 4)
SUITS = [in_pack_order(card for card in PACK if SUIT_OF[card] == suit) for suit in "CDSH"]
"""The hands of seats 0 to 3 in tests where each has a suit: seat 0 has the two of clubs."""


def dealt(*hands, direction="none", **options):
    """A hand of which nothing is passed or played yet; what is not given is dealt out in pack order."""
    given = [tuple(hand.split()) for hand in hands]
    rest = [card for card in PACK if card not in {card for hand in given for card in hand}]
    whole = []
    for hand in [*given, *[()] * (4 - len(given))]:
        whole.append(in_pack_order((*hand, *rest[: 13 - len(hand)])))
        rest = rest[13 - len(hand) :]
    event = HandDealt(1, 0, direction, tuple(DealtHand(seat, 13, hand) for seat, hand in enumerate(whole)))
    return settled(evolve(RULESET.setup(RULESET.options.complete(options, 4), 4), event))


def settled(state):
    """Record what is forced, but no deal."""
    while state.phase in ("pass", "play") and (events := RULESET.settle(state, CHANCE)):
        for event in events:
            state = evolve(state, event)
    return state


def after(state, *cards):
    """Play these cards, no matter whose turn it is."""
    for card in cards:
        (seat,) = RULESET.to_act(state)
        for event in RULESET.decide(state, seat, Play(card)):
            state = evolve(state, event)
        state = settled(state)
    return state


def legal(state):
    (seat,) = RULESET.to_act(state)
    return {action.card for action in RULESET.legal_actions(state, seat)}


def refusal(state, seat, action):
    with pytest.raises(IllegalAction) as refused:
        RULESET.decide(state, seat, action)
    return refused.value.code, refused.value.message, refused.value.rule


def passed(state, *choices):
    for seat, cards in enumerate(choices):
        for event in RULESET.decide(state, seat, Pass(tuple(cards.split()))):
            state = evolve(state, event)
    return settled(state)


def scored(state, *taken):
    """Return the end of a hand in which seats took these points, with one trick for each."""
    tricks = [TrickTaken(number + 1, number % 4, 0, ()) for number in range(9)]
    tricks += [TrickTaken(10 + seat, seat, points, ()) for seat, points in enumerate(taken)]
    (event,) = RULESET.settle(replace(state, table=replace(state.table, tricks=tuple(tricks))), CHANCE)
    return event


# -- passing ------------------------------------------------------------------------------------------------------


def test_hands_are_passed_left_right_across_and_not_at_all_in_turn():
    state = RULESET.setup(RULESET.options.complete({}, 4), 4)
    directions = []
    for number in range(1, 6):
        (event,) = RULESET.settle(state, CHANCE)
        directions.append(event.direction)
        state = replace(
            evolve(state, event), results=(HandScored(number, (0,) * 4, None, (0,) * 4, (0,) * 4),) * number
        )
    assert directions == ["left", "right", "across", "none", "left"]


@pytest.mark.parametrize(("direction", "receiver"), [("left", 1), ("across", 2), ("right", 3)])
def test_three_cards_go_to_the_seat_that_the_direction_says(direction, receiver):
    state = passed(dealt(*map(" ".join, SUITS), direction=direction), "2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")
    assert {"2C", "3C", "4C"} <= {*state.table.held[receiver]}
    assert [*map(len, state.table.held)] == [13] * 4
    assert state.table.leader == receiver


def test_all_choose_at_the_same_time_and_nobody_gets_a_card_before_all_have_chosen():
    state = dealt(*map(" ".join, SUITS), direction="left")
    assert RULESET.to_act(state) == RULESET.waiting_for(state) == {0, 1, 2, 3}
    state = passed(state, "2C 3C 4C", "2D 3D 4D", "2S 3S 4S")
    assert RULESET.to_act(state) == {3}
    assert RULESET.project(state, 1).passes[0].cards is None
    assert RULESET.project(state, 0).passes[0].cards == ("2C", "3C", "4C")
    state = settled(evolve(state, CardsChosen(3, 3, ("2H", "3H", "4H"))))
    assert RULESET.project(state, 1).passes[0].cards == ("2C", "3C", "4C")
    assert [each.cards is None for each in RULESET.project(state, 1).passes] == [False, False, True, True]
    assert [each.cards is None for each in RULESET.project(state, None).passes] == [True] * 4


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        (("2C", "3C"), "wrong-number-of-cards"),
        (("2C", "3C", "3C"), "wrong-number-of-cards"),
        (("2C", "3C", "4H"), "card-not-held"),
    ],
)
def test_exactly_three_cards_of_the_own_hand_are_passed(cards, code):
    state = dealt(*map(" ".join, SUITS), direction="left")
    assert len(RULESET.legal_actions(state, 0)) == 286
    assert refusal(state, 0, Pass(cards))[0] == code
    assert refusal(state, 0, Play("2C")) == ("wrong-phase", "cards are passed first: choose three", "2. Passing")


# -- play ---------------------------------------------------------------------------------------------------------

MIXED = (
    "2C 5C 9D KD 2H 9H QS 4S 5S",
    "AC 3C 3D 4D 7H 8H JS 6S",
    "4C 6C 5D 6D AH 3H 7S",
    "10H JH QH KH 4H 5H 6H AS KS 8S 9S 10S 2S",
)
"""Seat 3 has no clubs and no diamonds, and no card that is not a heart or a spade."""


def test_the_holder_of_the_two_of_clubs_is_named_and_leads_it():
    state = dealt(*MIXED)
    assert (state.table.leader, RULESET.to_act(state), legal(state)) == (0, {0}, {"2C"})
    assert RULESET.project(state, None).must_lead == "2C"
    assert refusal(state, 0, Play("5C")) == (
        "must-lead-two-of-clubs",
        "the first trick is led with the 2 of clubs, not the 5 of clubs",
        "3. Play",
    )


def test_the_suit_led_must_be_followed_and_its_highest_card_takes_the_trick():
    state = after(dealt(*MIXED), "2C")
    assert legal(state) == {card for card in state.table.held[1] if SUIT_OF[card] == "C"}
    assert refusal(state, 1, Play("3D"))[:2] == (
        "must-follow-suit",
        "the 2 of clubs was led: follow suit, not the 3 of diamonds",
    )
    state = after(state, "AC", "4C", "KS")
    assert (state.table.tricks[0].winner, state.table.tricks[0].points) == (1, 0)
    assert RULESET.to_act(state) == {1}


def test_no_points_are_played_to_the_first_trick_unless_agreed_otherwise():
    cards = ("2C", "AC", "4C")
    assert legal(after(dealt(*MIXED), *cards)) == {"AS", "KS", "8S", "9S", "10S", "2S"}
    assert refusal(after(dealt(*MIXED), *cards), 3, Play("KH"))[0] == "no-points-in-first-trick"
    assert "KH" in legal(after(dealt(*MIXED, points_in_first_trick=True), *cards))


def test_who_holds_only_points_plays_one_to_the_first_trick():
    state = dealt("2C", "3C", "4C", "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH QS")
    assert len(legal(after(state, "2C", "3C", "4C"))) == 13


def test_hearts_are_led_once_a_heart_was_played():
    state = after(dealt(*MIXED), "2C", "AC", "4C", "KS")
    assert not any(SUIT_OF[card] == "H" for card in legal(state))
    assert refusal(state, 1, Play("7H"))[0] == "hearts-not-broken"
    assert not after(state, "3D", "5D", "KH").table.broken
    state = after(state, "3D", "5D", "KH", "KD")
    assert state.table.broken
    assert {"2H", "9H"} <= legal(state)


@pytest.mark.parametrize("breaks", [False, True])
def test_the_queen_of_spades_breaks_hearts_only_by_agreement(breaks):
    state = dealt("2C 4S", "AC 3S", "4C QS", "5C KS", queen_breaks_hearts=breaks)
    state = after(state, "2C", "AC", "4C", "5C", "3S", "QS", "KS", "4S")
    assert state.table.tricks[1] == TrickTaken(
        2, 3, 13, (TrickCard(1, "3S"), TrickCard(2, "QS"), TrickCard(3, "KS"), TrickCard(0, "4S"))
    )
    assert state.table.broken is breaks


def test_who_holds_nothing_but_hearts_can_lead_one():
    state = dealt("2C 2D", "3C 3D", "4C 4D", "AC")
    hearts = in_pack_order(card for card in PACK if SUIT_OF[card] == "H")
    held = (*state.table.held[:3], (*hearts[:12], "AC"))
    state = after(replace(state, table=replace(state.table, held=held)), "2C", "3C", "4C", "AC")
    assert legal(state) == {*hearts[:12]}


# -- points -------------------------------------------------------------------------------------------------------


def test_each_heart_is_a_point_and_the_queen_of_spades_thirteen():
    state = dealt("2C AD", "3C 2D", "4C QS", "5C KH", points_in_first_trick=True)
    trick = (TrickCard(0, "AD"), TrickCard(1, "2D"), TrickCard(2, "QS"), TrickCard(3, "KH"))
    state = replace(state, table=replace(state.table, trick=trick))
    assert RULESET.settle(state, CHANCE)[-1].points == 14


def test_who_takes_all_the_points_gives_them_to_the_others():
    assert scored(dealt(), 0, 26, 0, 0) == HandScored(1, (0, 26, 0, 0), 1, (26, 0, 26, 26), (26, 0, 26, 26))
    state = dealt(shoot_the_moon=False)
    assert scored(state, 0, 26, 0, 0) == HandScored(1, (0, 26, 0, 0), None, (0, 26, 0, 0), (0, 26, 0, 0))


def test_who_takes_all_but_one_point_has_them():
    assert scored(dealt(), 1, 25, 0, 0).scores == (1, 25, 0, 0)


@pytest.mark.parametrize(
    ("totals", "winners"), [((100, 3, 40, 13), (1,)), ((30, 30, 99, 30), None), ((10, 10, 120, 20), (0, 1))]
)
def test_the_game_ends_once_a_score_reaches_the_limit_and_the_lowest_wins(totals, winners):
    state = dealt()
    state = replace(state, results=(HandScored(1, totals, None, totals, totals),))
    outcome = RULESET.outcome(state)
    assert (outcome and outcome.winners) == winners
    assert outcome is None or (outcome.reason, outcome.scores) == ("limit_reached", totals)
    assert bool(RULESET.settle(state, CHANCE)) == (winners is None)


# -- what is known ------------------------------------------------------------------------------------------------


def worlds(state, viewer, count):
    rng = random.Random(7)
    view = RULESET.project(state, viewer)
    return [RULESET.sample(state.options, viewer, view, rng) for _ in range(count)]


def test_a_world_keeps_the_cards_that_the_viewer_gave_and_got_and_the_two_of_clubs_where_they_are():
    state = passed(dealt(*map(" ".join, SUITS), direction="left"), "2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")
    for world in worlds(state, 3, 40):
        assert {"2H", "3H", "4H"} <= {*world.table.held[0]}
        assert "2C" in world.table.held[1]
        assert world.hand.chosen[2:] == state.hand.chosen[2:]
        assert world.hand.dealt[3] == state.hand.dealt[3]
        assert [*map(len, world.hand.dealt)] == [13] * 4


def test_a_world_gives_no_card_of_a_suit_to_a_seat_that_did_not_follow_it():
    state = after(dealt(*MIXED), "2C", "AC", "4C", "KS")
    for world in worlds(state, 0, 40):
        assert not any(SUIT_OF[card] == "C" for card in world.table.held[3])


def test_a_seat_that_led_a_heart_before_they_were_broken_held_nothing_else():
    state = dealt("2C 2D", "3C 3D", "4C 4D", "AC")
    hearts = [card for card in PACK if SUIT_OF[card] == "H"]
    rest = [card for card in PACK if card not in {*hearts[:12], "AC"}]
    fair = [rest[seat::3] for seat in range(3)]
    owner = next(seat for seat in range(3) if "2C" in fair[seat])
    fair = [fair[owner], *[hand for seat, hand in enumerate(fair) if seat != owner]]
    state = dealt(*map(" ".join, fair), " ".join((*hearts[:12], "AC")))
    clubs = [next(card for card in reversed(fair[seat]) if SUIT_OF[card] == "C" and card != "2C") for seat in (1, 2)]
    state = after(state, "2C", *clubs, "AC", "2H")
    for world in worlds(state, 0, 40):
        assert {SUIT_OF[card] for card in world.table.held[3]} == {"H"}


def test_every_pass_between_others_is_drawn_equally_often():
    state = passed(dealt(*map(" ".join, SUITS), direction="left"), "2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")
    unseen = [card for card in PACK if card not in (*state.table.held[0], "2C", "3C", "4C")]
    expected = 2000 * 3 / len(unseen)
    times = Counter(card for world in worlds(state, 0, 2000) for card in world.hand.chosen[1])
    assert {*times} == {*unseen}
    assert all(abs(count - expected) < 5 * expected**0.5 for count in times.values())


@pytest.mark.parametrize("drawn", [lambda cards, _: [*cards][:3], lambda cards, _: [*cards][-3:]], ids=["low", "high"])
def test_a_law_notices_worlds_in_which_the_lowest_or_the_highest_cards_are_passed(monkeypatch, drawn):
    monkeypatch.setattr(sampling, "_drawn", lambda cards, rng: in_pack_order(drawn(in_pack_order(cards), rng)))
    with pytest.raises(AssertionError, match=r'unfair: "\w+" lies too (often|seldom) in /'):
        fair_draws.no_card_lies_too_often_in_one_place_in_drawn_worlds.check(Table(RULESET, FACTS, 4), 0)


@pytest.mark.parametrize("seed", range(4))
def test_worlds_are_those_in_which_every_card_could_be_played_each_drawn_equally_often(seed):
    """All ways to lay the last cards are tried by the rules; the passed cards are another matter, so none are."""
    log, *_ = played(*begun("gm_worlds", secret_of(seed), {"passing": "none", "limit": 25}), "hand_scored")
    state = next(game.state for game in history.seen_at(log, {at(log, 11)}))
    held = [*map(set, state.table.held)]
    possible = {
        lying for lying in ways(sorted(set().union(*held[1:]))) if could_be_played(state, (state.table.held[0], *lying))
    }
    drawn = Counter(world.table.held[1:] for world in worlds(state, 0, 40 * len(possible)))
    assert {*drawn} == possible
    assert all(abs(count - 40) < 5 * 40**0.5 for count in drawn.values())


def at(log, tricks):
    """Return the version at which so many tricks are taken."""
    return [record.version for record in log if record.type == "trick_taken"][tricks - 1]


def ways(cards):
    """List all ways to give two cards to each of three seats."""
    for first in combinations(cards, 2):
        rest = [card for card in cards if card not in first]
        for second in combinations(rest, 2):
            third = [card for card in rest if card not in second]
            yield tuple(map(in_pack_order, (first, second, third)))


def could_be_played(state, held):
    """Return whether the hand could have gone as it did, with these cards left."""
    hands = [list(cards) for cards in held]
    cards = [each for trick in state.table.tricks for each in trick.cards]
    for each in cards:
        hands[each.seat].append(each.card)
    again = dealt(*map(" ".join, hands), passing="none", limit=25)
    for each in cards:
        if RULESET.to_act(again) != {each.seat} or each.card not in legal(again):
            return False
        again = after(again, each.card)
    return True


# -- the rest of the package -----------------------------------------------------------------------------------------


def view_of(state, seat):
    listed = [
        {"type": "play", "card": action.card}
        for action in RULESET.legal_actions(state, seat)
        if isinstance(action, Play)
    ]
    seen = to_plain(RULESET.project(state, seat))
    return {"state": seen, "viewer": {"seat": seat}, "legal_actions": {"count": len(listed), "actions": listed}}


def test_the_bot_gives_away_a_lonely_queen_of_spades_and_ducks():
    state = dealt("QS 3S AH 2H 3H 4H 5C 6C 7C 9D 8D 7D 6D", direction="left")
    assert "QS" in think(Asked(view_of(state, 0), 1)).action["cards"]
    state = after(dealt("2C", "3C AC 10C", "QC", "KC"), "2C")
    assert think(Asked(view_of(state, 1), 1)).action["card"] in {"3C", "10C"}


def test_a_text_shows_what_the_viewer_sees():
    state = after(dealt(*MIXED), "2C", "AC")
    shown = RULESET.presentation.text(RULESET.project(state, 3)).splitlines()
    assert shown[:3] == ["Hand 1: trick 1", "Player 3 to play", "Hearts are not broken"]
    assert "Hand of player 4: 2S 8S 9S 10S KS AS 4H 5H 6H 10H JH QH KH" in shown


GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    ("name", "winners", "scores", "words"),
    [
        ("moon", (2,), (39, 27, 10, 28), "score 0 0 26 0 moon 2"),
        ("open-queen", (2,), (40, 18, 9, 11), "queen_breaks_hearts=yes"),
        ("rotating", (2,), (109, 44, 33, 48), "moon 1"),
    ],
)
def test_a_golden_game_reads_back_with_its_result(name, winners, scores, words):
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    outcome = document.read(text).outcome
    assert (outcome.winners, outcome.scores) == (winners, scores)
    assert words in text


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("version-*.json")), ids=lambda path: path.stem)
def test_a_game_begun_under_any_released_version_goes_on(path):
    stored = json.loads(path.read_text(encoding="utf-8"))
    options = from_plain(RULESET.options.shape, stored["options"])
    state = folded(options, [(event["type"], event["data"]) for event in stored["events"]])
    (seat,) = RULESET.to_act(state)
    assert [action.card for action in RULESET.legal_actions(state, seat)] == stored["can_play"]
    assert len(state.results) == 1


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_tutorial_can_be_played_and_has_its_words(language):
    names = [step.comment for step in steps(RULESET)]
    assert {*names} == comments(RULESET, language).keys()
