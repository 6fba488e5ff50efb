"""What of a game its players hear of: each kind of notice when it should come, and to whom.

A notice says nothing that its player cannot see: it follows from their views before and after the step alone.
"""

import random

import pytest

from domain.game import aggregate, proposals, seating, timeouts
from domain.game.durations import DAY, HOUR, instant, moment
from domain.le_plateau.actions import Pass
from service.games.plans.planning import of_dropped_plan
from service.games.projections import representations
from service.inbox.notices import occasions
from tests.support.random_games import played
from tests.support.sampling import OUTERMOST
from tests.support.timed_games import START, Played, clock

RULE = clock(per_move="P3D")


class Heard:
    """A game that is played on, and what its players hear of each step."""

    def __init__(self, rule=RULE, *sitters, **more):
        self.played = Played(rule, *sitters, **more)

    @property
    def game(self):
        return self.played.game

    def after(self, ms, step, by=""):
        """List the notices of a step: kind, player, data."""
        before = self.game
        self.played.then(ms, step)
        found = occasions(before, self.game, by)
        assert {(each.game_id, each.version, each.at) for each in found} <= {("gm_1", self.game.version, self.game.at)}
        return [(each.kind, each.player, each.data) for each in found if each.is_news]

    def passing(self, ms, by="itself"):
        """List the notices when the seat to act passes, on request of its player or of somebody else."""
        (seat,) = self.game.pending
        by = self.game.sitters[seat].player if by == "itself" else by
        return self.after(ms, aggregate.act(self.game, seat, Pass()), by)


def turn(game, seat, days=3):
    return {
        "seat": seat,
        "decision_id": f"d{game.version}_{seat}",
        "deadline": moment(instant(game.at) + days * DAY),
    }


def test_all_hear_of_the_start_and_the_first_to_act_of_their_turn():
    game = Played(RULE).game
    assert [(each.kind, each.player, each.data) for each in occasions(None, game, "")] == [
        ("game_started", "pl_a", {"seat": 0}),
        ("game_started", "pl_b", {"seat": 1}),
        ("game_started", "pl_c", {"seat": 2}),
        ("your_turn", "pl_a", turn(game, 0)),
    ]


def test_the_player_who_started_the_game_is_only_reminded_of_their_turn():
    found = [(each.kind, each.player, each.is_news) for each in occasions(None, Played(RULE).game, "pl_a")]
    begun = [("game_started", player, True) for player in ("pl_a", "pl_b", "pl_c")]
    assert found == [*begun, ("your_turn", "pl_a", False)]
    without_clock = occasions(None, Played(None).game, "pl_a")
    assert [(each.kind, each.player, each.is_news) for each in without_clock] == begun


def test_nobody_hears_of_an_open_game():
    heard = Heard(RULE, "pl_a", None, None)
    assert occasions(None, heard.game, "") == []
    assert heard.after(1, seating.join(heard.game, "pl_b", 1, None)) == []
    assert [kind for kind, *_ in heard.after(2, seating.join(heard.game, "pl_c", 2, None))][:3] == ["game_started"] * 3


def test_each_player_hears_when_their_turn_comes():
    heard = Heard()
    assert heard.passing(HOUR) == [("your_turn", "pl_b", turn(heard.game, 1))]
    assert heard.passing(2 * HOUR) == [("your_turn", "pl_c", turn(heard.game, 2))]


def test_a_dropped_plan_is_described_by_the_turn_that_it_did_not_fit():
    heard = Heard()
    heard.passing(HOUR)
    (dropped,) = of_dropped_plan(heard.game, 1, "pl_b")
    assert (dropped.kind, dropped.player, dropped.data) == ("plan_dropped", "pl_b", turn(heard.game, 1))


def test_a_turn_without_a_clock_has_no_deadline():
    heard = Heard(None)
    ((kind, player, data),) = heard.passing(HOUR)
    assert (kind, player, data["deadline"]) == ("your_turn", "pl_b", None)


def test_nobody_hears_of_a_turn_that_their_own_action_brings():
    heard, rng = Heard(hands=3), random.Random(1)
    while True:
        before, (seat,) = heard.game, heard.game.pending
        action = rng.choice(before.ruleset.legal_actions(before.state, seat))
        mine = heard.after(before.version, aggregate.act(before, seat, action), before.sitters[seat].player)
        if set(heard.game.pending) == {seat}:
            break
        assert [kind for kind, *_ in mine] == ["your_turn"]
    assert mine == []
    by_bot = [(each.kind, each.player, each.data) for each in occasions(before, heard.game, "")]
    assert by_bot == [("your_turn", heard.game.sitters[seat].player, turn(heard.game, seat))]


def test_bots_and_the_player_of_a_sandbox_hear_of_nothing():
    assert occasions(None, Played(RULE, "pl_a", "pl_a", "pl_a", sandbox=True).game, "") == []
    with_bots = Played(RULE, "pl_a", None, None, bots=((1, "random"), (2, "random")))
    assert {each.player for each in occasions(None, with_bots.game, "")} == {"pl_a"}
    heard = Heard(RULE, "pl_a", None, None, bots=((1, "random"), (2, "random")))
    assert heard.passing(1) == []


def test_those_who_have_not_voted_hear_of_a_proposal_once():
    heard = Heard()
    made = heard.after(1, proposals.propose(heard.game, 1, "pause", "P2D"), "pl_b")
    what = {
        "proposal": heard.game.proposals[0].id,
        "kind": "pause",
        "seat": 1,
        "by": "pl_b",
        "duration": "P2D",
        "to_version": None,
    }
    assert made == [("proposal_made", "pl_a", what), ("proposal_made", "pl_c", what)]
    assert heard.after(2, proposals.vote(heard.game, 0, what["proposal"], accept=True), "pl_a") == []


