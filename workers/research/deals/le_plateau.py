"""The hands of Le Plateau."""

from workers.research.deals.deals import Deals

DEALS = Deals(
    is_left_after_one=True,
    most_points=120,
    most=lambda options, whole_game: options.hands if whole_game else 1,
    spread=10.0,
)
