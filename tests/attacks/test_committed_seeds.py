"""Attack: the operator, with a puppet in the last seat, tries to choose the deal.

The operator holds a join back, reads its seed, and has a puppet try seeds for the deal.
"""

from itertools import count

import pytest

from domain.audit.bundle import read
from domain.audit.verifying import Known, verify
from domain.chance import Chance
from domain.game import opening, seating
from domain.game.durations import SECOND
from domain.game.seeds import commitment_to
from domain.log.secrets import of_deals
from tests.support.bundles import copy_of, forged, over, written
from tests.support.people import ME, OPEN, head_of
from tests.support.seeded_games import SECRET, Seeded

HONEST, PUPPET, SEATS = 0, 1, 2
HONEST_SEED = "a seed that nobody can guess"


def dealer(seeds):
    """Return who would deal first: what the puppet wants to choose."""
    return Chance(of_deals(SECRET, "gm_seeded").of(1), "gm_seeded", seeds).below("first_dealer", 1, SEATS)


def all_seated(seeds):
    game = Seeded(SEATS)
    for seat, seed in enumerate(seeds):
        game.commit(seat, seed)
    return game


def test_a_puppet_that_joins_last_sees_nothing_that_it_could_fit_a_seed_to(server, ada, bob):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [OPEN, OPEN]}).json
    path = f"/v1/games/{game['id']}"
    sealed = commitment_to(HONEST_SEED, game["id"], bob.id)
    assert bob.post(f"{path}/seats", {"seed_commitment": sealed}, If_Match=head_of(bob, path)).status_code == 201
    assert HONEST_SEED not in str(server.contents())
    puppet = server.newcomer("Cleo")
    taken = puppet.post(f"{path}/seats", {"client_seed": "the best of many"}, If_Match=head_of(puppet, path))
    assert [event["type"] for event in taken.json["events"]] == ["seat_taken", "seeds_awaited"]
    assert HONEST_SEED not in str(server.contents())
    for late in ({"client_seed": "another"}, {"client_seed": "another", "seat": 1}):
        assert puppet.post(f"{path}/seeds", late).status_code == 409
    bob.post(f"{path}/seeds", {"client_seed": HONEST_SEED})
    assert bob.get(f"{path}/audit").json["seeds"] == [HONEST_SEED, "the best of many"]


def test_a_puppet_cannot_open_another_seed_than_the_one_it_chose_before(server):
    """After it knows the honest seed, no other seed than its own fits; and it had chosen that one blindly."""
    game = all_seated((HONEST_SEED, "blind choice"))
    game.open(HONEST, HONEST_SEED)
    wanted = next(
        f"try {n}" for n in range(100) if dealer((HONEST_SEED, f"try {n}")) != dealer((HONEST_SEED, "blind choice"))
    )
    with pytest.raises(ValueError, match="committed to"):
        opening.open_seed(game.game, PUPPET, wanted)
    bundle = copy_of(read(written(over_with(game, "blind choice").game, game.records)))
    next(e for e in bundle.events if e["type"] == "seed_opened" and e["seat"] == PUPPET)["data"]["client_seed"] = wanted
    fault = verify(forged(bundle, game.game)).fault
    assert fault.field == "/data/client_seed"


def over_with(game, seed):
    game.open(PUPPET, seed)
    return over(game)


def test_a_server_that_opens_somebodys_seed_wrongly_is_found_by_that_player():
    """It exchanges the commitment, too: the log agrees with itself, but not with what the player knows."""
    game = all_seated(("the server's choice", "blind choice"))
    game.open(HONEST, "the server's choice")
    bundle = read(written(over_with(game, "blind choice").game, game.records))
    assert verify(bundle).fault is None
    fault = verify(bundle, Known(seeds=((HONEST, HONEST_SEED),))).fault
    assert (fault.version, fault.field) == (2, "/data/seed_commitment")