def test_a_proposed_take_back_says_how_far_it_goes_back():
    heard = Heard()
    (seat,), first = heard.game.pending, heard.game.version
    heard.passing(1)
    made = heard.after(2, proposals.propose(heard.game, seat, "take_back", to_version=first), "pl_a")
    assert [(kind, data["to_version"], data["duration"]) for kind, _, data in made] == [
        ("proposal_made", first, None)
    ] * 2


def test_a_proposal_that_nobody_must_vote_on_is_no_news():
    heard = Heard(RULE, "pl_a", None, None, bots=((1, "random"), (2, "random")))
    assert heard.after(1, proposals.propose(heard.game, 0, "pause", "P2D"), "pl_a") == []
    assert heard.game.status == "paused"


def test_when_a_pause_ends_the_turn_is_news_again_but_not_to_who_ended_it():
    paused = []
    for _ in range(2):
        heard = Heard()
        heard.after(1, proposals.propose(heard.game, 1, "pause", "P2D"), "pl_b")
        proposal = heard.game.proposals[0].id
        for number, seat in enumerate((0, 2)):
            step = proposals.vote(heard.game, seat, proposal, accept=True)
            assert heard.after(HOUR + number, step, "pl_x") == []
        paused.append(heard)
    by_time, agreed = paused
    ((kind, player, data),) = by_time.after(3 * DAY, timeouts.resume(by_time.game, START + 3 * DAY))
    assert (kind, player, data["seat"]) == ("your_turn", "pl_a", 0)
    assert instant(data["deadline"]) < instant(by_time.game.at) + 3 * DAY, "the time used before the pause counts"
    proposed = agreed.after(2 * HOUR, proposals.propose(agreed.game, 1, "resume"), "pl_b")
    assert [(kind, player) for kind, player, _ in proposed] == [("proposal_made", "pl_a"), ("proposal_made", "pl_c")]
    proposal = agreed.game.proposals[0].id
    agreed.after(2 * HOUR + 1, proposals.vote(agreed.game, 2, proposal, accept=True), "pl_c")
    assert agreed.after(2 * HOUR + 2, proposals.vote(agreed.game, 0, proposal, accept=True), "pl_a") == []


def test_credited_time_is_no_news():
    heard = Heard()
    assert heard.after(DAY, timeouts.credit(heard.game, [(START + HOUR, START + 2 * HOUR)])) == []


def test_all_hear_how_a_cancelled_game_ended_also_a_creator_without_a_seat():
    heard = Heard(RULE, None, "pl_b", None)
    how = {"status": "aborted", "reason": "cancelled"}
    assert heard.after(1, seating.abort(heard.game, "cancelled"), "pl_a") == [
        ("game_ended", "pl_b", how),
        ("game_ended", "pl_a", how),
    ]


def test_all_hear_once_that_a_game_is_finished_also_who_finished_it():
    heard = Heard(hands=3)
    while heard.game.status == "active":
        seat = min(heard.game.pending)
        action = heard.game.ruleset.legal_actions(heard.game.state, seat)[-1]
        last = heard.after(heard.game.version, aggregate.act(heard.game, seat, action), heard.game.sitters[seat].player)
    how = {"status": "finished", "reason": heard.game.outcome.reason}
    assert last == [("game_ended", player, how) for player in ("pl_a", "pl_b", "pl_c")]


def seen(game, seat):
    """Return what the player on a seat sees of a game."""
    return None if game is None else representations.view(game, seat)


def expected(before, after, seat, player):
    """Return the notices to a player by what they see before and after a step that somebody else brought about."""
    status = "open" if before is None else before["game"]["status"]
    is_at_table = any(each["player"] == player for each in after["game"]["seats"])
    if status == "open" and after["game"]["status"] != "open" and is_at_table:
        yield "game_started", {"seat": seat}
    if after["game"]["status"] == "finished" and status != "finished":
        yield "game_ended", {"status": "finished", "reason": after["game"]["outcome"]["reason"]}
    known = [each["id"] for each in before["proposals"]] if before else []
    for made in after["proposals"]:
        if made["id"] not in known and seat not in made["accepted"]:
            by = after["game"]["seats"][made["seat"]]["player"]
            what = {"proposal": made["id"], "kind": made["kind"], "seat": made["seat"], "by": by}
            yield "proposal_made", {**what, "duration": made["duration"], "to_version": made.get("to_version")}
    if seat in after["waiting_for"]:
        was_waited_for = before is not None and seat in before["waiting_for"]
        if not (was_waited_for and before["decision"] == after["decision"]):
            decision = after["decision"]
            yield "your_turn", {"seat": seat, "decision_id": decision["id"], "deadline": decision["deadline"]}


@pytest.mark.parametrize(("ruleset_id", "seats"), OUTERMOST)
def test_notices_follow_from_what_their_player_sees(ruleset_id, seats):
    told = 0
    for step in played(ruleset_id, seats, 0):
        views = {seat: (seen(step.before, seat), seen(step.game, seat)) for seat in range(seats)}
        for seat, sitter in enumerate(step.game.sitters):
            if sitter is not None:
                wanted = list(expected(*views[seat], seat, sitter.player))
                found = [each for each in occasions(step.before, step.game, "") if each.player == sitter.player]
                assert [(each.kind, each.data) for each in found] == wanted
                mine = occasions(step.before, step.game, sitter.player)
                calls = ("your_turn", "proposal_made")
                assert [each for each in mine if each.player == sitter.player] == [
                    each for each in found if each.kind not in calls
                ]
                told += len(found)
    assert told > seats
