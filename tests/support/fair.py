"""Whether draws are fair: each outcome as often as chance says; and where cards lie, which is what is drawn."""

from collections import Counter
from math import sqrt


def expect_fair(drawn, weights):
    """Fail unless outcomes occur in proportion to their weights, all of them and no others.

    By chi-square at about one in 10,000, by the approximation of Wilson and Hilferty; draws come from fixed seeds.
    """
    counts, total = Counter(drawn), sum(weights.values())
    assert counts.keys() <= weights.keys()
    number, freedom = counts.total(), len(weights) - 1
    expected = {outcome: number * weight / total for outcome, weight in weights.items()}
    assert min(expected.values()) >= 5, "too few draws for chi-square"
    chi_square = sum((counts[outcome] - many) ** 2 / many for outcome, many in expected.items())
    if freedom:
        limit = freedom * (1 - 2 / (9 * freedom) + 3.72 * sqrt(2 / (9 * freedom))) ** 3
        assert chi_square < limit, f"chi-square is {chi_square:.1f} with {freedom} degrees of freedom"


def lying(state):
    """Map every place that somebody cannot see into to its cards."""
    places = {("held", seat): cards for seat, cards in enumerate(state.table.held)}
    if hasattr(state, "deal"):
        return places | {"ecart": state.deal.ecart, "chien": () if state.deal.turned else state.deal.chien}
    if not hasattr(state.hand, "talon"):
        return places
    gone = {*state.hand.taken, *(dealt.card for dealt in state.hand.talon_dealt)}
    under = {("under", seat, number): (pile.under,) if pile.under else ()
             for seat, piles in enumerate(state.table.piles) for number, pile in enumerate(piles)}  # fmt: skip
    talon = tuple(card for card in state.hand.talon if card not in gone)
    return places | under | {"discard": state.hand.discard, "talon": talon}
