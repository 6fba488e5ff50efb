"""The laws notice faults that are planted in a ruleset which keeps them, and say what is wrong.

The laws of take-backs would notice an event that is declared open though it discloses something.
"""

import random
from collections import Counter
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

import pytest

from domain import laws
from domain.errors import IllegalAction
from domain.french_tarot import events as french_tarot
from domain.laws import (
    LAWS,
    Law,
    fair_draws,
    legality,
    moments,
    non_interference,
    pictures,
    sentences,
    symmetries,
    take_back,
    variants,
)
from domain.laws.law import Case
from domain.laws.play import Table, active, played, tables
from domain.le_plateau import events as le_plateau
from domain.le_plateau import sampling
from domain.options import Choice
from domain.plateau import events as plateau
from domain.plute import events as plute
from domain.plute.events import TrumpNamed
from domain.registry import BUILT_IN, RULESETS
from domain.sentences.catalogue import catalogue
from domain.sentences.message import Message
from tests.domain.laws.facts import facts_of, table_of

PLUTE = RULESETS["plute"]


def table(**faults):
    return Table(replace(PLUTE, **faults), facts_of("plute"), 6)


def test_a_world_in_which_the_seat_to_act_can_do_nothing_is_noticed():
    """Once a hand: at the first lead, when the bidding is over."""

    def sample(options, viewer, view, rng):
        state = PLUTE.sample(options, viewer, view, rng)
        if view.trick is None or view.tricks or view.trick.cards:
            return state
        leader = view.trick.leader
        held = tuple(() if seat == leader else cards for seat, cards in enumerate(state.table.held))
        return replace(state, table=replace(state.table, held=held))

    with pytest.raises(AssertionError, match=r"seat \d has 0 legal actions and is to act"):
        non_interference.the_same_seats_can_act_in_every_world_that_looks_the_same.check(table(sample=sample), 0)


def test_a_world_in_which_another_seat_is_to_act_is_noticed():
    def sample(options, viewer, view, rng):
        state = PLUTE.sample(options, viewer, view, rng)
        return replace(state, phase="deal") if view.phase == "bid" else state

    with pytest.raises(AssertionError, match="other seats act"):
        non_interference.the_same_seats_can_act_in_every_world_that_looks_the_same.check(table(sample=sample), 0)


def test_worlds_that_give_a_card_to_one_seat_too_often_are_noticed():
    """The first of five in which the seat after the viewer was dealt the ace of clubs, or else the last of them."""

    def sample(options, viewer, view, rng):
        for _ in range(5):
            state = PLUTE.sample(options, viewer, view, rng)
            if not view.hand_number or "AC" in state.hand.dealt[((viewer or 0) + 1) % 6]:
                break
        return state

    told = r'worlds drawn for .* are unfair: "AC" lies too often in /hands/\d/cards of HandDealt'
    with pytest.raises(AssertionError, match=told):
        fair_draws.no_card_lies_too_often_in_one_place_in_drawn_worlds.check(table(sample=sample), 0)


@pytest.mark.long
def test_an_exchange_drawn_in_the_order_of_the_hand_is_noticed(monkeypatch):
    """The cards that were taken from the talon are always the first ones of the exchanger's hand."""
    monkeypatch.setattr(sampling, "shuffled", lambda cards, _rng: [*cards])
    told = r"are unfair: .* lies too (often|seldom) in \S+ of (HandDealt|TalonTaken)"
    with pytest.raises(AssertionError, match=told):
        fair_draws.no_card_lies_too_often_in_one_place_in_drawn_worlds.check(table_of("le-plateau", 3), 0)


def test_a_refusal_that_cites_a_heading_which_the_rules_do_not_have_is_noticed():
    def decide(state, seat, action):
        try:
            return PLUTE.decide(state, seat, action)
        except IllegalAction as refusal:
            if refusal.code != "must-follow-suit":
                raise
            raise IllegalAction(refusal.code, refusal.message, "5. Playing") from refusal

    law = legality.a_refusal_names_a_code_a_reason_and_a_heading_of_the_rules
    with pytest.raises(AssertionError, match=r"must-follow-suit cites '5\. Playing', which is no heading"):
        law.check(table(decide=decide), 0)
    with pytest.raises(AssertionError, match="cites '7', which is no heading"):
        law.check(table(ending="7"), 0)


def test_suits_that_cannot_be_exchanged_are_noticed():
    """Hearts and spades alone, so that the off-jack is another card."""
    torn = replace(PLUTE.symmetries, masks=lambda _options, _seats: ["HSDC"])
    with pytest.raises(AssertionError, match="under HSDC, "):
        symmetries.a_game_played_again_under_a_mask_is_the_same_game_masked.check(table(symmetries=torn), 0)


