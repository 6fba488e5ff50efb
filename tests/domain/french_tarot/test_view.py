"""The view: what each viewer sees, and what no viewer does (rules.md, view)."""

from dataclasses import fields

import pytest

from domain import field_types as ft
from domain.cardplay.tricks import TrickCard
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot.actions import Play
from domain.french_tarot.calculation import Calculation
from domain.french_tarot.view import TrickView, View
from domain.log.record import visible
from tests.domain.french_tarot import builders
from tests.support.random_games import played


@pytest.mark.parametrize("players", [3, 4, 5])
def test_all_else_is_the_same_for_every_viewer_except_the_takers_ecart(players):
    for step in played("french-tarot", players, 2):
        if step.game.status != "active":
            continue
        state = step.game.state
        public = french_tarot.project(state, None)
        taker = state.deal.contract and state.deal.contract.taker
        for seat in range(players):
            view = french_tarot.project(state, seat)
            different = {part.name for part in fields(View) if getattr(view, part.name) != getattr(public, part.name)}
            assert different <= {"hands", "ecart"}
            assert (view.ecart.cards is not None) == (bool(state.deal.ecart) and seat == taker)


def test_a_state_before_the_first_deal_shows_an_empty_table():
    state = french_tarot.setup(french_tarot.options.complete({}, 3), 3)
    view = french_tarot.project(state, 0)
    assert (view.phase, view.deal_number, view.hands, view.trick) == ("deal", 0, (), None)


def test_the_trick_on_the_table_is_shown_while_it_is_played():
    state = builders.state(4, "play", held=["1S 2H", "2S 3H", "3S 4H", "4S 5H"], contract="garde_sans", slam="none")
    state = builders.acts(state, Play("1S"), Play("2S"))
    assert french_tarot.project(state, 2).trick == TrickView(1, 0, builders.trick("0:1S 1:2S"))
    state = builders.acts(state, Play("3S"), Play("4S"))
    view = french_tarot.project(state, 2)
    assert view.trick == TrickView(2, 3, ())
    assert [(trick.number, trick.winner) for trick in view.tricks] == [(1, 3)]


def types_in(tp):
    """List every dataclass that a type is made of."""
    match tp:
        case ft.Nested(cls):
            yield cls
            for part in ft.fields_of(cls):
                yield from types_in(part.type)
        case ft.ListOf(inner) | ft.MapOf(inner) | ft.OrNone(inner):
            yield from types_in(inner)


def test_no_type_in_a_view_has_secrets_or_slots_which_json_writes_slowly():
    found = {*types_in(ft.Nested(View))}
    assert {TrickView, TrickCard, Calculation} <= found
    for cls in found:
        assert not [field.name for field in ft.fields_of(cls) if field.secret_to is not None], cls
        assert not hasattr(cls, "__slots__"), cls


@pytest.mark.parametrize("players", [3, 4, 5])
def test_hidden_parts_have_the_same_places_and_sizes_whatever_they_hold(players):
    """Hands, chien and écart: one sealed part each, of every deal, for every viewer."""
    for step in played("french-tarot", players, 4):
        for record in step.records:
            pointers = set(visible(record, step.game.secrets, None, everything=False)["sealed"])
            if record.type == "cards_dealt":
                assert pointers == {*(f"/hands/{seat}/cards" for seat in range(players)), "/chien/cards"}
            elif record.type == "cards_discarded":
                assert pointers == {"/cards"}
            elif record.type != "game_created":
                assert pointers == set()
