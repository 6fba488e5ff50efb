"""Random games of Le Plateau judged by reference rules: winners, counters, the end of each hand, scores."""

import pytest

from domain.le_plateau import events as ev
from tests.domain.le_plateau import reference_rules
from tests.support.random_games import played
from tests.support.sampling import VARIANTS, part

TRICKS = {2: 16, 3: 13, 4: 13, 5: 13, 6: 13}
TRICKS_OF_THE_FULL_DECK = {3: 17, 4: 18, 5: 15}

every_table = pytest.mark.parametrize(
    ("seats", "variant"), [(seats, variant) for ruleset_id, seats, variant in VARIANTS if ruleset_id == "le-plateau"]
)


def seeds_of(variant):
    """List the seeds of whole games, fewer for variants; all are needed for each kind of end to occur."""
    count = 12 if variant else 30
    return range(max(count, part(count)))


def hands_of(seats, seed, variant):
    """Split the events of a game into hands, each from its deal to its score."""
    hands, events = [], [event for step in played("le-plateau", seats, seed, variant) for event in step.events]
    for event in events:
        if isinstance(event, ev.HandDealt):
            hands.append([])
        if hands:
            hands[-1].append(event)
    return hands


def played_hands(seats, variant):
    return [hand for seed in seeds_of(variant) for hand in hands_of(seats, seed, variant) if first(hand, ev.HandWon)]


def options_of(seats, variant):
    return played("le-plateau", seats, 0, variant)[0].game.options


def first(events, kind):
    return next((event for event in events if isinstance(event, kind)), None)


def side_of_declarer(hand):
    """Return declarer and partners as they stand at the end."""
    abdicated = first(hand, ev.DeclarerAbdicated)
    if abdicated:
        return abdicated.declarer, [abdicated.partner]
    return first(hand, ev.ContractWon).declarer, [event.partner for event in hand if isinstance(event, ev.PartnerFound)]


def final_objective(hand):
    raises = [event for event in hand if isinstance(event, ev.ObjectiveRaised)]
    return (raises[-1] if raises else first(hand, ev.ContractWon)).objective


@pytest.mark.one_in(5)
@pytest.mark.rule("le-plateau", "7", "Forehand leads any card to the first trick")
@every_table
def test_the_leader_is_forehand_and_then_the_winner_and_play_goes_clockwise(seats, variant):
    excuse = options_of(seats, variant).excuse
    for hand in played_hands(seats, variant):
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
                    assert event.winner == reference_rules.winner(trick, excuse)
                    to_play, trick = event.winner, []
                case _:
                    pass


@pytest.mark.one_in(5)
@pytest.mark.rule(
    "le-plateau", "7", "these steps follow in order, before any lower card is turned up", "the only free ones left"
)
@every_table
def test_each_hand_ends_at_the_first_trick_at_which_it_is_won_or_cannot_be_won(seats, variant):
    ends = {judge(seats, hand, options_of(seats, variant)) for hand in played_hands(seats, variant)}
    assert {"made", "impossible"} <= ends or (variant and len(ends) > 1)
    assert ends <= {"made", "impossible", "revealed"} - ({"revealed"} if seats == 6 else set())
    assert "revealed" in ends or seats == 6 or variant


def judge(seats, hand, options):
    """Follow the counters of one hand trick by trick; return how it ended."""
    tokens = first(hand, ev.HandDealt).board
    objective, last = final_objective(hand), (TRICKS_OF_THE_FULL_DECK if options.deck == "full" else TRICKS)[seats]
    owners = {"declarer": set(), "opposing": set(open_group(hand)) & set(tokens)}
    for index, event in enumerate(hand):
        if not isinstance(event, ev.TrickWon):
            continue
        placed = counters(hand, event, tokens, options)
        follows = hand[index + 1 + len(placed)]
        assert hand[index + 1 : index + 1 + len(placed)] == placed
        for one in placed:
            assert not set(one.spaces) & (owners["declarer"] | owners["opposing"])
            owners[one.team].update(one.spaces)
        made = reference_rules.paths(tokens, owners["declarer"], objective, options.edition)
        if made:
            assert isinstance(follows, ev.HandWon)
            assert (follows.by, follows.objective) == ("declarer", objective)
            assert list(follows.path) in made
            return "made"
        if not reference_rules.paths(tokens, set(tokens) - owners["opposing"], objective, options.edition):
            assert follows == ev.HandWon("opposing", objective, ())
            return "impossible"
        if event.number == last:
            judge_reveal(hand[index + 1 + len(placed) :], hand, owners, options)
            return "revealed"
        assert not isinstance(follows, ev.HandWon)
    raise AssertionError("the hand has no end")


def open_group(hand):
    """List the cards of an open talon that were not taken; counters lie on their spaces before the first trick."""
    turned, group = first(hand, ev.TalonTurned), first(hand, ev.TalonGroupChosen)
    if turned is None:
        return ()
    dealt = first(hand, ev.HandDealt)
    assert turned.groups == (dealt.talon.cards[:3], dealt.talon.cards[3:])
    left = turned.groups[1 - group.group]
    assert first(hand, ev.CountersPlaced) == ev.CountersPlaced("opposing", in_ring_order(dealt.board, left))
    return left


def in_ring_order(tokens, codes):
    return tuple(token for token in tokens if token in codes)


