"""Random matches under many options, judged by a second opinion written from the rules alone."""

import random
from collections import Counter
from itertools import count, islice

import pytest

from domain.chance import Chance
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.actions import Bid
from tests.domain.french_tarot import builders
from tests.domain.french_tarot.reference_rules import judge
from tests.domain.french_tarot.whole_deals import deals_of, judge_match, playing
from tests.domain.laws import french_tarot as facts
from tests.support.sampling import seeds

OPTION_SETS = [(players, options) for players in (3, 4, 5) for options in ("", *facts.variants(players))]


@pytest.mark.rule("french-tarot", "8", "The player after the dealer leads", "the winner of each trick leads")
@pytest.mark.rule(
    "french-tarot", "10", "poignées are not paid", "with a partner, the taker gets it twice", "All scores sum to zero"
)
@pytest.mark.parametrize(("players", "written"), OPTION_SETS)
@pytest.mark.parametrize("seed", seeds(6))
def test_a_second_opinion_finds_every_deal_as_it_was_settled(players, written, seed):
    judge_match(players, written, seed)


def test_the_second_opinion_has_judged_every_kind_of_deal():
    seen = Counter()
    for players, written in OPTION_SETS:
        for seed in range(6):
            for events in deals_of(players, written, seed):
                calculation = builders.of_kind(events, builders.ev.DealScored)[0].calculation
                seen.update(type(event).__name__ for event in events)
                seen.update((f"won by {calculation.contract.won_by}", f"petit {calculation.petit_au_bout.side}"))
                seen.update(f"excuse {each.owner} {each.trick_winner}" for each in calculation.count.excuses)
                seen.update(share.role for share in calculation.shares)
    for what in ("won by attack", "won by defence", "petit defence", "excuse attack defence",
                 "excuse defence attack", "partner", "sits_out", "PoigneeShown",
                 "SlamAnnounced", "PetitChelemAnnounced", "ExcuseSettled"):  # fmt: skip
        assert seen[what], what


# -- a petit imprenable is rare at random: chances are tried until one deals it -------------------------------------


def with_a_petit_imprenable(players):
    """Play until a deal with such a petit is scored: its options and its events."""
    options = {"petit_sec": "imprenable", "deals": 1}
    start = french_tarot.setup(french_tarot.options.complete(options, players), players)
    for seed in count():
        chance = Chance(random.Random(seed).randbytes(32), "gm_whole", (None,) * players)
        if builders.played(start, *french_tarot.settle(start, chance)).deal.imprenable is not None:
            (events,) = playing(players, options, random.Random(seed))
            if builders.of_kind(events, builders.ev.PetitImprenableDeclared):
                return start.options, events
    raise AssertionError


@pytest.mark.rule("french-tarot", "3", "the hand is not shown", "picks up trumps with the chien")
@pytest.mark.parametrize("players", [4, 5])
def test_a_second_opinion_finds_a_deal_with_a_petit_imprenable_as_it_was_settled(players):
    judge(*with_a_petit_imprenable(players))


# -- slams are rare at random: deals that are made for them ---------------------------------------------------------


def dealt_for_a_slam(players, rng):
    """Deal seat 0 the highest trumps, the Excuse and the highest cards of one suit, everything else at random."""
    size = {3: 24, 4: 18, 5: 15}[players]
    pack = list(builders.TAROT_PACK)
    strong = ["EX", "T1", *[f"T{n}" for n in range(21, 1, -1)], *[f"{rank}S" for rank in "RDCV"]][:size]
    others = [card for card in pack if card not in strong]
    rng.shuffle(others)
    rest = [others[turn * size : (turn + 1) * size] for turn in range(players - 1)]
    return [strong, *rest], others[(players - 1) * size :]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("players", "wins"),
    [
        (players, wins)
        for players in (3, 4, 5)
        for wins in french_tarot.options.choices(players)["excuse_wins_last_trick"].values
    ],
)
@pytest.mark.parametrize("announced", ["AnnounceSlam", "NoSlam", "AnnouncePetitChelem"])
def test_a_second_opinion_finds_slams_as_they_were_settled(players, wins, announced):
    made = Counter()
    for seed in range(6):
        rng = random.Random(seed)
        hands, chien = dealt_for_a_slam(players, rng)
        state = builders.dealt(hands, chien, deals=1, excuse_wins_last_trick=wins, petit_chelem="300/-150")
        events = [builders.ev.CardsDealt(1, players - 1, state.deal.players, tuple(
            builders.ev.DealtHand(seat, len(cards), cards) for seat, cards in enumerate(state.deal.dealt)
        ), builders.ev.DealtChien(len(chien), state.deal.chien))]  # fmt: skip
        while state.phase != "over":
            seat = builders.to_act(state)
            more, state = builders.act(
                state, seat, to_make_it(state, seat, ("garde", "garde_contre")[seed % 2], announced, rng)
            )
            events += more
        judge(state.options, events)
        calculation = builders.of_kind(events, builders.ev.DealScored)[0].calculation
        made[calculation.slam.made_by, calculation.slam.announced] += 1
        made["trumps shown"] += bool(builders.of_kind(events, builders.ev.TrumpsShown))
        made["petit au bout"] += calculation.petit_au_bout.side == "attack"
    told = {"AnnounceSlam": "slam", "NoSlam": None, "AnnouncePetitChelem": "petit_chelem"}[announced]
    won_by_excuse = wins == "any_slam" or (wins == "announced_only" and told == "slam")
    if players == 4:
        assert bool(made["attack", told]) == bool(made["petit au bout"]) == won_by_excuse
        assert made["trumps shown"]


def to_make_it(state, seat, contract, announced, rng):
    """Let seat 0 take, announce, and play its highest cards, the petit and the Excuse last; the others at random."""
    legal = list(islice(french_tarot.legal_actions(state, seat), 300))
    if seat != 0 or state.phase in ("call", "discard"):
        return rng.choice([action for action in legal if type(action).__name__ != "Bid"])
    if state.phase == "bid":
        return next(action for action in legal if action == Bid(contract))
    if state.phase == "slam":
        return next(action for action in legal if type(action).__name__ == announced)
    plays = [action for action in legal if type(action).__name__ == "Play"]
    order = [*[f"T{n}" for n in range(21, 0, -1)], *[f"{rank}S" for rank in "RDCV"]]
    return min(plays, key=lambda action: order.index(action.card) if action.card in order else 99)
