"""The bot searcher for Plute: legal and blind to hidden cards, and it weighs each suit that it can name."""

import pytest

from domain.laws.play import active
from domain.recording import replaced
from domain.serialization import changed, to_plain
from tests.support.random_games import playing
from tests.support.sampling import VARIANTS
from tests.workers.bots.laws import keeps_the_laws
from workers.bots.plute import searcher
from workers.bots.policy import Asked

TABLES = [variant for ruleset_id, _, variant in VARIANTS if ruleset_id == "plute"]


def think(asked):
    """Search a little."""
    return searcher.think(Asked(asked.view, asked.seed, 24))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", TABLES)
def test_it_is_legal_with_every_option_and_blind_to_hidden_cards(variant):
    assert keeps_the_laws(think, "plute", 6, variant, seed=1, every=25) > 20


def test_it_tries_a_joker_with_every_suit_that_it_can_name():
    def leads_with_joker(game):
        held = game.state.table.held
        return game.state.phase == "play" and game.state.table.trump is None and "X1" in held[min(game.pending)]

    games = (game for seed in range(20) for game in active(list(playing("plute", 6, seed))))
    game = next(filter(leads_with_joker, games))
    seat = min(game.pending)
    view = {
        "state": to_plain(game.ruleset.project(game.state, seat)),
        "game": {"ruleset": "plute", "options": to_plain(game.options)},
        "viewer": {"seat": seat},
    }
    thought = searcher.think(Asked(view, 1, 60))
    suits = {each.action["trump"] for each in thought.estimates if each.action["card"] == "X1"}
    assert suits == {"S", "H", "D", "C"}
    assert thought.playouts > 0


def bid_with(hand):
    """Return what the first to speak bids with a hand."""
    game = next(game for game in active(list(playing("plute", 6, 0))) if game.state.phase == "bid")
    seat = min(game.pending)
    held = replaced(game.state.table.held, seat, tuple(hand.split()))
    state = changed(game.state, table=changed(game.state.table, held=held))
    view = {
        "state": to_plain(game.ruleset.project(state, seat)),
        "game": {"ruleset": "plute", "options": to_plain(game.options)},
        "viewer": {"seat": seat},
    }
    return searcher.think(Asked(view, 1, 900)).action


def test_it_bids_with_trumps_and_passes_without():
    assert bid_with("2S 9S 10S JS KS AS AH AD X1")["type"] == "bid"
    assert bid_with("3S 5S 4H 7H 8D 6D 9D 3C 6C") == {"type": "pass"}
