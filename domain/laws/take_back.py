"""What can be taken back disclosed nothing, and a game continues after it as if nothing had been taken back.

A game with detours is a random game in which the players now and then act otherwise, take that back, and continue.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import takewhile

from domain.chance import Chance
from domain.errors import IllegalAction
from domain.events import SeatTaken, TakenBack
from domain.game import aggregate, history, proposals, seating, take_backs
from domain.game.aggregate import Game
from domain.laws.law import Check, Law, some
from domain.laws.moments import of_every_kind
from domain.laws.play import Step, Table, events_of, log_of, played, written
from domain.laws.texts import seen
from domain.log import chain
from domain.log.record import verify
from domain.log.redaction import merged, seen_by, split
from domain.ruleset import AnyRuleset
from domain.table import Seat
from domain.texts import document

MOMENTS, LONGEST = 8, 3
SHORT = 12
"""With fewer actions that can be taken back, a game can be without a detour by chance."""
_DETOURS = 0.3
_ANOTHER_SECRET = bytes(range(32))


def _has_open_events(ruleset: AnyRuleset) -> bool:
    return bool(ruleset.open_events)


def _of_games(seeds: int) -> Callable[[Check], Law]:
    return lambda check: Law(check, "game", seeds, _has_open_events)


# -- nothing is disclosed -------------------------------------------------------------------------------------------


@_of_games(2)
def what_can_be_taken_back_looks_the_same_in_every_world_that_looked_the_same(table: Table, seed: int) -> None:
    """Taking back reveals nothing: every world that was consistent with the viewer's knowledge still is.

    In each world, some legal action of the seat brings events that the viewer cannot tell from the true ones.
    """
    rng = random.Random(f"open events {table} {seed}")
    steps = played(table, seed)
    beginnings = [index for index, step in enumerate(steps) if _can_be_taken_back(step)]
    for run in [steps[index : index + LONGEST] for index in of_every_kind(rng, steps, beginnings)]:
        for viewer in (*range(table.seats), None):
            before = _before(run[0])
            view = before.ruleset.project(before.state, viewer)
            state = before.ruleset.sample(before.options, viewer, view, rng)
            for step in takewhile(_can_be_taken_back, run):
                state = _looking_like(step, state, viewer)


def _can_be_taken_back(step: Step) -> bool:
    return step.before is not None and step.before.version in take_backs.versions(step.game)


def _before(step: Step) -> Game:
    assert step.before is not None
    return step.before


def _looking_like(step: Step, state: object, viewer: Seat | None) -> object:
    """Return another world after a step in which the viewer sees what it sees in the true one."""
    game, seat = _before(step), step.seat
    assert seat is not None
    shown = _seen(step.events, viewer)
    for action in (step.action, *game.ruleset.legal_actions(state, seat)):
        try:
            events, after = _played_out(game, state, seat, action)
        except IllegalAction:
            continue
        if _seen(events, viewer) == shown:
            _check_same(step.game, after, viewer)
            return after
    raise AssertionError(f"{viewer} knows more than before after {step.events}")


def _check_same(game: Game, state: object, viewer: Seat | None) -> None:
    ruleset = game.ruleset
    assert ruleset.project(state, viewer) == ruleset.project(game.state, viewer)
    assert ruleset.to_act(state) == ruleset.to_act(game.state)
    assert ruleset.waiting_for(state) == ruleset.waiting_for(game.state)
    if viewer is not None:
        assert ruleset.legal_actions(state, viewer) == ruleset.legal_actions(game.state, viewer)


def _played_out(game: Game, state: object, seat: Seat, action: object) -> tuple[list[object], object]:
    """Decide and settle an action in another world, with another source of draws."""
    chance = Chance(_ANOTHER_SECRET, game.id, (None,) * len(game.sitters))
    events = [*game.ruleset.decide(state, seat, action)]
    for event in events:
        state = game.ruleset.evolve(state, event)
    while forced := game.ruleset.settle(state, chance):
        for event in forced:
            state = game.ruleset.evolve(state, event)
        events += forced
    return events, state


def _seen(events: Sequence[object], viewer: Seat | None) -> list[object]:
    """Return the events as a viewer sees them."""
    return [
        (type(event), merged(data, seen_by(hidden, viewer, everything=False)), hidden.keys())
        for event in events
        for data, hidden in [split(event)]
    ]


# -- a game continues as if nothing had been taken back ---------------------------------------------------------------


@cache
def with_detours(table: Table, seed: int) -> tuple[Step, ...]:
    """Play the same game as ``played``, but for detours that are taken back."""
    rng = random.Random(f"detours {table} {seed}")
    first, *rest = played(table, seed)
    steps, went_back = [first], False
    for step in rest:
        if step.seat is not None and (not went_back or rng.random() < _DETOURS):
            detour = list(_detour(steps[-1].game, rng))
            steps += detour
            went_back = went_back or bool(detour)
        steps.append(_again(step, steps[-1].game))
    return tuple(steps)


def _detour(game: Game, rng: random.Random) -> Iterator[Step]:
    """Act at random while that can be taken back; then take all of it back."""
    back_to = game.version
    for _ in range(rng.randint(1, LONGEST)):
        seat = rng.choice(sorted(game.pending))
        action = rng.choice(game.ruleset.legal_actions(game.state, seat))
        step = written(game, seat, action, aggregate.act(game, seat, action))
        if back_to not in take_backs.versions(step.game):
            break
        yield step
        game = step.game
    if back_to in take_backs.versions(game):
        yield from agreed(game, back_to)


def agreed(game: Game, to_version: int) -> Iterator[Step]:
    """Let all players agree on a take-back."""
    step = written(game, None, None, proposals.propose(game, 0, "take_back", to_version=to_version))
    yield step
    for seat in range(1, len(game.sitters)):
        (made,) = step.game.proposals
        step = written(step.game, None, None, proposals.vote(step.game, seat, made.id, accept=True))
        yield step


def _again(step: Step, game: Game) -> Step:
    """Take a step of another game, in a game that is at the same position."""
    if step.seat is not None:
        return written(game, step.seat, step.action, aggregate.act(game, step.seat, step.action))
    taken = next(event for event in step.events if isinstance(event, SeatTaken))
    joined = seating.join(game, taken.player, taken.seat, taken.client_seed, taken.joined_after)
    return written(game, None, None, joined)


def effective(steps: Sequence[Step]) -> list[Step]:
    """Leave out the steps that were taken back, and the votes on it but for the last."""
    found: list[Step] = []
    for step in steps:
        for event in step.events:
            if isinstance(event, TakenBack):
                found = [kept for kept in found if kept.game.version <= event.to_version]
        found.append(step)
    return found


@_of_games(2)
def after_a_take_back_a_game_continues_as_if_nothing_had_been_played(table: Table, seed: int) -> None:
    """Every draw to come is the same, so every later event is, and the outcome."""
    true, steps = played(table, seed), with_detours(table, seed)
    assert events_of(effective(steps)) == events_of(true)
    assert steps[-1].game.outcome == true[-1].game.outcome
    is_short = sum(map(_can_be_taken_back, true)) < SHORT
    assert len(steps) > len(true) or is_short, "no detour could be taken back"


@_of_games(2)
def a_take_back_restores_the_position_and_opens_new_decisions(table: Table, seed: int) -> None:
    """Each viewer's view and legal actions are those of that version; no decision has a name that it had before."""
    steps = with_detours(table, seed)
    at = {step.game.version: step.game for step in steps}
    opened = {game.decision_id(seat): game.version for game in reversed(at.values()) for seat in game.pending}
    for step in steps:
        for event in step.events:
            if isinstance(event, TakenBack):
                game, then = step.game, at[event.to_version]
                assert game.state == then.state
                assert game.pending.keys() == then.pending.keys()
                assert game.waiting_for == then.waiting_for
                assert {opened[game.decision_id(seat)] for seat in game.pending} == {game.version}
                _check_same(then, game.state, None)


