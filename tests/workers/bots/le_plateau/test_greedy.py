"""What ``greedy`` in Le Plateau takes for important, and how it reckons the chances of a trick."""

from domain.le_plateau.board import standard_tokens
from domain.registry import RULESETS
from workers.bots.le_plateau import exchange, reckoning
from workers.bots.le_plateau import kernel as k
from workers.bots.le_plateau.loader import bits_of, dealt
from workers.bots.le_plateau.worth import Arena, importance, importance_ahead, worths


def test_importance_is_symmetric_and_nothing_is_important_once_all_is_decided():
    tokens = standard_tokens(3)
    ahead = importance_ahead(Arena(tokens, "2023", "bridge"))
    assert all(abs(ahead[tokens[place]] - ahead[tokens[place + 9]]) < 120 for place in range(9))
    assert ahead["#13"] > 100
    line = ["T1", "CH", "EX", "#13", "T21", "CD", "T4"]
    decided = importance(Arena(tokens, "2023", "bridge"), line, (), 1)
    assert {*decided.values()} == {0}
    assert not {*line} & {*decided}


def reckoned(held, trick, team, *, seats=3):
    """Return the chance that the side of seat 0 takes a trick by each card held, the seats before it having played."""
    options = RULESETS["le-plateau"].options.complete({}, seats)
    world = dealt(options, seats, [held, *([card] for card in trick)], (seats - len(trick)) % seats)
    world[k.TEAM] = team
    for place, card in enumerate(trick):
        seat = seats - len(trick) + place
        suits, trumps = bits_of(card, options)
        world[k.HELD + seat], world[k.HELD_TRUMPS + seat] = suits, trumps
        k.put(world, suits, trumps)
    scratch = [0] * reckoning.SCRATCH
    reckoning.look_around(world, scratch)
    return {card: reckoning.chance_of_trick(world, scratch, *bits_of(card, options)) for card in held}


def test_the_last_to_play_knows_who_takes_the_trick():
    chances = reckoned(["RS", "10S", "T3"], ["DS", "VS"], team=0b001)
    assert chances == {"RS": reckoning.ONE, "10S": 0, "T3": reckoning.ONE}
    assert reckoned(["10S"], ["DS", "VS"], team=0b011) == {"10S": reckoning.ONE}


def test_a_leader_counts_the_cards_that_are_out():
    chances = reckoned(["EX", "T5", "RS", "VS"], [], team=0b001)
    assert chances["EX"] == reckoning.ONE
    assert chances["EX"] > chances["RS"] > chances["VS"]
    assert chances["EX"] > chances["T5"]


def test_a_discard_keeps_trumps_and_kings_and_empties_a_suit():
    held = ("10S", "VS", "10H", "RH", "VD", "CD", "DD", "RD", "T5", "T9", "T12", "T20", "EX", "VC", "CC", "DC")
    options = RULESETS["le-plateau"].options.complete({}, 3)
    worth = importance_ahead(Arena(standard_tokens(3), "2023", "bridge"))
    best, _ = exchange.discards(held, 3, worth, options)[0]
    assert not {*best} & {"RH", "RD", "T20", "EX"}
    assert {"10S", "10H"} <= {*best}


def test_what_is_spent_grows_with_the_card():
    options = RULESETS["le-plateau"].options.complete({}, 6)
    of_suit = [reckoning.power(*bits_of(card, options)) for card in ("1S", "10S", "VS", "CS", "DS", "RS")]
    trumps = [reckoning.power(*bits_of(card, options)) for card in ("T1", "T12", "T21", "EX")]
    assert of_suit == sorted(of_suit)
    assert of_suit[-1] == reckoning.KING_POWER
    assert trumps == sorted(trumps)
    assert worths({"RH": 100, "#1": 300})[reckoning.WORTH_OF_POWER] == 240
