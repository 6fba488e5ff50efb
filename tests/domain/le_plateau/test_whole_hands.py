"""Random games of Le Plateau judged by a second opinion: winners, counters, the end of each hand, scores."""

import pytest

from domain.le_plateau import events as ev
from tests.domain.le_plateau import printed
from tests.domain.play import played, seeds

SEEDS = seeds(30)
TRICKS = {2: 16, 3: 13, 4: 13, 5: 13, 6: 13}

every_table = pytest.mark.parametrize("seats", range(2, 7))


def hands_of(seats, seed):
    """Split the events of a game into hands, each from its deal to its score."""
    hands, events = [], [event for step in played("le-plateau", seats, seed) for event in step.events]
    for event in events:
        if isinstance(event, ev.HandDealt):
            hands.append([])
        if hands:
            hands[-1].append(event)
    return hands


def played_hands(seats):
    return [hand for seed in SEEDS for hand in hands_of(seats, seed) if first(hand, ev.HandWon)]


def first(events, kind):
    return next((event for event in events if isinstance(event, kind)), None)


def side_of_declarer(hand):
    """Give declarer and partners as they stand at the end."""
    abdicated = first(hand, ev.DeclarerAbdicated)
    if abdicated:
        return abdicated.declarer, [abdicated.partner]
    return first(hand, ev.ContractWon).declarer, [event.partner for event in hand if isinstance(event, ev.PartnerFound)]


def final_objective(hand):
    raises = [event for event in hand if isinstance(event, ev.ObjectiveRaised)]
    return (raises[-1] if raises else first(hand, ev.ContractWon)).objective


@every_table
def test_the_leader_is_forehand_and_then_the_winner_and_play_goes_clockwise(seats):
    for hand in played_hands(seats):
        to_play = (first(hand, ev.HandDealt).dealer + 1) % seats
        trick = []
        for event in hand:
            match event:
                case ev.CardPlayed(seat, card):
                    assert seat == to_play
                    trick.append((seat, card))
                    to_play = (seat + 1) % seats
                case ev.TrickWon():
                    assert [(played.seat, played.card) for played in event.cards] == trick
                    assert event.winner == printed.winner(trick)
                    to_play, trick = event.winner, []
                case _:
                    pass


@every_table
def test_each_hand_ends_at_the_first_trick_at_which_it_is_won_or_cannot_be_won(seats):
    ends = set()
    for hand in played_hands(seats):
        ends.add(judge(seats, hand))
    assert {"made", "impossible"} <= ends
    assert "revealed" in ends or seats == 6


def judge(seats, hand):
    """Follow the counters of one hand trick by trick; say how it ended."""
    tokens = printed.printed_board(seats)
    declarer, partners = side_of_declarer(hand)
    objective = final_objective(hand)
    mine, theirs = set(), set()
    for index, event in enumerate(hand):
        if not isinstance(event, ev.TrickWon):
            continue
        counters, follows = hand[index + 1], hand[index + 2]
        claimed = [t for t in tokens if t == f"#{event.number}" or t in {played.card for played in event.cards}]
        ours = event.winner == declarer or event.winner in partners
        assert counters == ev.CountersPlaced("declarer" if ours else "opposing", tuple(claimed))
        (mine if ours else theirs).update(claimed)
        made = printed.paths(tokens, mine, objective)
        if made:
            assert isinstance(follows, ev.HandWon)
            assert (follows.by, follows.objective) == ("declarer", objective)
            assert list(follows.path) in made
            return "made"
        if not printed.paths(tokens, set(tokens) - theirs, objective):
            assert follows == ev.HandWon("opposing", objective, ())
            return "impossible"
        if event.number == TRICKS[seats]:
            judge_reveal(hand[index + 2 :], hand, tokens, mine | theirs)
            return "revealed"
        assert not isinstance(follows, ev.HandWon)
    raise AssertionError("the hand has no end")


def judge_reveal(end, hand, tokens, claimed):
    """The free spaces are those of the discard or the talon; all go to the other side, and the hand is lost."""
    revealed, counters, won = end[:3]
    discarded = first(hand, ev.CardsDiscarded)
    if discarded:
        assert revealed == ev.DiscardRevealed(discarded.cards)
    else:
        assert revealed == ev.TalonRevealed(first(hand, ev.HandDealt).talon.cards)
    free = [token for token in tokens if token not in claimed]
    assert set(free) == set(tokens) & set(revealed.cards)
    assert counters == ev.CountersPlaced("opposing", tuple(free))
    assert won == ev.HandWon("opposing", final_objective(hand), ())


@every_table
def test_scores_of_every_hand_are_those_of_the_table_and_sum_to_zero(seats):
    teams = set()
    for hand in played_hands(seats):
        declarer, partners = side_of_declarer(hand)
        scored, won = first(hand, ev.HandScored), first(hand, ev.HandWon)
        assert sum(scored.scores) == 0
        expected = printed.expected_scores(seats, declarer, partners, scored.value, won=won.by == "declarer")
        assert list(scored.scores) == expected
        teams.add(first(hand, ev.ContractWon).team)
    assert len(teams) == {2: 1, 3: 1, 4: 2, 5: 2, 6: 3}[seats]


@every_table
def test_a_game_plays_the_agreed_hands_each_seat_dealing_in_turn(seats):
    for seed in SEEDS:
        deals = [first(hand, ev.HandDealt) for hand in hands_of(seats, seed)]
        assert [deal.hand_number for deal in deals] == list(range(1, seats + 1))
        assert [deal.deal_number for deal in deals] == list(range(1, seats + 1))
        assert [deal.dealer for deal in deals] == [(deals[0].dealer + i) % seats for i in range(seats)]


@every_table
def test_totals_add_up_and_the_best_share_the_win(seats):
    for seed in SEEDS:
        steps = played("le-plateau", seats, seed)
        hands = [first(hand, ev.HandScored).scores for hand in hands_of(seats, seed)]
        totals = tuple(map(sum, zip(*hands, strict=True)))
        assert steps[-1].game.outcome.scores == totals
        assert steps[-1].game.outcome.winners == tuple(s for s in range(seats) if totals[s] == max(totals))


@every_table
def test_what_the_end_of_a_hand_reveals_accounts_for_every_card(seats):
    for seed in SEEDS:
        for hand in hands_of(seats, seed):
            shown, dealt = first(hand, ev.HandRevealed), first(hand, ev.HandDealt)
            assert [cards.cards for cards in shown.dealt] == [cards.cards for cards in dealt.hands]
            assert shown.talon == dealt.talon.cards
            played = {event.card for event in hand if isinstance(event, ev.CardPlayed)}
            talon = set() if shown.taken or shown.talon_dealt else set(shown.talon)
            left = [set(shown.discard), talon, *(set(s.cards) for s in (*shown.unplayed, *shown.unturned)), played]
            everything = [card for cards in dealt.hands for card in cards.cards] + list(dealt.talon.cards)
            everything += [c for s in dealt.piles for pile in s.piles for c in (pile.top, pile.under)]
            assert sorted(card for cards in left for card in cards) == sorted(everything)
