"""Honest games verify, whatever happened in them, and what could not be checked is said."""

import pytest

from domain import events as ev
from domain.audit.bundle import read
from domain.audit.verifying import Known
from domain.game import aggregate, operating, proposals, seating, timeouts
from domain.game.durations import MINUTE
from domain.laws.play import log_of, written
from domain.registry import RULESETS
from tests.golden.logs import GAMES, game_name, golden_log
from tests.support import bundles
from tests.support.bundles import Timed, bundle_of, copy_of, forged, judged
from tests.support.changed_rules import changed_rules
from tests.support.random_games import played
from tests.support.sampling import SMALLEST, VARIANTS


def assert_verified(steps):
    report = judged(bundle_of(steps))
    assert (report.fault, report.unchecked) == (None, ())
    assert report.version == steps[-1].game.version


@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_a_finished_random_game_verifies(ruleset_id, seats):
    assert_verified(played(ruleset_id, seats, 0))


@pytest.mark.long
@pytest.mark.parametrize(("ruleset_id", "seats", "variant"), VARIANTS)
def test_a_finished_random_game_of_every_variant_verifies(ruleset_id, seats, variant):
    assert_verified(played(ruleset_id, seats, 1, variant))


def assert_golden_game_verifies(name):
    """A golden game that ends by agreement is not meant: its text leaves out who agreed."""
    game, records = golden_log(name)
    report = judged(read(bundles.written(game, records)))
    assert (report.fault, report.unchecked) == (None, ())


@pytest.mark.long
@pytest.mark.parametrize("name", [game_name(path) for path in GAMES if "agree" not in path.stem])
def test_every_golden_game_verifies(name):
    assert_golden_game_verifies(name)


@pytest.mark.parametrize("name", ["le-plateau/2-edition-2022", "french-tarot/3-petite", "plute/hand-claimed-set"])
def test_a_golden_game_verifies(name):
    assert_golden_game_verifies(name)


@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_a_running_game_verifies_for_each_viewer_as_far_as_it_goes(ruleset_id, seats):
    steps = played(ruleset_id, seats, 0)[:-2]
    for viewer in (None, 0, 1):
        report = judged(bundle_of(steps, viewer))
        assert report.fault is None
        revealed = steps[-1].game.revealed
        after = f" after version {revealed[-1]}" if revealed else ""
        assert report.unchecked == (
            f"the game is not over: its secret, its draws and the legality of its actions{after} were not checked",
        )


def test_a_game_under_other_rules_says_that_it_was_not_judged():
    bundle = bundle_of(played("plute", 6, 0))
    with changed_rules(RULESETS["plute"], version=2):
        report = judged(bundle)
    assert report.fault is None
    assert "follows version 1 of the rules, and 2 is installed" in report.unchecked[0]


def test_lines_of_an_unknown_kind_are_counted():
    steps = played("plateau", 2, 0)
    text = bundles.written(steps[-1].game, log_of(steps))
    report = judged(read(text + b'{"witness": {}}\n{"witness": {}}\n'))
    assert report.unchecked == ('2 lines of the unknown kind "witness" were not checked',)


def ended(game):
    game.agree("abort")
    report = game.report()
    assert (report.fault, report.unchecked) == (None, ())
    return {record.type for record in game.records}


def test_turns_that_timed_out_pauses_credits_and_bots_verify():
    game = Timed("plute", 6, "bot", bots=(3,))
    seat = game.late()
    action = game.game.ruleset.legal_actions(game.game.state, seat)[0]
    game.do(timeouts.act_late(game.game, seat, "random", action), 0)
    began, ended_at = game.now, game.now + MINUTE
    game.do(timeouts.credit(game.game, [(began, ended_at)]), 1)
    game.agree("pause", "PT5M")
    game.now += 5 * MINUTE
    game.do(timeouts.resume(game.game, game.now), 0)
    game.agree("pause")
    game.agree("resume")
    game.act()
    game.do(seating.put_bot(game.game, "pl_1", 1, "random"))
    types = ended(game)
    assert types >= {"turn_timed_out", "time_credited", "game_paused", "game_resumed", "bot_seated", "game_aborted"}


def test_a_pause_that_ends_while_a_vote_on_it_is_open_verifies():
    game = Timed("plateau", 2, "wait")
    game.agree("pause", "PT5M")
    game.do(proposals.propose(game.game, 0, "resume"))
    game.now += 5 * MINUTE
    game.do(timeouts.resume(game.game, game.now), 0)
    assert game.records[-2].type == "proposal_closed"
    ended(game)


def test_a_claim_and_the_loss_on_time_that_follows_verify():
    game = Timed("plateau", 2, "wait")
    (waiting,) = game.game.waiting_for
    assert game.late() is None
    game.do(timeouts.claim(game.game, 1 - waiting, game.now), 0)
    game.do(timeouts.lose_late(game.game, waiting), 0)
    report = game.report()
    assert (report.fault, report.unchecked, game.game.status) == (None, (), "finished")
    assert (game.game.outcome.reason, game.game.outcome.winners) == ("time", (1 - waiting,))
    assert not [record for record in game.records if record.type == "resigned"]


def test_actions_taken_back_verify():
    game = Timed("plute", 6, "bot")
    for _ in range(3):
        game.act()
    last = game.records[-1].seat
    game.do(proposals.propose(game.game, last, "take_back"))
    game.do(proposals.vote(game.game, (last + 1) % 6, game.game.proposals[0].id, accept=False))
    game.agree("take_back", None, game.game.positions[0].version)
    assert "taken_back" in ended(game)


