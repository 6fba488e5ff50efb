"""The domain rejects every hostile request with its own errors, and accepts only what is legal."""

import random
from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from typing import Any

from domain.errors import IllegalAction, InvalidOptions, WrongMoment
from domain.field_types import fields_of
from domain.game import aggregate, opening, proposals, seating, timeouts
from domain.game.aggregate import Game
from domain.game.seeds import commitment_to
from domain.laws.hostile import SEATS, VALUES, Odd, made_up, spoiled
from domain.laws.law import of_a_ruleset, of_every_table, of_every_variant, refused, some
from domain.laws.moments import of_every_kind
from domain.laws.mutations import same_meaning
from domain.laws.play import Table, played, starting, written
from domain.laws.refusals import check_refusal
from domain.ruleset import AnyRuleset
from domain.serialization import Plain, to_plain
from domain.table import Seat

OWN_ERRORS = (IllegalAction, InvalidOptions, WrongMoment)
TRIED = 300
BOTS = (((99, "random"),), ((-1, "random"),), ((0, "random"), (0, "random")), ((True, "x"),))
"""Bots on seats that do not exist, or twice on the same one."""


def _moments(table: Table) -> tuple[random.Random, list[Game]]:
    rng = random.Random(f"hostile {table.ruleset.id} {table.seats} {table.variant}")
    steps = played(table, 1)
    return rng, [steps[place].game for place in of_every_kind(rng, steps)]


def _no_seats(table: Table) -> tuple[Any, ...]:
    """List values that are not seats of a table, including the first number after its last seat."""
    return (*SEATS, table.seats, 12)


@of_every_variant
def a_hostile_action_is_refused_by_the_rules_unless_it_is_listed(table: Table) -> None:
    """Try listed actions with a hostile value somewhere, invented ones, and values that are not actions at all."""
    rng, at = _moments(table)
    was_refused = 0
    for game in at:
        seat = min(game.pending)
        listed = list(game.ruleset.legal_actions(game.state, seat))
        meanings = {same_meaning(action, table.facts) for action in listed}
        near = [other for action in some(rng, listed, 6) for other in spoiled(action)]
        invented = [made_up(cls, rng) for cls in game.ruleset.actions.values() for _ in range(15)]
        for action in chain(some(rng, near, TRIED), invented, VALUES, game.ruleset.actions.values()):
            refusal = _refusal_of(game, seat, action)
            if refusal is None:
                assert type(action) in game.ruleset.actions.values(), action
                assert same_meaning(action, table.facts) in meanings, action
            else:
                check_refusal(table.ruleset, refusal)
                was_refused += 1
    assert was_refused


def _refusal_of(game: Game, seat: Seat, action: object) -> IllegalAction | None:
    try:
        game.ruleset.decide(game.state, seat, action)
    except IllegalAction as refusal:
        return refusal
    return None


@of_every_variant
def an_accepted_action_has_the_types_that_it_declares(table: Table) -> None:
    """Even if a value equals a legal one, as true equals 1: it would be another byte in the log."""
    rng, at = _moments(table)
    for game in at:
        seat = min(game.pending)
        listed = list(game.ruleset.legal_actions(game.state, seat))
        exact = {repr(action) for action in listed}
        for action in [other for one in some(rng, listed, 4) for other in spoiled(one)]:
            if any(action == one for one in listed) and repr(action) not in exact:
                refused(IllegalAction, game.ruleset.decide, game.state, seat, action)


@of_every_table
def no_hostile_seat_can_do_anything(table: Table) -> None:
    """It cannot act, resign, claim, propose, vote, or get a bot."""
    for game in _moments(table)[1]:
        action = game.ruleset.legal_actions(game.state, min(game.pending))[0]
        for seat in _no_seats(table):
            refused(IllegalAction, game.ruleset.decide, game.state, seat, action)
            refused(IllegalAction, game.ruleset.resign, game.state, seat)
            for attempt in _attempts(game, seat, action):
                refused(OWN_ERRORS, attempt)


def _attempts(game: Game, seat: Any, action: object) -> list[Callable[[], object]]:
    """List everything that a seat can try while a game is running."""
    return [
        partial(aggregate.act, game, seat, action),
        partial(aggregate.resign, game, seat),
        partial(timeouts.claim, game, seat, 0),
        partial(seating.put_bot, game, "pl_0", seat, "random"),
        *(partial(proposals.propose, game, seat, kind) for kind in proposals.kinds(game.ruleset)),
        partial(proposals.vote, game, seat, "p1", accept=True),
    ]


@of_every_table
def no_hostile_seat_is_taken_or_left_before_the_start(table: Table) -> None:
    """Nor can a bot be put on it."""
    game = next(starting(table.ruleset, table.seats, 0, table.facts.short)).game
    for seat in _no_seats(table)[1:]:
        refused(WrongMoment, seating.join, game, "pl_1", seat, None)
        refused(WrongMoment, seating.leave, game, "pl_1", seat)
        refused(WrongMoment, seating.put_bot, game, "pl_1", seat, "random")


