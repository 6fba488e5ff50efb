"""The laws of every ruleset, with option sets in which every value of every option occurs."""

import inspect

import pytest

from domain import french_tarot
from tests.domain.laws import french_tarot as facts
from tests.domain.laws import test_hidden_cards, test_legality, test_non_interference, test_replay, test_reprs
from tests.domain.play import played

OPTION_SETS = [(players, options) for players in (3, 4, 5) for options in facts.variants(players)]
IN_OTHER_PROCESSES = {"test_the_same_seed_plays_the_same_game_under_every_hash_seed"}
LAWS = [
    law
    for module in (test_hidden_cards, test_legality, test_non_interference, test_replay, test_reprs)
    for name, law in inspect.getmembers(module, inspect.isfunction)
    if name.startswith("test_")
    and {*inspect.signature(law).parameters} <= {"ruleset_id", "seats", "seed"}
    and "seats" in inspect.signature(law).parameters
    and name not in IN_OTHER_PROCESSES
]


@pytest.fixture
def with_options(monkeypatch, request):
    """Play the games of the laws with a set of options."""
    players, written = request.param
    options = facts.with_details(dict(part.split("=") for part in written.split()), players)
    monkeypatch.setattr(facts, "SHORT", options)
    played.cache_clear()
    yield players
    played.cache_clear()


def test_every_value_of_every_option_occurs():
    for players in (3, 4, 5):
        tried = [french_tarot.options({}, players)] + [
            french_tarot.options(
                facts.with_details(dict(part.split("=") for part in written.split()), players), players
            )
            for written in facts.variants(players)
        ]
        for name, choice in french_tarot.choices(players).items():
            if name not in ("deals", "first_dealer"):
                assert {*choice.values} == {getattr(options, name) for options in tried}, name


@pytest.mark.parametrize("with_options", OPTION_SETS, indirect=True)
def test_every_law_holds(with_options):
    assert len(LAWS) > 15
    for law in LAWS:
        for seed in (0, 1):
            given = {"ruleset_id": french_tarot.ID, "seats": with_options, "seed": seed}
            law(**{name: given[name] for name in inspect.signature(law).parameters})