def test_a_mask_that_leaves_a_part_of_an_event_is_noticed():
    """Trump is named by the suit that it was."""

    def event(mask, state, event):
        return event if isinstance(event, TrumpNamed) else PLUTE.symmetries.event(mask, state, event)

    leaky = replace(PLUTE.symmetries, masks=lambda _options, _seats: ["CDHS"], event=event)
    with pytest.raises(AssertionError, match=r"under CDHS, TrumpNamed\(.* is TrumpNamed"):
        symmetries.a_game_played_again_under_a_mask_is_the_same_game_masked.check(table(symmetries=leaky), 0)


@pytest.mark.parametrize(
    ("is_wrong", "told"),
    [
        (lambda line, _: not line.is_viewer, "the numbers of cards of seat 0 differ"),
        (lambda _line, _: True, r"seat 0 has \{\d+\} cards and sees"),
        (lambda line, view: bool(view.trick) and not line.is_viewer, "the numbers of cards of seat 0 differ"),
    ],
    ids=["of others", "of all", "of others in one phase"],
)
def test_a_wrong_number_of_cards_in_a_scene_is_noticed(is_wrong, told):
    def scene(view, shown):
        true = PLUTE.presentation.scene(view, shown)
        seats = (replace(line, cards=line.cards + 1) if is_wrong(line, view) else line for line in true.seats)
        return replace(true, seats=tuple(seats))

    with pytest.raises(AssertionError, match=told):
        pictures.a_seat_has_as_many_cards_in_every_scene_as_it_sees_in_its_own.check(
            table(presentation=replace(PLUTE.presentation, scene=scene)), 0
        )


def test_a_row_with_a_card_missing_for_some_viewers_is_noticed():
    def scene(view, shown):
        true = PLUTE.presentation.scene(view, shown)
        is_short = shown.viewer == 2
        rows = (replace(row, things=row.things[1:]) if is_short and row.id == "trick" else row for row in true.rows)
        return replace(true, rows=tuple(rows))

    with pytest.raises(AssertionError, match="rows of several lengths"):
        pictures.a_seat_has_as_many_cards_in_every_scene_as_it_sees_in_its_own.check(
            table(presentation=replace(PLUTE.presentation, scene=scene)), 0
        )


@pytest.mark.parametrize(
    ("option", "choice", "told"),
    [
        ("moonshot", Choice((False, True), default=False), "no words for option.moonshot"),
        ("early_stop", Choice(("claim", "auto", "never"), "claim"), "no words for option.early_stop.never"),
    ],
)
def test_an_option_or_a_value_without_words_is_noticed(option, choice, told):
    options = replace(PLUTE.options, choices=lambda seats: {**PLUTE.options.choices(seats), option: choice})
    with pytest.raises(AssertionError, match=told):
        sentences.every_option_and_every_value_of_it_has_words.check(table(options=options))


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=repr)
def test_the_moments_chosen_are_of_every_kind_that_occurs_in_a_game(ruleset):
    for at in [*tables(ruleset, facts_of(ruleset.id))][:1]:
        steps = played(at, 0)
        chosen = moments.of_every_kind(random.Random(0), steps)
        assert len(chosen) < 20
        seen = {type(event) for place in chosen for event in steps[place].events}
        of_the_ruleset = {*ruleset.events.values()}
        assert (
            seen & of_the_ruleset
            == {type(event) for step in steps if step.game.status == "active" for event in step.events} & of_the_ruleset
        )
        phases = {getattr(steps[place].game.state, "phase", None) for place in chosen}
        assert phases == {getattr(game.state, "phase", None) for game in active(steps)}


def test_an_option_with_few_values_can_make_games_short_and_all_its_values_occur():
    facts = replace(facts_of("plute"), variants=None, with_details=None, short={"early_stop": "auto"})
    for law in LAWS:
        if law.check.__module__ == variants.__name__:
            law.check(Table(PLUTE, facts, 6))


def test_the_failure_names_the_value_that_no_variant_has():
    facts = replace(facts_of("plute"), short={"low": "taker"}, variants=lambda _: ["low=taker"])
    with pytest.raises(AssertionError, match=r"no game has \{.*\} of \w+: name it in a variant"):
        variants.every_value_of_every_option_occurs_with_every_number_of_players.check(Table(PLUTE, facts, 6))


def test_every_law_that_a_module_declares_is_among_the_laws():
    modules = [import_module(f"{laws.__name__}.{module.name}") for module in iter_modules(laws.__path__)]
    declared = {each for module in modules for each in vars(module).values() if isinstance(each, Law)}
    assert declared == {*LAWS}


@pytest.mark.filterwarnings("default")
def test_a_message_without_words_breaks_the_law_that_meets_it():
    def has_words(at):
        catalogue(at.ruleset.package).sentence(Message("no.such-message"))

    with pytest.raises(UserWarning, match=r"cannot say no\.such-message"):
        Case(Law(has_words, "table", 0), table()).check()


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