def counters(hand, trick, tokens, options):
    """Work out what a trick claims for whom; a French excuse claims for its player."""
    declarer, partners = side_of_declarer(hand)
    claims = {}
    for code, seat in [(f"#{trick.number}", trick.winner), *((card.card, card.seat) for card in trick.cards)]:
        claimant = seat if code == "EX" and options.excuse == "french" else trick.winner
        team = "declarer" if claimant in (declarer, *partners) else "opposing"
        claims.setdefault(team, []).append(code)
    return [ev.CountersPlaced(team, in_ring_order(tokens, codes)) for team, codes in claims.items()]


def judge_reveal(end, hand, owners, options):
    """The free spaces are those of the discard or the talon; all go to one side, and the hand is judged."""
    dealt, discarded = first(hand, ev.HandDealt), first(hand, ev.CardsDiscarded)
    revealed, placed, won = end[:3]
    shown = discarded.cards if discarded else dealt.talon.cards
    assert revealed == (ev.DiscardRevealed if discarded else ev.TalonRevealed)(shown)
    free = set(dealt.board) - owners["declarer"] - owners["opposing"]
    assert free == set(dealt.board) & set(shown)
    team = "declarer" if options.edition == "2022" and not discarded else "opposing"
    assert placed == ev.CountersPlaced(team, in_ring_order(dealt.board, free))
    made = reference_rules.paths(dealt.board, owners["declarer"] | free, final_objective(hand), options.edition)
    if team == "declarer":
        assert (won.by, [list(won.path)]) == ("declarer", made)
    else:
        assert won == ev.HandWon("opposing", final_objective(hand), ())


def judge_scores(seats, hand, options):
    """Work out what a hand was worth to everyone."""
    declarer, partners = side_of_declarer(hand)
    scored, by = first(hand, ev.HandScored), first(hand, ev.HandWon).by
    assert sum(scored.scores) == 0 if options.scoring == "zero_sum" else min(scored.scores) == 0
    expected = reference_rules.expected_scores(
        seats, declarer, partners, scored.value, won=by == "declarer", options=options
    )
    assert list(scored.scores) == expected


@pytest.mark.rule(
    "le-plateau", "8", "Let v be the value", "Each opposing player loses v", "The declarer's side gains or loses",
    "6 / v each / 2v each / 5v", "5 / declarer 2v, partner v / 4v", "4 / v each / 3v", "3 / 2v", "2 / v",
)  # fmt: skip
@every_table
def test_scores_of_every_hand_are_those_of_the_table_and_sum_to_zero_or_are_positive(seats, variant):
    teams = set()
    for hand in played_hands(seats, variant):
        judge_scores(seats, hand, options_of(seats, variant))
        teams.add(first(hand, ev.ContractWon).team)
    assert len(teams) == {2: 1, 3: 1, 4: 2, 5: 2, 6: 3}[seats]


@pytest.mark.rule("le-plateau", "8", "After the agreed hands, the highest score wins")
@every_table
def test_a_game_plays_the_agreed_hands_each_seat_dealing_in_turn(seats, variant):
    for seed in seeds_of(variant):
        hands = hands_of(seats, seed, variant)
        deals = [first(hand, ev.HandDealt) for hand in hands]
        counting = [bool(first(hand, ev.HandWon)) or "redeal" not in variant for hand in hands]
        assert sum(counting) == seats
        assert [deal.hand_number for deal in deals] == [1 + sum(counting[:index]) for index in range(len(deals))]
        assert [deal.deal_number for deal in deals] == list(range(1, len(deals) + 1))
        assert [deal.dealer for deal in deals] == [(deals[0].dealer + i) % seats for i in range(len(deals))]


@every_table
def test_totals_add_up_and_the_best_share_the_win(seats, variant):
    for seed in seeds_of(variant):
        steps = played("le-plateau", seats, seed, variant)
        hands = [first(hand, ev.HandScored).scores for hand in hands_of(seats, seed, variant)]
        totals = tuple(map(sum, zip(*hands, strict=True)))
        assert steps[-1].game.outcome.scores == totals
        assert steps[-1].game.outcome.winners == tuple(s for s in range(seats) if totals[s] == max(totals))


@pytest.mark.rule("le-plateau", "7", "everything about it is made public")
@every_table
def test_what_the_end_of_a_hand_reveals_accounts_for_every_card(seats, variant):
    for seed in seeds_of(variant):
        for hand in hands_of(seats, seed, variant):
            shown, dealt = first(hand, ev.HandRevealed), first(hand, ev.HandDealt)
            assert [cards.cards for cards in shown.dealt] == [cards.cards for cards in dealt.hands]
            assert shown.talon == dealt.talon.cards
            played = {event.card for event in hand if isinstance(event, ev.CardPlayed)}
            talon = set(shown.talon) - {*shown.taken, *(given.card for given in shown.talon_dealt)}
            left = [set(shown.discard), talon, *(set(s.cards) for s in (*shown.unplayed, *shown.unturned)), played]
            everything = [card for cards in dealt.hands for card in cards.cards] + list(dealt.talon.cards)
            everything += [c for s in dealt.piles for pile in s.piles for c in (pile.top, pile.under)]
            assert sorted(card for cards in left for card in cards) == sorted(everything)