def test_players_who_leave_and_seats_that_change_before_the_start_verify():
    new = seating.NewGame(
        id="gm_left",
        ruleset=RULESETS["le-plateau"],
        options=RULESETS["le-plateau"].options.complete({}, 3),
        visibility="public",
        sandbox=False,
        creator="pl_0",
        sitters=("pl_0", None, None),
    )
    steps = [written(None, None, None, seating.create(new, bytes(32)))]

    def then(decide, *given):
        steps.append(written(steps[-1].game, None, None, decide(steps[-1].game, *given)))

    then(seating.join, "pl_1", 2, "a seed")
    then(seating.leave, "pl_1", 2)
    then(seating.put_bot, "pl_0", 1, "random")
    then(seating.join, "pl_1", 2, "another seed")
    then(proposals.propose, 0, "abort")
    proposal = steps[-1].game.proposals[0].id
    steps.append(written(steps[-1].game, None, None, proposals.vote(steps[-1].game, 2, proposal, accept=True)))
    assert_verified(steps)
    report = judged(bundle_of(steps), Known(seeds=((2, "a seed"),)))
    assert (report.fault.version, report.fault.field) == (6, "/data/client_seed")


@pytest.mark.parametrize("reason", ["cancelled", "expired", "abandoned", "declined"])
def test_a_game_that_never_started_verifies(reason):
    (created, *_) = played("plateau", 2, 0)
    aborted = written(created.game, None, None, seating.abort(created.game, reason))
    assert_verified([created, aborted])


def test_a_game_that_was_left_verifies():
    steps = played("plateau", 2, 0)[:-3]
    assert_verified([*steps, written(steps[-1].game, None, None, timeouts.abandon(steps[-1].game))])


def test_a_game_that_ended_because_nobody_claimed_a_timeout_verifies():
    game = Timed("plateau", 2, "wait")
    game.do(timeouts.abandon(game.game))
    assert (game.report().fault, game.game.aborted_because) == (None, "idle")


def test_a_game_whose_log_is_full_verifies_and_cannot_have_ended_so_before(monkeypatch):
    steps = played("plute", 6, 0)[:30]
    monkeypatch.setattr(aggregate, "MOST_EVENTS", steps[-1].game.version + 1)
    game = steps[-1].game
    seat = min(game.pending)
    action = game.ruleset.legal_actions(game.state, seat)[0]
    last = written(game, seat, action, aggregate.bounded(game, aggregate.act(game, seat, action)))
    assert last.game.aborted_because == "endless"
    assert_verified([*steps, last])
    monkeypatch.undo()
    fault = judged(bundle_of([*steps, last])).fault
    assert (fault.version, fault.field) == (last.game.version, "/data/reason")


@pytest.mark.parametrize(("bots", "on_timeout"), [((), "bot"), ((), "resign"), ((0, 1), "wait")])
def test_a_game_cannot_end_as_idle_while_the_service_had_something_to_do(bots, on_timeout):
    game = Timed("plateau", 2, on_timeout, bots)
    game.do(aggregate.settled(game.game, [ev.GameAborted("idle", game.game.secret.hex())]))
    assert game.report().fault.version == game.game.version


def test_one_who_knows_their_seed_and_the_head_before_it_finds_them():
    bundle = bundle_of(played("plateau", 2, 0))
    heads = [(event["version"], event["hash"]) for event in bundle.events]
    known = Known(seeds=((0, "seed 0"),), seen=(heads[-1],), joined_after=(heads[0],))
    assert judged(bundle, known) == judged(bundle)
    told = judged(bundle, Known(seeds=((1, "nothing"),), joined_after=(heads[0],)))
    assert told.fault.version == 3


def test_what_came_between_the_head_seen_and_the_join_is_named():
    bundle = bundle_of(played("plute", 6, 0))
    first = bundle.events[0]
    report = judged(bundle, Known(seeds=((2, "seed 2"),), joined_after=((1, first["hash"]),)))
    assert report.fault is None
    assert [line.split(" came")[0] for line in report.unchecked] == ["version 2 (seat_taken)", "version 3 (seat_taken)"]


def test_what_the_operator_does_verifies_and_an_end_by_them_needs_the_act():
    game = Timed("plute", 6, "bot")
    game.do(operating.replace(game.game, 2, "random", "gone for good"))
    game.do(operating.abort(game.game, "stuck"))
    report = game.report()
    assert (report.fault, report.unchecked) == (None, ())
    assert [record.type for record in game.records][-4:] == [
        "operator_acted",
        "bot_seated",
        "operator_acted",
        "game_aborted",
    ]
    bundle = copy_of(bundle_of_records(game))
    del bundle.events[-2]
    assert judged(forged(bundle, game.game)).fault.version == len(bundle.events)


def test_a_join_that_names_a_head_must_follow_that_event():
    game = Timed("plateau", 2, "bot", open_seats=(1,))
    game.do(seating.join(game.game, "pl_1", 1, "a seed of my own", game.game.head))
    game.agree("abort")
    report = game.report()
    assert (report.fault, report.unchecked) == (None, ())
    bundle = copy_of(bundle_of_records(game))
    joined = next(event for event in bundle.events if event["data"].get("joined_after"))
    joined["data"]["joined_after"] = bundle.events[0]["hash"]
    fault = judged(forged(bundle, game.game)).fault
    assert (fault.version, fault.field) == (joined["version"], "/data/joined_after")


def bundle_of_records(game):
    return read(bundles.written(game.game, game.records))
