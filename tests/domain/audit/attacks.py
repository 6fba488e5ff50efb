"""All attacks on the bundle of a finished game, by their names in words."""

from functools import cache

from domain.audit.bundle import Bundle, read
from tests.domain.audit import attacks_by_outsiders, attacks_on_deals, attacks_on_play, attacks_on_tables
from tests.domain.audit.attacking import OPERATORS, OUTSIDERS, acted, of_type
from tests.golden.logs import golden_log
from tests.support.bundles import written

__all__ = ["ATTACKS", "GAMES", "OPERATORS", "OUTSIDERS", "THEMES", "acted", "bundle_of", "of_type"]

THEMES = (attacks_by_outsiders, attacks_on_play, attacks_on_deals, attacks_on_tables)
"""The modules that list attacks."""


GAMES = ("plute/hand-claimed-set", "plateau/forfeit", "french-tarot/3-petite", "le-plateau/2-edition-2022")


ATTACKS = {**OUTSIDERS, **OPERATORS}


@cache
def bundle_of(name: str) -> Bundle:
    return read(written(*golden_log(name)))
