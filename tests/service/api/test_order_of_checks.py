"""A request with two faults is rejected for the earlier one, in the order of the contract:

413, 415, 400 syntax, 401, 404, 403, 400 schema, idempotency, 409 status, 412, 409 turn, 422, 429 for what it would do.
"""

import json
from dataclasses import dataclass, field, replace
from itertools import combinations

import pytest

from service.games.projections.representations import action_data
from tests.support.people import ME, OPEN
from tests.support.random_games import played


@dataclass(frozen=True)
class Request:
    """A request in the making: right in every respect until a fault is put in."""

    method: str
    path: str
    token: str | None
    body: dict
    query: str = ""
    headers: dict = field(default_factory=dict)
    content_type: str = "application/json"
    prefix: bytes = b""
    suffix: bytes = b""

    def send(self, server):
        """Send it; give status and code of the answer."""
        raw = self.prefix + json.dumps(self.body).encode() + self.suffix
        person = server.stranger(self.token)
        answer = person.ask(self.method, self.path + self.query, raw, self.headers, content_type=self.content_type)
        return answer.status_code, answer.json.get("code") if answer.data else None


def with_header(request, name, value):
    return replace(request, headers={**request.headers, name: value})


FAULTS_OF_EVERY_WRITE = {
    "too large": (0, lambda r: replace(r, suffix=b" " * 65_536), (413, "too-large")),
    "not called JSON": (1, lambda r: replace(r, content_type="text/plain"), (415, "not-json")),
    "not JSON": (2, lambda r: replace(r, prefix=b"{"), (400, "not-json")),
    "no token": (3, lambda r: replace(r, token=None), (401, "token-missing")),
    "a bad token": (3, lambda r: replace(r, token="plt_a_b"), (401, "invalid-token")),
}
NO_SUCH_GAME = {"no such game": (4, lambda r: replace(r, path=r.path.replace("/gm_", "/gm_x")), (404, "no-such-game"))}
SCHEMA = {
    "an unknown field": (6, lambda r: replace(r, body={**r.body, "more": 1}), (400, "malformed")),
    "an unknown parameter": (6, lambda r: replace(r, query=r.query + "&colour=red" if r.query else "?colour=red"),
                             (400, "malformed")),
    "a bad key": (6, lambda r: with_header(r, "Idempotency-Key", "k" * 129), (400, "malformed")),
}  # fmt: skip
KEY_REUSED = {"a key used before": (7, lambda r: with_header(r, "Idempotency-Key", "used"), (422, "key-reused"))}


def who_reached_the_limit(person):
    """Put in the fault that the caller has had all that a limit allows."""
    return {"a limit reached": (12, lambda r: replace(r, token=person.token), (429, "limit-reached"))}


def pairs(faults):
    """List every two faults that stand at different places, and each fault by itself."""
    several = [(one, other) for one, other in combinations(faults, 2) if faults[one][0] != faults[other][0]]
    return [*several, *((one, one) for one in faults)]


def check(server, request, faults, one, other):
    """Send both faults, the earlier one last, and check which is reported."""
    earlier, later = sorted((one, other), key=lambda name: faults[name][0])
    assert faults[earlier][1](faults[later][1](request)).send(server) == faults[earlier][2]


def check_all(server, request, faults):
    """Check each pair, and that nothing has changed."""
    before = server.contents()
    for one, other in pairs(faults):
        check(server, request, faults, one, other)
    assert server.contents() == before


# -- actions ------------------------------------------------------------------------------------------------------


class Acting:
    """Requests to act at a table where everyone has bid once, under the key "used"."""

    def __init__(self, server, table):
        self.eve = server.newcomer("Eve").token
        self.table = table
        self.seat = table.to_act
        self.version = table.version
        over = server.table_of_log(played("le-plateau", 3, 0)[:-1])
        last = played("le-plateau", 3, 0)[-1]
        over.act(last.seat, action_data(last.game.ruleset, last.action), Idempotency_Key="used")
        self.over, self.last_seat = over, last.seat

    def request(self):
        """A request that is right."""
        token = self.table.people[self.seat].token
        return Request("POST", f"{self.table.path}/actions", token, {"type": "pass"})

    def by_another_seat(self, request):
        """The request of a seat that is not to act."""
        idle = self.table.people[(self.seat + 1) % 4].token
        return replace(request, token=idle)

    def in_a_finished_game(self, request):
        """The request to act in a game that is over."""
        return replace(request, path=f"{self.over.path}/actions", token=self.over.people[self.last_seat].token)


