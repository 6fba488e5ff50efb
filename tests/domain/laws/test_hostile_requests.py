"""Laws of every ruleset: whatever is asked, the domain answers with its own errors, and accepts what is legal only."""

import random
from functools import partial

import pytest

from domain.errors import IllegalAction, InvalidOptions
from domain.field_types import fields_of
from domain.game import aggregate as games
from domain.game import proposals, seating, timeouts
from domain.game.aggregate import WrongMoment
from domain.game.events import Clock
from domain.registry import RULESETS
from domain.serialization import to_plain
from tests.domain.hostile import SEATS, VALUES, Odd, made_up, spoiled
from tests.domain.laws.facts import options_of
from tests.domain.mutations import same_meaning
from tests.domain.play import TABLES, VARIANTS, opening, played

OWN_ERRORS = (IllegalAction, InvalidOptions, WrongMoment)
MOMENTS, TRIED = 6, 300

every_table = pytest.mark.parametrize(("ruleset_id", "seats"), TABLES)
every_variant = pytest.mark.parametrize(("ruleset_id", "seats", "variant"), VARIANTS)


def moments(ruleset_id, seats, variant):
    rng = random.Random(f"hostile {ruleset_id} {seats} {variant}")
    running = [step.game for step in played(ruleset_id, seats, 1, variant) if step.game.status == "active"]
    return rng, rng.sample(running, min(MOMENTS, len(running)))


def some(rng, items, most=TRIED):
    items = list(items)
    return rng.sample(items, most) if len(items) > most else items


@every_variant
def test_a_hostile_action_is_refused_by_the_rules_unless_it_is_listed(ruleset_id, seats, variant):
    rng, at = moments(ruleset_id, seats, variant)
    refused = 0
    for game in at:
        seat = min(game.pending)
        listed = list(game.ruleset.legal_actions(game.state, seat))
        meanings = {same_meaning(action) for action in listed}
        near = [other for action in some(rng, listed, 6) for other in spoiled(action)]
        invented = [made_up(cls, rng) for cls in game.ruleset.actions.values() for _ in range(15)]
        for action in (*some(rng, near), *invented, *VALUES, *game.ruleset.actions.values()):
            refusal = refusal_of(game, seat, action)
            if refusal is None:
                assert type(action) in game.ruleset.actions.values(), action
                assert same_meaning(action) in meanings, action
            else:
                assert refusal.code
                assert len(refusal.message) < 10_000
                refused += 1
    assert refused


def refusal_of(game, seat, action):
    try:
        game.ruleset.decide(game.state, seat, action)
    except IllegalAction as refusal:
        return refusal
    return None


@every_variant
def test_an_accepted_action_has_the_types_that_it_declares(ruleset_id, seats, variant):
    """Also where a value merely equals a legal one, as true equals 1: it would be another byte in the log."""
    rng, at = moments(ruleset_id, seats, variant)
    for game in at:
        seat = min(game.pending)
        listed = list(game.ruleset.legal_actions(game.state, seat))
        exact = {repr(action) for action in listed}
        for action in [other for one in some(rng, listed, 4) for other in spoiled(one)]:
            if any(action == one for one in listed) and repr(action) not in exact:
                with pytest.raises(IllegalAction):
                    game.ruleset.decide(game.state, seat, action)


@every_table
def test_no_hostile_seat_can_do_anything(ruleset_id, seats):
    _, at = moments(ruleset_id, seats, "")
    for game in at:
        action = game.ruleset.legal_actions(game.state, min(game.pending))[0]
        for seat in SEATS:
            with pytest.raises(IllegalAction):
                game.ruleset.decide(game.state, seat, action)
            with pytest.raises(IllegalAction):
                game.ruleset.resign(game.state, seat)
            for attempt in attempts(game, seat, action):
                with pytest.raises(OWN_ERRORS):
                    attempt()


def attempts(game, seat, action):
    """List all that a seat can try while a game runs."""
    return [
        partial(games.act, game, seat, action),
        partial(games.resign, game, seat),
        partial(timeouts.claim, game, seat, 0),
        partial(seating.put_bot, game, "pl_0", seat, "random"),
        *(partial(proposals.propose, game, seat, kind) for kind in proposals.known(game.ruleset)),
        partial(proposals.vote, game, seat, "p1", accept=True),
    ]


@every_table
def test_no_hostile_seat_is_taken_or_left_before_the_start(ruleset_id, seats):
    game = next(opening(ruleset_id, seats, 0)).game
    for seat in (*SEATS[1:], seats):
        for attempt in (
            lambda seat=seat: seating.join(game, "pl_1", seat, None),
            lambda seat=seat: seating.leave(game, "pl_1", seat),
            lambda seat=seat: seating.put_bot(game, "pl_1", seat, "random"),
        ):
            with pytest.raises(WrongMoment):
                attempt()


