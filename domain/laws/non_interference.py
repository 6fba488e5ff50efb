"""The law of hidden information: what a viewer cannot know changes nothing that the viewer can see.

At moments of every kind in random games, for every viewer, draw another world that has the same view (``sample``). The
view, the legal actions, refusals and dry runs must be the same in it. So must the viewer's log if the hand is played
again with the hidden cards of that world.
"""

import random
from collections.abc import Iterator, Sequence

from domain.errors import IllegalAction, WrongMoment
from domain.game import aggregate, history
from domain.game.aggregate import Game
from domain.laws.facts import Facts
from domain.laws.law import of_every_variant, of_games
from domain.laws.moments import of_every_kind
from domain.laws.mutations import changed
from domain.laws.play import Step, Table, actions_of, played
from domain.log.record import Record, Writer, visible
from domain.log.redaction import merged, seen_by, split
from domain.pictures.scene import Scene
from domain.pictures.shown import Shown
from domain.ruleset import AnyRuleset
from domain.sentences.catalogue import languages
from domain.sequences import spanning
from domain.serialization import Plain
from domain.table import Seat
from domain.texts.sentences import tell


def _other_worlds(table: Table, seed: int) -> Iterator[tuple[Sequence[Step], Seat | None, object]]:
    """Draw worlds: (the steps up to a moment, viewer, the state of another world), for all viewers."""
    rng = random.Random(f"worlds {table.ruleset.id} {table.seats} {seed}")
    steps = played(table, seed)
    for index in of_every_kind(rng, steps):
        game = steps[index].game
        for viewer in (*range(table.seats), None):
            view = game.ruleset.project(game.state, viewer)
            yield steps[: index + 1], viewer, game.ruleset.sample(game.options, viewer, view, rng)


@of_games(7)
def a_sampled_world_has_the_same_view_and_is_mostly_another_one(table: Table, seed: int) -> None:
    """It has the same cards, in other places."""
    worlds = others = 0
    lying = table.facts.places_of_cards
    for steps, viewer, state in _other_worlds(table, seed):
        game = steps[-1].game
        assert game.ruleset.project(state, viewer) == game.ruleset.project(game.state, viewer)
        assert sorted(lying(state)) == sorted(lying(game.state))
        worlds += table.facts.has_many_worlds(game.state, viewer)
        others += state != game.state
    assert others >= worlds * 0.7


@of_games(7)
def the_same_seats_can_act_in_every_world_that_looks_the_same(table: Table, seed: int) -> None:
    """Each seat to act has a legal action there, which is accepted, and the others have none."""
    for steps, viewer, state in _other_worlds(table, seed):
        game, ruleset = steps[-1].game, table.ruleset
        assert ruleset.to_act(state) == ruleset.to_act(game.state), f"other seats act in a world drawn for {viewer}"
        assert ruleset.waiting_for(state) == ruleset.waiting_for(game.state)
        for seat in range(table.seats):
            listed = ruleset.legal_actions(state, seat)
            can_act = len(listed) > 0
            assert can_act == (seat in game.pending), (
                f"in a world drawn for {viewer}, seat {seat} has {len(listed)} legal actions"
                f" and is {'' if seat in game.pending else 'not '}to act"
            )
            if can_act:
                assert ruleset.decide(state, seat, listed[0])


@of_games(2)
def a_viewer_is_shown_the_same_in_every_world_that_looks_the_same(table: Table, seed: int) -> None:
    """The scene is the same, with all its words, and with what this viewer can do and why not."""
    for number, (steps, viewer, state) in enumerate(_other_worlds(table, seed)):
        language = languages()[number % len(languages())]
        game = steps[-1].game
        assert _scene(game.ruleset, state, viewer, language) == _scene(game.ruleset, game.state, viewer, language)


def _scene(ruleset: AnyRuleset, state: object, viewer: Seat | None, language: str) -> Scene:
    """Show a position with all that the service shows beside the view."""
    legal = () if viewer is None else [*spanning(ruleset.legal_actions(state, viewer))]
    return ruleset.presentation.scene(
        ruleset.project(state, viewer), Shown(viewer=viewer, legal=legal, language=language)
    )


@of_every_variant
def a_finished_game_has_no_other_world_with_another_view(table: Table) -> None:
    """Nor one with another outcome."""
    game = played(table, 0)[-1].game
    for viewer in (*range(table.seats), None):
        view = game.ruleset.project(game.state, viewer)
        state = game.ruleset.sample(game.options, viewer, view, random.Random(0))
        assert game.ruleset.project(state, viewer) == view
        assert game.ruleset.outcome(state) == game.outcome


