"""Every listed action is accepted, and no other."""

import random
from functools import partial

from domain.errors import IllegalAction, WrongMoment
from domain.game import aggregate
from domain.game.aggregate import Game
from domain.laws.law import of_every_variant, of_games, refused, some
from domain.laws.moments import of_every_kind
from domain.laws.mutations import changed, same_meaning
from domain.laws.play import Table, actions_of, active, played
from domain.laws.refusals import check_refusal, check_rule
from domain.table import Seat

MOMENTS = 20


def _is_accepted(game: Game, seat: Seat, action: object) -> bool:
    try:
        aggregate.decide(game, seat, action)
    except IllegalAction:
        return False
    return True


@of_games(7)
def the_seats_to_act_and_no_others_have_legal_actions_each_listed_once(table: Table, seed: int) -> None:
    """The length and the indices of a list agree with it, and a second list is the same."""
    rng = random.Random(seed)
    for step in played(table, seed):
        game = step.game
        if game.state is None:
            continue
        assert set(game.pending) == game.ruleset.to_act(game.state)
        assert bool(game.pending) == (game.status == "active") == bool(game.waiting_for)
        assert set(game.waiting_for) == game.ruleset.waiting_for(game.state) <= set(game.pending)
        for seat in range(table.seats):
            actions = game.ruleset.legal_actions(game.state, seat)
            listed = [same_meaning(action, table.facts) for action in actions]
            assert bool(listed) == (seat in game.pending)
            assert len(set(listed)) == len(listed) == len(actions)
            for place in some(rng, range(len(listed)), 3):
                assert same_meaning(actions[place], table.facts) == listed[place]
            assert actions == game.ruleset.legal_actions(game.state, seat)


@of_games(7)
def every_listed_action_is_accepted(table: Table, seed: int) -> None:
    """Its events say what that seat did."""
    rng = random.Random(seed)
    for game in active(played(table, seed)):
        for seat in game.pending:
            for action in some(rng, game.ruleset.legal_actions(game.state, seat), 40):
                events = aggregate.decide(game, seat, action)
                assert {getattr(event, "seat", None) for event in events} == {seat}


@of_games(7)
def an_action_is_accepted_only_if_it_is_listed(table: Table, seed: int) -> None:
    """Try listed actions with one field changed, and actions of all other moments of the game."""
    rng = random.Random(seed)
    elsewhere = [action for _, _, action in actions_of(played(table, seed))]
    was_refused = 0
    steps = played(table, seed)
    for game in [steps[place].game for place in of_every_kind(rng, steps, fewest=MOMENTS)]:
        for seat in game.pending:
            listed = list(game.ruleset.legal_actions(game.state, seat))
            meanings = {same_meaning(action, table.facts) for action in listed}
            near = [other for action in some(rng, listed, 20) for other in changed(action, table.facts)]
            for action in (*some(rng, near, 150), *some(rng, elsewhere, 50)):
                is_legal = _is_accepted(game, seat, action)
                assert is_legal == (same_meaning(action, table.facts) in meanings), action
                was_refused += not is_legal
    assert was_refused


@of_games(7)
def a_refusal_names_a_code_a_reason_and_a_heading_of_the_rules(table: Table, seed: int) -> None:
    """Whatever is asked for, and by any seat: what is near to a legal action, what is legal elsewhere, an end."""
    rng, steps, ruleset = random.Random(seed), played(table, seed), table.ruleset
    elsewhere = list({type(action): action for _, _, action in actions_of(steps)}.values())
    refusals: dict[tuple[str, str], IllegalAction] = {}
    for game in [steps[place].game for place in of_every_kind(rng, steps, fewest=MOMENTS)]:
        for seat in range(table.seats):
            listed = some(rng, ruleset.legal_actions(game.state, seat), 5)
            near = some(rng, [other for one in listed for other in changed(one, table.facts)], 40)
            asked = [partial(ruleset.decide, game.state, seat, action) for action in (*near, *elsewhere)]
            for attempt in (*asked, partial(ruleset.resign, game.state, seat), partial(ruleset.agree, game.state, "")):
                try:
                    attempt()
                except IllegalAction as refusal:
                    refusals[refusal.code, refusal.rule] = refusal
    assert refusals
    for each in refusals.values():
        check_refusal(ruleset, each)
    check_rule(ruleset, ruleset.ending, "the ending of the ruleset")


@of_games(7)
def a_seat_that_is_not_to_act_is_refused_whatever_it_asks(table: Table, seed: int) -> None:
    """The game rejects it, and so do the rules by themselves."""
    for game in active(played(table, seed)):
        for seat in set(range(table.seats)) - set(game.pending):
            action = game.ruleset.legal_actions(game.state, next(iter(game.pending)))[0]
            assert refused(WrongMoment, aggregate.act, game, seat, action).code == "not-your-turn"
            refused(IllegalAction, game.ruleset.decide, game.state, seat, action)


@of_every_variant
def a_seat_to_act_can_resign_at_any_time_if_the_ruleset_supports_it(table: Table) -> None:
    """The clock can make it resign then; without that support, no seat ever resigns."""
    for game in active(played(table, 0)):
        for seat in game.pending:
            if table.ruleset.resigned is None:
                refused(IllegalAction, game.ruleset.resign, game.state, seat)
            else:
                assert game.ruleset.resign(game.state, seat)


@of_every_variant
def no_seat_acts_before_the_start_or_after_the_end(table: Table) -> None:
    """An action that was legal in between is rejected."""
    steps = played(table, 0)
    action = next(step.action for step in steps if step.action is not None)
    for game in (steps[0].game, steps[-1].game):
        assert game.status in ("open", "finished")
        for seat in range(table.seats):
            assert refused(WrongMoment, aggregate.act, game, seat, action).code == "game-not-active"