@every_table
def test_unknown_agreements_and_ill_typed_votes_are_refused(ruleset_id, seats):
    _, at = moments(ruleset_id, seats, "")
    game = at[0]
    for kind in (*VALUES, "checkmate", *game.ruleset.proposal_kinds):
        if type(kind) is not str or kind not in game.ruleset.proposal_kinds:
            with pytest.raises(IllegalAction):
                game.ruleset.agree(game.state, kind)
            with pytest.raises(WrongMoment):
                proposals.propose(game, 0, kind)
    for length in (*VALUES[1:], "P0D", "P91D", "PT1H "):
        with pytest.raises(InvalidOptions):
            proposals.propose(game, 0, "pause", length)
    _, paused = proposals.propose(game, 0, "pause")
    for accept in VALUES:
        if type(accept) is not bool:
            with pytest.raises(InvalidOptions):
                proposals.vote(paused, 1, paused.proposals[0].id, accept=accept)
    for proposal in VALUES:
        if not isinstance(proposal, Odd):
            with pytest.raises(WrongMoment):
                proposals.vote(paused, 1, proposal, accept=True)


@every_table
def test_a_game_that_is_over_agrees_on_nothing(ruleset_id, seats):
    game = played(ruleset_id, seats, 1)[-1].game
    for kind in (*game.ruleset.proposal_kinds, "draw"):
        with pytest.raises(IllegalAction):
            game.ruleset.agree(game.state, kind)


@every_table
def test_unknown_options_are_refused_and_named(ruleset_id, seats):
    ruleset = RULESETS[ruleset_id]
    for name in ("colour", "Edition", "", "options", "seats", "x" * 100_000, "\u202e"):
        with pytest.raises(InvalidOptions) as refusal:
            ruleset.options.complete({name: "red"}, seats)
        assert [problem.code for problem in refusal.value.problems] == ["unknown-option"]
        assert len(str(refusal.value)) < 2000
    for name in (None, 1, (), frozenset()):
        with pytest.raises(InvalidOptions):
            ruleset.options.complete({name: 1}, seats)
    for given in (None, 1, "deals", [], (), [("deals", 1)], object()):
        with pytest.raises(InvalidOptions):
            ruleset.options.complete(given, seats)


@every_table
def test_an_option_is_of_its_type_and_has_one_of_its_values(ruleset_id, seats):
    ruleset, accepted = RULESETS[ruleset_id], 0
    choices = ruleset.options.choices(seats)
    for option in fields_of(ruleset.options.shape):
        for value in VALUES:
            options = options_or_none(ruleset, {option.key: value}, seats)
            if options is not None:
                taken, values = to_plain(options)[option.key], choices[option.key].values
                assert value is None or (taken == value and type(taken) is type(value))
                assert values is None or taken in values
                accepted += 1
    assert accepted


def options_or_none(ruleset, given, seats):
    try:
        return ruleset.options.complete(given, seats)
    except InvalidOptions:
        return None


@every_variant
def test_written_out_options_are_taken_as_they_are(ruleset_id, seats, variant):
    ruleset = RULESETS[ruleset_id]
    options = ruleset.options.complete(options_of(ruleset_id, seats, variant), seats)
    assert ruleset.options.complete(to_plain(options), seats) == options


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_a_number_of_seats_that_the_game_is_not_played_with_is_refused(ruleset_id):
    ruleset = RULESETS[ruleset_id]
    for seats in (*(value for value in SEATS if value != 6), 0, 1, 7, *(map(float, ruleset.seats))):
        if seats is True or seats not in ruleset.seats or type(seats) is not int:
            with pytest.raises(InvalidOptions) as refusal:
                ruleset.options.complete({}, seats)
            assert refusal.value.problems[0].code == "number-of-seats"


@every_table
@pytest.mark.parametrize("bots", [((99, "random"),), ((-1, "random"),), ((0, "random"), (0, "random")), ((True, "x"),)])
def test_bots_sit_on_seats_that_exist_and_are_free(ruleset_id, seats, bots):
    with pytest.raises(InvalidOptions):
        seating.create(new_game(ruleset_id, seats, bots=bots), bytes(32))


@pytest.mark.parametrize("field", ["per_move", "bank", "increment", "on_timeout", "bot"])
def test_a_clock_of_hostile_values_is_refused(field):
    usual = {"per_move": "P1D", "bank": "P1D", "increment": None, "on_timeout": "bot", "bot": "random"}
    for value in VALUES[1:]:
        if field != "bot" or type(value) is not str:
            with pytest.raises(InvalidOptions):
                seating.create(new_game("plateau", 2, clock=Clock(**usual | {field: value})), bytes(32))


def new_game(ruleset_id, seats, **more):
    ruleset = RULESETS[ruleset_id]
    return seating.NewGame(
        id="gm_1",
        ruleset=ruleset,
        options=ruleset.options.complete({}, seats),
        visibility="public",
        sandbox=False,
        creator="pl_1",
        sitters=(None,) * seats,
        **more,
    )