def test_seeds_fixed_only_after_mine_was_opened_contradict_the_head_that_i_saw():
    """The server says that all are seated, gets the seed, and shows another log with a puppet that came later."""
    shown = all_seated((HONEST_SEED, "blind choice"))
    seen = shown.records[-1]
    best = next(f"try {n}" for n in range(100) if dealer((HONEST_SEED, f"try {n}")) == PUPPET)
    rewritten = all_seated((HONEST_SEED, best))
    rewritten.open(HONEST, HONEST_SEED)
    bundle = read(written(over_with(rewritten, best).game, rewritten.records))
    mine = Known(seeds=((HONEST, HONEST_SEED),), opened_after=((seen.version, seen.hash),))
    assert verify(bundle, mine).fault.version == seen.version
    early = Known(opened_after=((2, rewritten.records[1].hash),))
    assert verify(bundle, early).fault.field == "/version"


def test_withholding_an_opening_leaves_each_puppet_two_choices_and_is_named():
    """What docs/verification.md says is left: with or without each seed of theirs, and nothing else."""
    chosen = set()
    for opens in (True, False):
        game = all_seated((HONEST_SEED, "blind choice"))
        game.open(HONEST, HONEST_SEED)
        if opens:
            game.open(PUPPET, "blind choice")
        else:
            game.close()
        chosen.add(game.game.draws.seeds)
        report = verify(read(written(over(game).game, game.records)))
        assert report.fault is None
        assert any("seat 1 was left out" in line for line in report.unchecked) is not opens
    assert chosen == {(HONEST_SEED, "blind choice"), (HONEST_SEED, None)}


def test_with_abort_withholding_chooses_no_deal():
    game = Seeded(SEATS, chosen=("PT10S", "abort"))
    game.commit(HONEST, HONEST_SEED)
    game.commit(PUPPET, "blind choice")
    game.open(HONEST, HONEST_SEED)
    game.close()
    assert (game.game.status, game.game.state) == ("aborted", None)
    assert "hand_dealt" not in game.types


def test_a_puppet_cannot_change_seats_once_it_knows_a_seed():
    game = all_seated((HONEST_SEED, "blind choice"))
    game.open(HONEST, HONEST_SEED)
    for change in (
        lambda: seating.leave(game.game, "pl_1", PUPPET),
        lambda: seating.put_bot(game.game, "pl_1", PUPPET, "random", now=game.now + SECOND),
    ):
        with pytest.raises(Exception, match="opening their seeds"):
            change()


MIDDLE, LAST = 1, 2


def test_a_join_that_was_held_back_while_seeds_were_tried_does_not_count(server, ada, bob):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN]}).json
    path, puppet = f"/v1/games/{game['id']}", server.newcomer("Cleo")
    puppet.post(f"{path}/seats", {"seat": LAST})
    held_back = ({"seat": MIDDLE, "client_seed": "luck"}, head_of(bob, path))

    tried = seed_that_makes_a_dealer(server, game["id"], held_back[0]["client_seed"])
    puppet.delete(f"{path}/seats/{LAST}")
    again = puppet.post(f"{path}/seats", {"seat": LAST, "client_seed": tried}, If_Match=head_of(puppet, path))
    assert again.status_code == 201

    let_through = bob.post(f"{path}/seats", held_back[0], If_Match=held_back[1])
    assert (let_through.status_code, let_through.json["code"]) == (412, "head-changed")
    assert bob.post(f"{path}/seats", {"client_seed": "other luck"}, If_Match=head_of(bob, path)).status_code == 201
    events = ada.get(f"{path}/events").json["events"]
    hashes = [event["hash"] for event in events]
    bound = {event["data"]["client_seed"]: event for event in events if "joined_after" in event["data"]}
    assert list(bound) == [tried, "other luck"]
    assert [each["data"]["joined_after"] for each in bound.values()] == [
        hashes[each["version"] - 2] for each in bound.values()
    ]


def seed_that_makes_a_dealer(server, game_id, honest):
    """Return a seed with which the puppet would deal first: the secret and the honest seed are known."""
    created = server.store.read(game_id, limit=1)[0].whole_data()
    secret = bytes.fromhex(created["secret"])
    tries, of_deal = (f"try {number}" for number in count()), of_deals(secret, game_id).of(1)
    return next(
        each for each in tries if Chance(of_deal, game_id, (None, honest, each)).below("first_dealer", 1, 3) == LAST
    )
