"""The view: what each viewer sees, and what nobody does (rules.md, view)."""

import json

import pytest

from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.actions import Play
from domain.log.record import visible
from tests.domain.french_tarot import given
from tests.domain.play import played

KEYS = {
    "phase", "deal_number", "deals_played", "deals_total", "dealer", "players", "petit_imprenable", "hands", "chien",
    "ecart", "bids", "contract", "called", "slam", "poignees", "poignees_declined", "miseres", "trick", "tricks",
    "scores", "deal_results",
}  # fmt: skip


@pytest.mark.parametrize("players", [3, 4, 5])
def test_hands_are_their_owners_and_counts_are_everyones(players):
    for step in played("french-tarot", players, 3):
        if step.game.status != "active":
            continue
        state = step.game.state
        for viewer in (*range(players), None):
            view = french_tarot.project(state, viewer)
            assert view.keys() == KEYS
            for hand in view["hands"]:
                held = list(state.table.held[hand["seat"]])
                assert hand["count"] == len(held)
                assert hand["cards"] == (held if hand["seat"] == viewer else None)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_all_else_is_the_same_for_all_but_for_the_takers_ecart(players):
    for step in played("french-tarot", players, 2):
        if step.game.status != "active":
            continue
        state = step.game.state
        public = french_tarot.project(state, None)
        taker = state.deal.contract and state.deal.contract.taker
        for seat in range(players):
            view = french_tarot.project(state, seat)
            assert {key for key in KEYS if view[key] != public[key]} <= {"hands", "ecart"}
            assert (view["ecart"]["cards"] is not None) == (bool(state.deal.ecart) and seat == taker)


def test_a_state_before_the_first_deal_shows_an_empty_table():
    state = french_tarot.setup(french_tarot.options.complete({}, 3), 3)
    view = french_tarot.project(state, 0)
    assert (view["phase"], view["deal_number"], view["hands"], view["trick"]) == ("deal", 0, [], None)


def test_the_trick_on_the_table_is_shown_while_it_is_played():
    state = given.state(4, "play", held=["1S 2H", "2S 3H", "3S 4H", "4S 5H"], contract="garde_sans", slam="none")
    state = given.acts(state, Play("1S"), Play("2S"))
    assert french_tarot.project(state, 2)["trick"] == {
        "number": 1,
        "leader": 0,
        "cards": [{"seat": 0, "card": "1S"}, {"seat": 1, "card": "2S"}],
    }
    state = given.acts(state, Play("3S"), Play("4S"))
    view = french_tarot.project(state, 2)
    assert view["trick"] == {"number": 2, "leader": 3, "cards": []}
    assert [(trick["number"], trick["winner"]) for trick in view["tricks"]] == [(1, 3)]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_view_is_plain_data(players):
    game = played("french-tarot", players, 5)[-1].game
    view = french_tarot.project(game.state, 0)
    assert json.loads(json.dumps(view)) == view


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_hidden_parts_of_a_log_have_the_same_places_and_sizes_whatever_they_hold(players):
    """Hands, chien and écart: one sealed part each, of every deal, for every viewer."""
    for step in played("french-tarot", players, 4):
        for record in step.records:
            pointers = set(visible(record, step.game.secret, None, everything=False)["sealed"])
            if record.type == "cards_dealt":
                assert pointers == {*(f"/hands/{seat}/cards" for seat in range(players)), "/chien/cards"}
            elif record.type == "cards_discarded":
                assert pointers == {"/cards"}
            elif record.type != "game_created":
                assert pointers == set()
