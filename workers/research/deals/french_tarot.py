"""The deals of French Tarot."""

from workers.research.deals.deals import Deals

DEALS = Deals(of_one={"deals": 1}, most_points=7000, most=lambda options, _whole_game: int(options.deals), spread=100.0)
