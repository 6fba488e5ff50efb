"""The bot searcher for French Tarot: legal and blind to hidden cards, and it finds what counting cards cannot miss."""

import pytest

from domain.laws.play import active
from domain.serialization import to_plain
from tests.support.random_games import playing
from tests.support.sampling import VARIANTS
from tests.workers.bots.laws import asked, keeps_the_laws
from workers.bots.french_tarot import cards as c
from workers.bots.french_tarot import searcher
from workers.bots.policy import Asked, Thought

TABLES = [(seats, variant) for ruleset_id, seats, variant in VARIANTS if ruleset_id == "french-tarot"]


def think(question):
    """Search a little."""
    return searcher.think(Asked(question.view, question.seed, 24))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("seats", "variant"), TABLES)
def test_it_is_legal_at_every_table_and_blind_to_hidden_cards(seats, variant):
    assert keeps_the_laws(think, "french-tarot", seats, variant, seed=1, every=25) > 50


def last_but_one():
    """Return the view of a seat that leads the last trick but one of a deal, and the options."""
    game = next(
        game
        for game in active(list(playing("french-tarot", 4, 5)))
        if game.state.phase == "play" and len(game.state.table.tricks) == 16 and not game.state.table.trick
    )
    (seat,) = game.pending
    return game, seat


def test_it_says_how_many_playouts_it_did_and_what_it_expects_of_each_card():
    game, seat = last_but_one()
    view = {
        "state": to_plain(game.ruleset.project(game.state, seat)),
        "game": {"ruleset": "french-tarot", "options": to_plain(game.options)},
        "viewer": {"seat": seat},
    }
    thought = searcher.think(Asked(view, 1, 60))
    assert 0 < thought.playouts <= 60
    assert thought.action == thought.estimates[0].action
    assert thought.estimates[0].score >= thought.estimates[1].score
    early = searcher.think(Asked(view, 1, 60, lambda done: done >= 2))
    assert early.playouts == 2


def test_cards_that_do_the_same_are_tried_once():
    game, seat = last_but_one()
    view = game.ruleset.project(game.state, seat)
    hand = [c.NUMBER[card] for card in game.state.table.held[seat]]
    found = searcher.different(game.options, view, seat, hand)
    assert set(found) <= set(hand)
    assert min(hand) in found


def test_the_only_card_is_played_without_a_score():
    game = next(
        game
        for game in active(list(playing("french-tarot", 4, 5)))
        if game.state.phase == "play" and len(game.state.table.tricks) == 17
    )
    (seat,) = game.pending
    (card,) = game.state.table.held[seat]
    assert think(asked(game, seat)) == Thought({"type": "play", "card": card})