@pytest.fixture
def acting(server, table):
    """Everyone at the table bids once."""
    for objective in ("bridge", "y", "fork", "five_sides"):
        bid = {"type": "bid", "exchange": True, "objective": objective, "team": "solo"}
        assert table.act(table.to_act, bid, Idempotency_Key="used").status_code == 201
    return Acting(server, table)


def faults_of(acting):
    return {
        **FAULTS_OF_EVERY_WRITE,
        **NO_SUCH_GAME,
        "not seated": (5, lambda r: replace(r, token=acting.eve), (403, "not-seated")),
        **SCHEMA,
        "an unknown action": (6, lambda r: replace(r, body={**r.body, "type": "fly"}), (400, "malformed")),
        "a bad If-Match": (6, lambda r: with_header(r, "If-Match", "x"), (400, "malformed")),
        **KEY_REUSED,
        "the game is over": (8, acting.in_a_finished_game, (409, "game-not-active")),
        "a stale version": (9, lambda r: with_header(r, "If-Match", '"1"'), (412, "stale-version")),
        "a closed decision": (
            9,
            lambda r: replace(r, body={**r.body, "decision_id": "d1_0"}),
            (412, "decision-closed"),
        ),
        "not the turn": (10, acting.by_another_seat, (409, "not-your-turn")),
        "against the rules": (11, lambda r: replace(r, body={**r.body, "type": "keep"}), (422, "wrong-phase")),
    }


@pytest.mark.parametrize("dry_run", [False, True])
def test_an_action_with_two_faults_is_refused_for_the_earlier_one(server, acting, dry_run):
    faults = faults_of(acting)
    for one, other in pairs(faults):
        if dry_run and "a key used before" in (one, other):
            continue
        request = replace(acting.request(), query="?dry_run=true" if dry_run else "")
        check(server, request, faults, one, other)
    assert acting.request().send(server) == (201, None)


def test_another_seat_is_refused_before_the_form_of_the_action_and_after_the_game(server, acting):
    request = replace(acting.request(), query=f"?as={(acting.seat + 1) % 4}")
    faults = faults_of(acting)
    for later in ("an unknown field", "an unknown action", "a key used before", "a stale version", "against the rules"):
        assert faults[later][1](request).send(server) == (403, "not-your-seat")
    for earlier in ("too large", "not called JSON", "not JSON", "no token", "no such game", "not seated"):
        assert faults[earlier][1](request).send(server) == faults[earlier][2]


def test_a_missing_scope_is_refused_after_the_game_and_before_the_form(server, acting):
    reader = server.known(acting.table.people[acting.seat].id, ["games:read"]).token
    faults = faults_of(acting)
    for fault, (place, put_in, answer) in faults.items():
        if fault in ("no token", "a bad token", "not seated", "not the turn", "the game is over"):
            continue
        request = put_in(replace(acting.request(), token=reader))
        assert request.send(server) == (answer if place < 5 else (403, "scope-missing")), fault


# -- seats --------------------------------------------------------------------------------------------------------


def test_a_wish_for_a_seat_with_two_faults_is_refused_for_the_earlier_one(server, ada, bob):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [OPEN] * 4}).json
    path = f"/v1/games/{game['id']}/seats"
    bob.post(path, {"seat": 0}, Idempotency_Key="used")
    bob.delete(f"{path}/0")
    ada.post(path, {"seat": 3})
    reader = server.known(bob.id, ["games:read"]).token
    server.keep_limits(joins=50)
    eve = server.newcomer("Eve")
    eve.post(path, {"seat": 2}, Idempotency_Key="used")
    eve.delete(f"{path}/2")
    while eve.post(path, {"seat": 2}).status_code == 201:
        eve.delete(f"{path}/2")
    faults = {
        **FAULTS_OF_EVERY_WRITE,
        **NO_SUCH_GAME,
        "a missing scope": (5, lambda r: replace(r, token=reader), (403, "scope-missing")),
        **SCHEMA,
        **who_reached_the_limit(eve),
        "no such seat": (6, lambda r: replace(r, body={**r.body, "seat": 4}), (400, "malformed")),
        "a bad head": (6, lambda r: with_header(r, "If-Match", '"1"'), (400, "malformed")),
        **KEY_REUSED,
        "another head": (9, lambda r: with_header(r, "If-Match", f'"{"0" * 64}"'), (412, "head-changed")),
        "a seed alone": (9, lambda r: replace(r, body={**r.body, "client_seed": "luck"}), (428, "head-required")),
        "a seat that is taken": (10, lambda r: replace(r, body={**r.body, "seat": 3}), (409, "seat-taken")),
    }
    request = Request("POST", path, bob.token, {"seat": 1})
    check_all(server, request, faults)
    assert request.send(server) == (201, None)


