"""The hands of Plute."""

from workers.research.deals.deals import Deals

DEALS = Deals(
    of_one={"win_at": 1, "lose_at": 1},
    teams=(frozenset({0, 2, 4}), frozenset({1, 3, 5})),
    # Each of the two teams can be one short of both ends before the last deal.
    most=lambda options, _whole_game: 2 * (options.win_at + options.lose_at) - 3,
)
