"""The bot searcher for French Tarot finds what counting cards cannot miss."""

from domain.laws.play import active
from tests.support.random_games import playing
from tests.workers.bots.asking import asked
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import searcher
from workers.bots.policy import Thought


def position(tricks):
    """Return a game of four after so many tricks of a deal, and the seat that leads."""
    game = next(
        game
        for game in active(list(playing("french-tarot", 4, 5)))
        if game.state.phase == "play" and len(game.state.table.tricks) == tricks and not game.state.table.trick
    )
    (seat,) = game.pending
    return game, seat


def test_it_says_how_many_playouts_it_did_and_what_it_expects_of_each_card():
    thought = searcher.think(asked(*position(16), playouts=60))
    assert 0 < thought.playouts <= 60
    assert thought.action == thought.estimates[0].action
    assert thought.estimates[0].score >= thought.estimates[1].score


def test_cards_that_do_the_same_are_tried_once():
    game, seat = position(16)
    hand = [c.NUMBER[card] for card in game.state.table.held[seat]]
    found = searcher.different(game.options, game.ruleset.project(game.state, seat), seat, hand)
    assert set(found) <= set(hand)
    assert min(hand) in found


def test_the_only_card_is_played_without_a_score():
    game, seat = position(17)
    (card,) = game.state.table.held[seat]
    assert searcher.think(asked(game, seat, playouts=24)) == Thought({"type": "play", "card": card})
