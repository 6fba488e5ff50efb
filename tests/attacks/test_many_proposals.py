"""A player whose only company is bots pauses and resumes, or two who agree propose and decline, without end."""

from service.accounts.limits import DEFAULTS
from tests.support.people import ME, assert_limited, limited


def propose_on(person, path, times):
    """Pause and resume; return the first answer that refuses to."""
    for number in range(times):
        made = person.post(f"{path}/proposals", {"kind": ("pause", "resume")[number % 2]})
        if made.status_code != 201:
            return made
    return None


def test_a_log_grows_by_no_more_than_the_proposals_of_its_players(redis_url):
    with limited(redis_url, DEFAULTS) as server:
        ada = server.newcomer("Ada")
        game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, {"bot": "random"}]}).json
        path = f"/v1/games/{game['id']}"
        assert_limited(propose_on(ada, path, 500), "proposals")
        grown = ada.get(path).json["version"]
        assert grown <= game["version"] + 3 * DEFAULTS["proposals"]
        assert_limited(propose_on(ada, path, 500), "proposals")
        assert ada.get(path).json["version"] == grown


def test_a_seat_at_its_limit_may_still_vote_and_others_may_propose(redis_url):
    with limited(redis_url, {"proposals": 2}) as server:
        ada, bob = server.newcomer("Ada"), server.newcomer("Bob")
        path = server.table([ada, bob]).path
        for _ in range(2):
            made = ada.post(f"{path}/proposals", {"kind": "pause"}, Idempotency_Key="k")
            proposal = made.json["events"][0]["data"]["proposal"]
            bob.post(f"{path}/proposals/{proposal}/votes", {"accept": False})
        assert made.status_code == 201
        ada.post(f"{path}/proposals", {"kind": "pause"})
        bob.post(f"{path}/proposals/p{bob.get(path).json['version']}/votes", {"accept": False})
        assert_limited(ada.post(f"{path}/proposals", {"kind": "pause"}), "proposals")
        assert ada.post(f"{path}/proposals", {"kind": "pause"}, Idempotency_Key="k").data == made.data
        asked = bob.post(f"{path}/proposals", {"kind": "pause"}).json["events"][0]["data"]["proposal"]
        assert ada.post(f"{path}/proposals/{asked}/votes", {"accept": False}).status_code == 201
