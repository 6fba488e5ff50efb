"""Plateau, where nothing is dealt."""

from workers.research.deals.deals import Deals

DEALS = Deals(longest_playout=60)
