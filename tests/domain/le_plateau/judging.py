"""A second opinion on whole hands of Le Plateau, from their events alone: winners, counters, the end, scores, cards."""

from domain.le_plateau import events as ev
from tests.domain.le_plateau import reference_rules
from tests.support.random_games import played

TRICKS = {2: 16, 3: 13, 4: 13, 5: 13, 6: 13}
TRICKS_OF_THE_FULL_DECK = {3: 17, 4: 18, 5: 15}


def hands_of(seats, seed, variant):
    """Split the events of a random game into hands, each from its deal to its score."""
    hands = []
    for event in (event for step in played("le-plateau", seats, seed, variant) for event in step.events):
        if isinstance(event, ev.HandDealt):
            hands.append([])
        if hands:
            hands[-1].append(event)
    return hands


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


def judge_hands(seats, seed, variant):
    """Judge every hand of a random game that was played; return how they ended, and the teams of their contracts."""
    options = played("le-plateau", seats, seed, variant)[0].game.options
    hands = [hand for hand in hands_of(seats, seed, variant) if first(hand, ev.HandWon)]
    return [(judge(seats, hand, options), first(hand, ev.ContractWon).team) for hand in hands]


def judge(seats, hand, options):
    """Judge a hand that was played; return how it ended."""
    judge_tricks(seats, hand, options.excuse)
    judge_scores(seats, hand, options)
    return judge_end(seats, hand, options)


def judge_tricks(seats, hand, excuse):
    """Forehand leads, then the winner of each trick, and the play goes clockwise."""
    to_play, trick = (first(hand, ev.HandDealt).dealer + 1) % seats, []
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


def judge_end(seats, hand, options):
    """Follow the counters of a hand trick by trick; return how it ended."""
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
    """Work out what a hand was worth to all players."""
    declarer, partners = side_of_declarer(hand)
    scored, by = first(hand, ev.HandScored), first(hand, ev.HandWon).by
    assert sum(scored.scores) == 0 if options.scoring == "zero_sum" else min(scored.scores) == 0
    expected = reference_rules.expected_scores(
        seats, declarer, partners, scored.value, won=by == "declarer", options=options
    )
    assert list(scored.scores) == expected


def judge_revealed_cards(hand):
    """What the end of a hand reveals accounts for every card."""
    shown, dealt = first(hand, ev.HandRevealed), first(hand, ev.HandDealt)
    assert [cards.cards for cards in shown.dealt] == [cards.cards for cards in dealt.hands]
    assert shown.talon == dealt.talon.cards
    talon = set(shown.talon) - {*shown.taken, *(given.card for given in shown.talon_dealt)}
    left = [set(shown.discard), talon, *(set(each.cards) for each in (*shown.unplayed, *shown.unturned))]
    left.append({event.card for event in hand if isinstance(event, ev.CardPlayed)})
    everything = [card for cards in dealt.hands for card in cards.cards] + list(dealt.talon.cards)
    everything += [card for of_seat in dealt.piles for pile in of_seat.piles for card in (pile.top, pile.under)]
    assert sorted(card for cards in left for card in cards) == sorted(everything)
