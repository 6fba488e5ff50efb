"""A bot's seed is that of the version at which it was asked, whatever comes in before its move is written."""

import shutil
from dataclasses import replace

from domain.audit.bundle import read
from domain.game.bot_seeds import is_seed_of
from service.games.commands import Act, Propose, Vote, bot_caller
from service.games.store_audit import StoreAudit
from tests.support.bundles import judged, written
from tests.support.games import ADA, BOB, wish
from tests.web.verifier import verdicts
from workers import choosing


def test_a_move_of_a_bot_that_a_proposal_overtook_verifies(house, policy_process, tmp_path):
    game_id = house.begin("me", "random", None)
    house.games.join(game_id, BOB, wish())
    act_once(house, game_id)
    asked = house.game(game_id)
    (seat,) = asked.pending
    chosen = choosing.choice(asked, seat, "random", policy_process)
    house.games.do(game_id, Propose(caller=ADA, seat=0, kind="pause"))
    decision = asked.decision_id(seat)
    move = Act(caller=bot_caller(seat), seat=seat, action=chosen.action, decision=decision, by_bot=chosen.by)
    house.games.do(game_id, move)
    first = house.store.read(game_id, asked.version + 1)[0]
    assert (first.bot or {})["name"] == "random"
    assert StoreAudit(house.store).check(game_id).fault is None
    house.games.do(game_id, Propose(caller=ADA, seat=0, kind="abort"))
    proposal = house.game(game_id).proposals[-1].id
    house.games.do(game_id, Vote(caller=BOB, seat=2, proposal=proposal, accept=True))
    bundle = written(house.game(game_id), house.store.read(game_id))
    assert judged(read(bundle)).fault is None
    if shutil.which("node"):
        assert verdicts(tmp_path, {"game": bundle})["game"]["fault"] is None


def test_a_seed_that_the_bot_could_not_have_is_found(house, policy_process):
    game_id = house.begin("me", "random", ruleset="plateau")
    act_once(house, game_id)
    game = house.game(game_id)
    (seat,) = game.pending
    by = choosing.choice(game, seat, "random", policy_process).by
    wrong = replace(by, thought=replace(by.thought, seed=by.thought.seed ^ 1))
    assert is_seed_of(game, seat, by)
    assert not is_seed_of(game, seat, wrong)
    house.games.do(game_id, Act(caller=bot_caller(seat), seat=seat, action=first_legal(game, seat), by_bot=wrong))
    fault = StoreAudit(house.store).check(game_id).fault
    assert fault is not None
    assert (fault.version, fault.field) == (game.version + 1, "/bot/thought/seed")


def act_once(house, game_id):
    game = house.game(game_id)
    house.games.do(game_id, Act(caller=ADA, seat=0, action=first_legal(game, 0)))


def first_legal(game, seat):
    return next(iter(game.ruleset.legal_actions(game.state, seat)))