@of_games(7)
def a_viewer_can_do_the_same_in_every_world_that_looks_the_same(table: Table, seed: int) -> None:
    """The list is the same, and so is the result of every other dry run."""
    rng = random.Random(seed)
    elsewhere = [action for _, _, action in actions_of(played(table, seed))]
    compared = 0
    for steps, viewer, state in _other_worlds(table, seed):
        game = steps[-1].game
        if viewer is None:
            continue
        listed = list(game.ruleset.legal_actions(game.state, viewer))
        assert list(game.ruleset.legal_actions(state, viewer)) == listed
        near = [other for one in rng.sample(listed, min(3, len(listed))) for other in changed(one, table.facts)]
        tried = (*rng.sample(near, min(20, len(near))), *rng.sample(listed, min(10, len(listed))), *elsewhere[::7])
        for action in tried:
            assert _answer(game.ruleset, state, viewer, action) == _answer(game.ruleset, game.state, viewer, action)
            compared += 1
    assert compared


def _answer(ruleset: AnyRuleset, state: object, seat: Seat, action: object) -> object:
    """Return what a seat learns from a dry run: the refusal, or the events as far as the seat can see them."""
    try:
        decided = ruleset.decide(state, seat, action)
    except (IllegalAction, WrongMoment) as refusal:
        return type(refusal), refusal.code, refusal.message, getattr(refusal, "rule", None)
    return [(type(event), merged(data, seen_by(hidden, seat, everything=False))) for event in decided
            for data, hidden in [split(event)]]  # fmt: skip


@of_games(7)
def the_log_of_another_world_looks_the_same_and_its_past_was_legal(table: Table, seed: int) -> None:
    """Deal the hand as it was in that world, and decide and settle every action again."""
    worlds = others = 0
    for steps, viewer, state in _other_worlds(table, seed):
        start = last_deal(table.facts, steps)
        redealt = table.facts.redealt([event for step in steps[start:] for event in step.events], state)
        game = play_again(table.facts, steps[start:], redealt)
        assert game.state == state
        worlds += table.facts.has_many_worlds(state, viewer)
        others += _same_but_for_seals(steps[start:], redealt, viewer)
    assert others >= worlds * 0.7


def last_deal(facts: Facts, steps: Sequence[Step]) -> int:
    """Find the request that dealt the current hand."""
    return max(i for i, step in enumerate(steps) if any(facts.is_deal(event) for event in step.events))


def play_again(facts: Facts, steps: Sequence[Step], redealt: Sequence[object]) -> Game:
    """Play the given events again, and check that every action leads to those that are given."""
    game, taken = _before(steps[0]), 0
    for events, after in played_again(facts, steps, redealt):
        assert [*events] == [*redealt[taken : taken + len(events)]]
        game, taken = after, taken + len(events)
    assert game.pending == steps[-1].game.pending
    return game


def played_again(
    facts: Facts, steps: Sequence[Step], redealt: Sequence[object]
) -> Iterator[tuple[Sequence[object], Game]]:
    """Record the deal as given, then decide and settle every later action: yield the events of each, and the game."""
    game, taken = _before(steps[0]), 0
    for index, step in enumerate(steps):
        of_step = list(redealt[taken : taken + len(step.events)])
        taken += len(of_step)
        if index == 0:
            writer = Writer(step.game.secrets, game.version, game.head)
            game = history.fold(writer.write(history.named(game.ruleset, of_step), step.game.at, "rq"), game)
            yield of_step, game
        else:
            assert step.seat is not None
            events, game = aggregate.act(game, step.seat, facts.acted_again(step.action, of_step))
            yield events, game


def _before(step: Step) -> Game:
    assert step.before is not None, "a deal follows the creation of a game"
    return step.before


def _same_but_for_seals(steps: Sequence[Step], redealt: Sequence[object], viewer: Seat | None) -> bool:
    """Compare the log that a viewer gets in both worlds; return whether the worlds differ at all."""
    before, truth = _before(steps[0]), [record for step in steps for record in step.records]
    secrets = steps[-1].game.secrets
    writer = Writer(secrets, before.version, before.head)
    rewritten: list[Record] = []
    for step in steps:
        of_step = redealt[len(rewritten) : len(rewritten) + len(step.events)]
        records = writer.write(history.named(before.ruleset, of_step), step.game.at, step.records[0].request)
        rewritten += records
        writer = Writer(secrets, records[-1].version, records[-1].hash)
    for true, other in zip(truth, rewritten, strict=True):
        one = visible(true, secrets, viewer, everything=False)
        two = visible(other, secrets, viewer, everything=False)
        assert _masked(one) == _masked(two)
        assert tell(before.ruleset, one) == tell(before.ruleset, two)
    return bool(truth[-1].hash != rewritten[-1].hash)


def _masked(event: dict[str, Plain]) -> dict[str, Plain]:
    """Blank what differs between worlds only in value, not in key or length: hashes, seals and salts."""
    return event | {
        "hash": len(event["hash"]),
        "sealed": {pointer: len(seal) for pointer, seal in event["sealed"].items()},
        "salts": {pointer: len(salt) for pointer, salt in event["salts"].items()},
    }
