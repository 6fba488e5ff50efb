"""The laws of take-backs would notice an event that is declared open though it discloses something."""

from collections import Counter
from dataclasses import replace

import pytest

from domain.french_tarot import events as french_tarot
from domain.laws import take_back
from domain.laws.play import Table, played, tables
from domain.le_plateau import events as le_plateau
from domain.plateau import events as plateau
from domain.plute import events as plute
from domain.registry import BUILT_IN, RULESETS
from tests.domain.laws.facts import facts_of

LAW = take_back.what_can_be_taken_back_looks_the_same_in_every_world_that_looked_the_same


@pytest.mark.parametrize(
    ("ruleset_id", "seats", "kinds"),
    [
        ("plute", 6, {plute.CardPlayed}),
        (
            "le-plateau",
            3,
            {le_plateau.HandPassedOut, le_plateau.HandRevealed, le_plateau.HandScored, le_plateau.HandDealt},
        ),
        ("plateau", 2, {plateau.PieceOnboarded}),
        ("le-plateau", 6, {le_plateau.CardPlayed}),
        ("french-tarot", 4, {french_tarot.ChienTurned}),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (
                ("plateau", 2, {plateau.FacesShown}),
                ("plateau", 2, {plateau.PiecesCaptured}),
                ("le-plateau", 3, {le_plateau.TalonTaken}),
                ("le-plateau", 4, {le_plateau.CardAnnounced, le_plateau.AnnouncementAnswered, le_plateau.PartnerFound}),
                ("french-tarot", 4, {french_tarot.MisereAnnounced, french_tarot.PoigneeShown, french_tarot.CardPlayed}),
            )
        ),
    ],
)
def test_an_event_that_discloses_something_cannot_be_declared_open(ruleset_id, seats, kinds):
    true = RULESETS[ruleset_id]
    leaking = replace(true, open_events=true.open_events | kinds)
    table = Table(leaking, facts_of(ruleset_id), seats)
    with pytest.raises(AssertionError, match="knows more than before"):
        check(table)


def check(table):
    for seed in range(5):
        LAW.check(table, seed)


@pytest.mark.long
@pytest.mark.parametrize("ruleset", BUILT_IN, ids=repr)
def test_every_open_event_is_taken_back_in_some_game_of_the_laws(ruleset):
    found = Counter(
        type(event)
        for table in tables(ruleset, facts_of(ruleset.id))
        for seed in range(5)
        for step in played(table, seed)
        if step.before is not None and step.before.version in take_back.take_backs.versions(step.game)
        for event in step.events
    )
    assert found.keys() == ruleset.open_events


def test_a_game_with_detours_takes_back_several_actions_at_once_now_and_then():
    (table, *_) = tables(RULESETS["plute"], facts_of("plute"))
    steps = take_back.with_detours(table, 0)
    undone = [
        sum(step.seat is not None and step.game.version > event.to_version for step in steps[:number])
        for number, each in enumerate(steps)
        for event in each.events
        if isinstance(event, take_back.TakenBack)
    ]
    assert len(undone) > 3
    assert max(undone) > 1
