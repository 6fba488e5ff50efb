"""A referee of whole games of Plute, who knows the events and the rules of the page alone."""

from tests.support.random_games import played

COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}
TEAM = ("even", "odd") * 3
VALUES = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}


class Referee:
    """Keeps the score of a game by pencil."""

    def __init__(self, options):
        self.options = options
        self.tally = {("even", "made"): 0, ("even", "set"): 0, ("odd", "made"): 0, ("odd", "set"): 0}
        self.winner = None
        self.hands = 0

    def watch(self, event):
        watch = getattr(self, f"on_{type(event).__name__}", None)
        if watch is not None:
            watch(event)

    def on_HandDealt(self, event):  # noqa: N802 - by the name of the event
        self.hands += 1
        self.dealer = event.dealer
        self.held = [list(hand.cards) for hand in event.hands]
        self.dealt = [list(hand.cards) for hand in event.hands]
        self.bids, self.trump, self.jokers, self.trick, self.taken = [], None, [], [], {"even": [], "odd": []}
        self.tricks, self.counted, self.pluted = [], {}, None

    def on_BidMade(self, event):  # noqa: N802
        assert event.seat == (self.dealer + 1 + len(self.bids)) % 6
        equal = self.options.dealer_may_steal and event.seat == self.dealer
        assert event.points + equal > max(filter(None, self.bids), default=3 + equal)
        if len(self.bids) == 5 and not any(self.bids) and not self.options.stuck_dealer_may_raise:
            assert event.points == 4
        self.bids.append(event.points)

    def on_Passed(self, event):  # noqa: N802
        assert event.seat == (self.dealer + 1 + len(self.bids)) % 6
        assert len(self.bids) < 5 or any(self.bids)
        self.bids.append(None)

    def on_ContractWon(self, event):  # noqa: N802
        assert len(self.bids) == 6 or self.bids[-1] == 7
        best = max(filter(None, self.bids))
        last = max(index for index, bid in enumerate(self.bids) if bid == best)
        assert (event.bidder, event.points) == ((self.dealer + 1 + last) % 6, best)
        self.bid, self.bidder, self.next = event, event.bidder, event.bidder

    def on_CardPlayed(self, event):  # noqa: N802
        assert event.seat == self.next
        hand = self.held[event.seat]
        assert event.card in hand
        if self.trick:
            led = self.suit(self.trick[0][1])
            if any(self.suit(card) == led for card in hand):
                assert self.suit(event.card) in (led, "T")
        hand.remove(event.card)
        self.trick.append((event.seat, event.card))
        self.next = (event.seat + 1) % 6
        if event.card in ("X1", "X2"):
            self.jokers.append(event.card)

    def on_TrumpNamed(self, event):  # noqa: N802
        ((seat, card),) = self.trick
        assert self.trump is None
        assert event.seat == seat == self.bidder
        may_declare = card in ("X1", "X2") or (
            card[0] == "J" and self.options.declare_off_jack_lead and event.trump == COLOUR[card[1]]
        )
        assert event.trump == card[-1] or may_declare
        self.trump = event.trump

    def on_JokerNamed(self, event):  # noqa: N802
        assert self.options.joker_order != "marked"
        assert (event.seat, event.card) == self.trick[-1]
        assert event.name == ("high", "low")[self.jokers.index(event.card)]

    def on_TrickWon(self, event):  # noqa: N802
        assert [(played.seat, played.card) for played in event.cards] == self.trick
        best = [*(f"{rank}{self.trump}" for rank in "AKQJ"), f"J{COLOUR[self.trump]}"]
        best += [*(f"{pip}{self.trump}" for pip in range(10, 1, -1)), *self.high_and_low()]
        best += [f"{rank}{self.trick[0][1][-1]}" for rank in ["A", "K", "Q", "J", *range(10, 1, -1)]]
        seat, _ = min(self.trick, key=lambda played: best.index(played[1]) if played[1] in best else 99)
        assert (event.winner, event.team, event.number) == (seat, TEAM[seat], len(self.tricks) + 1)
        self.taken[TEAM[seat]] += [card for _, card in self.trick]
        self.tricks.append(TEAM[seat])
        self.trick, self.next = [], seat

    def on_HandStopped(self, event):  # noqa: N802
        assert event.tricks == len(self.tricks) < 9
        assert set(self.tricks) == {"even", "odd"}
        mine, theirs = (self.points(team) for team in (self.bid.team, self.other()))
        out_of_reach = len(theirs) + (self.value(self.other()) == 40)
        assert len(mine) >= self.bid.points or 7 - out_of_reach < self.bid.points

    def on_PointsCounted(self, event):  # noqa: N802
        assert event.team == self.bid.team or self.options.show_points
        assert set(event.points) == self.points(event.team)
        assert event.game_value == self.value(event.team)
        self.counted[event.team] = event

    def on_PluteMade(self, event):  # noqa: N802
        assert self.tricks == [event.team] * 9
        self.pluted = event.team

    def on_BidMadeGood(self, event):  # noqa: N802
        self.end_of_hand(event, "made", event.made, is_made=True)

    def on_TeamSet(self, event):  # noqa: N802
        self.end_of_hand(event, "set", event.set_, is_made=False)

    def end_of_hand(self, event, entry, number, *, is_made):
        won = self.points(self.bid.team)
        assert (event.team, event.bid, event.points) == (self.bid.team, self.bid.points, len(won))
        assert is_made == (len(won) >= self.bid.points)
        assert set(self.counted) == ({"even", "odd"} if self.options.show_points else {self.bid.team})
        assert (self.pluted is None) == (len(self.tricks) < 9 or len(set(self.tricks)) == 2)
        self.tally[event.team, entry] += 1
        assert number == self.tally[event.team, entry]
        if self.tally[event.team, "made"] == self.options.win_at:
            self.winner = event.team
        if self.tally[event.team, "set"] == self.options.lose_at:
            self.winner = self.other()
        self.winner = self.pluted or self.winner

    def other(self):
        return {"even": "odd", "odd": "even"}[self.bid.team]

    def suit(self, card):
        is_trump = card in ("X1", "X2", f"J{COLOUR[self.trump]}") or card[-1] == self.trump
        return "T" if is_trump else card[-1]

    def high_and_low(self):
        return ["X1", "X2"] if self.options.joker_order == "marked" else self.jokers

    def value(self, team):
        return sum(VALUES.get(card[:-1], 0) for card in self.taken[team])

    def points(self, team):
        cards = dict(zip(("high_joker", "low_joker"), self.high_and_low(), strict=False))
        cards |= {"high": f"A{self.trump}", "jack": f"J{self.trump}", "off_jack": f"J{COLOUR[self.trump]}"}
        points = {point for point, card in cards.items() if card in self.taken[team]}
        two = f"2{self.trump}"
        holder = next(TEAM[seat] for seat in range(6) if two in self.dealt[seat])
        is_taken = two in self.taken["even"] + self.taken["odd"]
        if is_taken and (two in self.taken[team] if self.options.low == "taker" else holder == team):
            points.add("low")
        return points | ({"game"} if self.value(team) >= 41 else set())


def judge_game(seed, variant):
    """Watch a whole random game, and come to the same result."""
    steps = played("plute", 6, seed, variant)
    referee = Referee(steps[0].game.options)
    for step in steps:
        for event in step.events:
            referee.watch(event)
    outcome = steps[-1].game.outcome
    assert outcome.winners == tuple(seat for seat in range(6) if TEAM[seat] == referee.winner)
    assert outcome.scores == tuple(referee.tally[TEAM[seat], "made"] for seat in range(6))
    assert len(steps[-1].game.state.results) == referee.hands