@of_every_table
def no_hostile_seed_is_opened_nor_that_of_a_hostile_seat(table: Table) -> None:
    """Nor is any before every seat is taken."""
    game = next(starting(table.ruleset, table.seats, 0, table.facts.short)).game
    for seat in range(table.seats):
        refused(WrongMoment, opening.open_seed, game, seat, "luck")
        sealed = commitment_to("luck", game.id, f"pl_{seat}")
        joined = seating.join(game, f"pl_{seat}", seat, None, seed_commitment=sealed)
        game = written(game, None, None, joined).game
    for seat in _no_seats(table):
        refused(WrongMoment, opening.open_seed, game, seat, "luck")
    for seed in VALUES:
        refused(InvalidOptions, opening.open_seed, game, 0, seed)


@of_every_table
def unknown_agreements_and_ill_typed_votes_are_refused(table: Table) -> None:
    """So are durations that a pause cannot have."""
    game = _moments(table)[1][0]
    for kind in (*VALUES, "checkmate"):
        if type(kind) is not str or kind not in game.ruleset.proposal_kinds:
            refused(IllegalAction, game.ruleset.agree, game.state, kind)
            refused(WrongMoment, proposals.propose, game, 0, kind)
    for length in (*VALUES[1:], "P0D", "P91D", "PT1H "):
        refused(InvalidOptions, proposals.propose, game, 0, "pause", length)
    _, paused = proposals.propose(game, 0, "pause")
    for accept in VALUES:
        if type(accept) is not bool:
            refused(InvalidOptions, partial(proposals.vote, paused, 1, paused.proposals[0].id, accept=accept))
    for proposal in VALUES:
        if not isinstance(proposal, Odd):
            refused(WrongMoment, partial(proposals.vote, paused, 1, proposal, accept=True))


@of_every_table
def a_game_that_is_over_agrees_on_nothing(table: Table) -> None:
    """Whatever the players could agree on before."""
    game = played(table, 1)[-1].game
    for kind in (*game.ruleset.proposal_kinds, "draw"):
        refused(IllegalAction, game.ruleset.agree, game.state, kind)


@of_every_table
def unknown_options_are_refused_and_named(table: Table) -> None:
    """Messages stay short, however long the name."""
    complete: Callable[..., object] = table.ruleset.options.complete
    for name in ("colour", "Edition", "", "options", "seats", "x" * 100_000, "\u202e"):
        refusal = refused(InvalidOptions, complete, {name: "red"}, table.seats)
        assert [problem.code for problem in refusal.problems] == ["unknown-option"]
        assert len(str(refusal)) < 2000
    for odd in (None, 1, (), frozenset[str]()):
        refused(InvalidOptions, complete, {odd: 1}, table.seats)
    for given in (None, 1, "deals", [], (), [("deals", 1)], object()):
        refused(InvalidOptions, complete, given, table.seats)


@of_every_table
def an_option_is_of_its_type_and_has_one_of_its_values(table: Table) -> None:
    """A value that only equals one of them is rejected."""
    accepted = 0
    choices = table.ruleset.options.choices(table.seats)
    for option in fields_of(table.ruleset.options.shape):
        for value in VALUES:
            options = _options_or_none(table.ruleset, {option.key: value}, table.seats)
            if options is not None:
                taken, values = to_plain(options).get(option.key), choices[option.key].values
                assert value is None or (taken == value and type(taken) is type(value))
                assert values is None or taken in values
                accepted += 1
    assert accepted


def _options_or_none(ruleset: AnyRuleset, given: Mapping[str, Plain], seats: int) -> object:
    try:
        return ruleset.options.complete(given, seats)
    except InvalidOptions:
        return None


@of_every_variant
def written_out_options_are_taken_as_they_are(table: Table) -> None:
    """A game can be created again with the options that it shows."""
    options = table.ruleset.options.complete(table.options, table.seats)
    assert table.ruleset.options.complete(to_plain(options), table.seats) == options


@of_a_ruleset
def a_number_of_seats_that_the_game_is_not_played_with_is_refused(table: Table) -> None:
    """So is a number of another type."""
    ruleset = table.ruleset
    for seats in (*SEATS, 0, 1, 7, 13, *map(float, ruleset.seats)):
        if seats is True or type(seats) is not int or seats not in ruleset.seats:
            refusal = refused(InvalidOptions, ruleset.options.complete, {}, seats)
            assert refusal.problems[0].code == "number-of-seats"


@of_every_table
def bots_sit_on_seats_that_exist_and_are_free(table: Table) -> None:
    """Otherwise the game is not created."""
    for bots in BOTS:
        new = seating.NewGame(
            id="gm_1",
            ruleset=table.ruleset,
            options=table.ruleset.options.complete({}, table.seats),
            visibility="public",
            sandbox=False,
            creator="pl_1",
            sitters=(None,) * table.seats,
            bots=bots,
        )
        refused(InvalidOptions, seating.create, new, bytes(32))