@_of_games(2)
def the_log_of_a_game_keeps_what_was_taken_back_and_folds_at_every_request(table: Table, seed: int) -> None:
    """Versions have no gaps, the chain holds, and each fold gives the same game: whole, request by request, cached."""
    steps = with_detours(table, seed)
    log = log_of(steps)
    assert [record.version for record in log] == [*range(1, len(log) + 1)]
    verify(log, chain.GENESIS, steps[0].game.secrets)
    rng = random.Random(seed)
    game = None
    for step in steps:
        game = history.fold(step.records, game)
        assert game == step.game
    for step in some(rng, steps, MOMENTS):
        assert history.fold(log[: step.game.version]) == step.game
        cached = rng.choice([each.game for each in steps if each.game.version <= step.game.version])
        assert history.fold(log[cached.version : step.game.version], cached) == step.game
        for record in step.records:
            past = history.fold_to(log, record.version)
            assert (past.version, past.head, bool(past.pending)) == (
                record.version,
                record.hash,
                record is step.records[-1] and step.game.status == "active",
            )


@_of_games(2)
def a_viewer_knows_after_a_take_back_what_it_knew_before(table: Table, seed: int) -> None:
    """A view shows the hidden things that its viewer knows from what was not taken back."""
    facts, steps, rng = table.facts, with_detours(table, seed), random.Random(f"known {table} {seed}")
    returns = [
        (number, step)
        for number, step in enumerate(steps, start=1)
        if any(isinstance(event, TakenBack) for event in step.events)
    ]
    for viewer in (*range(table.seats), None):
        for number, step in some(rng, returns, MOMENTS):
            known = facts.nothing_known()
            for event in (event for each in effective(steps[:number]) for event in each.events):
                known = facts.known_after(known, event, viewer)
            view = step.game.ruleset.project(step.game.state, viewer)
            assert facts.shown_by_view(view, step.game) == facts.codes(known)


