"""A notice says nothing that its player cannot see: it follows from their views before and after the step alone.

Views do not depend on what is hidden from their viewer (the laws in ``domain.laws``), so neither do the notices.
"""

import pytest

from service.games.projections import representations
from service.inbox.occasions import occasions
from tests.support.random_games import played
from tests.support.sampling import OUTERMOST


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
