"""Attack: whoever runs the service holds a join back, reads its seed, and has a puppet try seeds for the deal."""

from itertools import count

from domain.chance import Chance
from domain.log.secrets import of_deals
from tests.support.people import ME, OPEN, head_of

HONEST, PUPPET = 1, 2


def test_a_join_that_was_held_back_while_seeds_were_tried_does_not_count(server, ada, bob):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN]}).json
    path, puppet = f"/v1/games/{game['id']}", server.newcomer("Cleo")
    puppet.post(f"{path}/seats", {"seat": PUPPET})
    held_back = ({"seat": HONEST, "client_seed": "luck"}, head_of(bob, path))

    tried = seed_that_makes_a_dealer(server, game["id"], held_back[0]["client_seed"])
    puppet.delete(f"{path}/seats/{PUPPET}")
    again = puppet.post(f"{path}/seats", {"seat": PUPPET, "client_seed": tried}, If_Match=head_of(puppet, path))
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
        each for each in tries if Chance(of_deal, game_id, (None, honest, each)).below("first_dealer", 1, 3) == PUPPET
    )