@_of_games(2)
def only_what_followed_the_last_disclosure_can_be_taken_back(table: Table, seed: int) -> None:
    """A seat's own last action is among it, unless it disclosed something itself."""
    steps = with_detours(table, seed)
    begun_with = [number for number, step in enumerate(steps, start=1) if step.game.status == "active"]
    for number in some(random.Random(f"targets {table} {seed}"), begun_with, 5 * MOMENTS):
        step, kept = steps[number - 1], effective(steps[:number])
        begun = max(index for index, each in enumerate(kept) if not _is_open(each))
        after = [each.game for each in kept[begun:] if each.game.status == "active"]
        others = [game.version for game in after if game.state is not step.game.state]
        found = take_backs.versions(step.game)
        assert found == others[-len(found) :] or not found
        assert len(found) >= min(len(others), aggregate.MOST_POSITIONS)
        for seat in range(table.seats):
            own = [each.before.version for each in kept[begun + 1 :] if each.before and each.seat == seat]
            assert take_backs.own_version(step.game, seat) == (own[-1] if own else None)


def _is_open(step: Step) -> bool:
    """Return whether all events of the ruleset in a step are open, and it is none of those before the start."""
    of_ruleset = [event for event in step.events if type(event) in step.game.ruleset.events.values()]
    return step.game.state is not None and step.game.ruleset.open_events.issuperset(map(type, of_ruleset))


@_of_games(2)
def a_text_has_the_game_without_what_was_taken_back(table: Table, seed: int) -> None:
    """It is the text of the same game without detours."""
    true, steps = played(table, seed), with_detours(table, seed)
    for viewer in (*range(table.seats), None):
        for everything in (False, True):
            text = document.write(seen(steps, viewer, everything=everything))
            assert text == document.write(seen(true, viewer, everything=everything))
