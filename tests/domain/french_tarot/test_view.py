"""The view: what each viewer sees, and what no viewer does (rules.md, view)."""

import pytest

from domain import field_types as ft
from domain.cardplay.tricks import TrickCard
from domain.french_tarot.calculation import Calculation
from domain.french_tarot.view import TrickView, View
from domain.log.record import visible
from tests.support.random_games import played


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
