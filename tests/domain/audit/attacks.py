"""All attacks on the bundle of a finished game, by their names in words."""

from tests.domain.audit import attacks_by_outsiders, attacks_on_deals, attacks_on_play, attacks_on_tables
from tests.domain.audit.attacking import OPERATORS, OUTSIDERS, acted, of_type

__all__ = ["OPERATORS", "OUTSIDERS", "THEMES", "acted", "of_type"]

THEMES = (attacks_by_outsiders, attacks_on_play, attacks_on_deals, attacks_on_tables)
"""The modules that list attacks."""
