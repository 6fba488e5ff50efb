"""The bot searcher for Plute weighs each suit that it can name, and bids by the cards."""

from domain.laws.play import active
from domain.recording import replaced
from domain.serialization import changed
from tests.support.random_games import playing
from tests.workers.bots.asking import asked, asked_of
from workers.bots.plute import searcher


def test_it_tries_a_joker_with_every_suit_that_it_can_name():
    def leads_with_joker(game):
        held = game.state.table.held
        return game.state.phase == "play" and game.state.table.trump is None and "X1" in held[min(game.pending)]

    games = (game for seed in range(20) for game in active(list(playing("plute", 6, seed))))
    game = next(filter(leads_with_joker, games))
    thought = searcher.think(asked(game, min(game.pending), playouts=60))
    suits = {each.action["trump"] for each in thought.estimates if each.action["card"] == "X1"}
    assert suits == {"S", "H", "D", "C"}
    assert thought.playouts > 0


def bid_with(hand):
    """Return what the first to speak bids with a hand."""
    game = next(game for game in active(list(playing("plute", 6, 0))) if game.state.phase == "bid")
    seat = min(game.pending)
    held = replaced(game.state.table.held, seat, tuple(hand.split()))
    state = changed(game.state, table=changed(game.state.table, held=held))
    return searcher.think(asked_of(game.ruleset, state, seat, playouts=900)).action


def test_it_bids_with_trumps_and_passes_without():
    assert bid_with("2S 9S 10S JS KS AS AH AD X1")["type"] == "bid"
    assert bid_with("3S 5S 4H 7H 8D 6D 9D 3C 6C") == {"type": "pass"}