def test_a_wish_to_leave_with_two_faults_is_refused_for_the_earlier_one(server, ada, bob):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN]}).json
    running = server.table([ada, bob])
    path = f"/v1/games/{game['id']}/seats/0"
    reader = server.known(ada.id, ["games:read"]).token
    faults = {
        **FAULTS_OF_EVERY_WRITE,
        **NO_SUCH_GAME,
        "a missing scope": (5, lambda r: replace(r, token=reader), (403, "scope-missing")),
        "another's seat": (5, lambda r: replace(r, token=bob.token, path=path), (403, "not-your-seat")),
        "an unknown parameter": SCHEMA["an unknown parameter"],
        "a game that runs": (8, lambda r: replace(r, path=f"{running.path}/seats/0"), (409, "game-not-open")),
    }
    request = Request("DELETE", path, ada.token, {})
    check_all(server, request, faults)
    assert request.send(server) == (204, None)


def test_a_wish_to_cancel_with_two_faults_is_refused_for_the_earlier_one(server, ada, bob):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN]}).json
    running = server.table([ada, bob])
    reader = server.known(ada.id, ["games:read"]).token
    faults = {
        **FAULTS_OF_EVERY_WRITE,
        **NO_SUCH_GAME,
        "a missing scope": (5, lambda r: replace(r, token=reader), (403, "scope-missing")),
        "not the creator": (5, lambda r: replace(r, token=bob.token), (403, "not-the-creator")),
        "an unknown parameter": SCHEMA["an unknown parameter"],
        "a game that runs": (8, lambda r: replace(r, path=running.path), (409, "game-not-open")),
    }
    request = Request("DELETE", f"/v1/games/{game['id']}", ada.token, {})
    check_all(server, request, faults)
    assert request.send(server) == (200, None)


# -- games --------------------------------------------------------------------------------------------------------


def test_a_wish_for_a_game_with_two_faults_is_refused_for_the_earlier_one(server, ada):
    body = {"ruleset": "le-plateau", "seats": [ME] * 3, "sandbox": True}
    ada.post("/v1/games", body, Idempotency_Key="used")
    reader = server.known(ada.id, ["games:read"]).token
    server.keep_limits(new_games=50)
    eve = server.newcomer("Eve")
    eve.post("/v1/games", body, Idempotency_Key="used")
    while eve.post("/v1/games", body).status_code == 201:
        pass
    faults = {
        **FAULTS_OF_EVERY_WRITE,
        "a missing scope": (5, lambda r: replace(r, token=reader), (403, "scope-missing")),
        **SCHEMA,
        **who_reached_the_limit(eve),
        "no such option": (6, lambda r: replace(r, body={**r.body, "options": {"more": 1}}), (400, "malformed")),
        **KEY_REUSED,
        "too many seats": (11, lambda r: replace(r, body={**r.body, "seats": [ME] * 7}), (422, "invalid-options")),
        "options that do not fit": (11, lambda r: replace(r, body={**r.body, "options": {"hands": 4}}),
                                    (422, "invalid-options")),
    }  # fmt: skip
    request = Request("POST", "/v1/games", ada.token, {**body, "visibility": "unlisted"})
    for one, other in pairs(faults):
        if (one, other) == ("too many seats", "options that do not fit"):
            continue
        check(server, request, faults, one, other)
    assert request.send(server) == (201, None)
