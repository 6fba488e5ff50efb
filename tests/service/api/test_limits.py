"""What counts against which limit, and how much room is left: responses say so before it is reached and when it is.

An idempotency key is honoured or refused, and never ignored.
"""

import re
from collections.abc import Callable
from unittest.mock import Mock

import pytest
import redis
from werkzeug.test import TestResponse

from service.accounts.limits import LIMITS
from service.api.http.parameters import IDEMPOTENCY_KEY
from tests.support.people import ME, OPEN, Person, Server, assert_limited
from tests.support.random_games import played

MOST = 2
DUEL = {"ruleset": "plateau", "seats": [ME, OPEN]}
LINK = {"link": True}


class Asking:
    """Requests that count against a limit, by their number; whatever they need is made before the limit is kept."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.ada, self.stranger = server.newcomer("Ada"), server.stranger()
        self.guests = [server.newcomer(f"Guest {number}") for number in range(MOST + 1)]
        self.waiting = [f"/v1/games/{self.ada.post('/v1/games', DUEL).json['id']}" for _ in self.guests]
        six = {"ruleset": "plute", "seats": [ME] + [OPEN] * 5}
        self.six = f"/v1/games/{self.ada.post('/v1/games', six).json['id']}"
        self.links = [self.ada.post(f"{self.six}/invitations", LINK).json["url"] for _ in self.guests]
        self.table = server.table([self.ada, self.guests[0]], ruleset="plateau")
        self.over = [server.table_of_log(played("plateau", 2, seed)) for seed in range(MOST + 1)]
        self.turns = [step.game.version for step in played("plateau", 2, 0) if 0 in step.game.pending]
        self.hook = f"/v1/webhooks/{self.ada.post('/v1/webhooks', {'url': 'https://example.com/a'}).json['id']}"

    def join_again(self) -> TestResponse:
        self.guests[0].delete(f"{self.six}/seats/1")
        return self.guests[0].post(f"{self.six}/seats", {"seat": 1})

    def mail(self, person: Person, address: str) -> TestResponse:
        return person.put("/v1/me/mail", {"address": address})

    def hint(self, person: Person, number: int) -> TestResponse:
        return person.post(f"{self.over[0].path}/hints?as=0&at={self.turns[number]}", {})


Row = tuple[str, str, Callable[[Asking, int], TestResponse]]

COUNTED: list[Row] = [
    ("new players", "new-players", lambda a, _: a.stranger.post("/v1/players", {"name": "Zoë"})),
    ("guests by link", "new-players", lambda a, n: a.stranger.post(f"{a.links[n]}/seat", {"name": "Zoë"})),
    ("new games", "new-games", lambda a, _: a.ada.post("/v1/games", DUEL)),
    ("forks", "new-games", lambda a, n: a.ada.post(f"{a.table.path}/forks", {})),
    ("rematches", "new-games", lambda a, n: a.server.known("pl_0").post(f"{a.over[n].path}/rematch", {})),
    ("joins of one game", "joins", lambda a, _: a.join_again()),
    ("proposals", "proposals",
     lambda a, n: a.ada.post(f"{a.table.path}/proposals", {"kind": ("pause", "draw", "abort")[n]})),
    ("invitations", "invitations", lambda a, n: a.ada.post(f"{a.waiting[n]}/invitations", LINK)),
    ("names asked for", "invitations", lambda a, n: a.ada.post(f"{a.waiting[n]}/invitations", {"name": "Nobody"})),
    ("invitations of an address", "invitations-from-address",
     lambda a, n: a.ada.post(f"{a.waiting[n]}/invitations", LINK)),
    ("phrases", "phrases", lambda a, _: a.ada.post(f"{a.table.path}/phrases", {"phrase": "hello"})),
    ("mails to confirm", "confirmations", lambda a, n: a.mail(a.ada, f"ada@{'abc'[n]}.example.org")),
    ("mails to one mailbox", "confirmations-to-mailbox",
     lambda a, n: a.mail(a.guests[n], ("ada@example.org", "Ada+1@EXAMPLE.org", "aDa+2@example.org")[n])),
    ("mails from one address", "confirmations-from-address",
     lambda a, n: a.mail(a.guests[n], f"ada@{'abc'[n]}.example.org")),
    ("tests of a webhook", "webhook-requests", lambda a, _: a.ada.post(f"{a.hook}/test", {})),
    ("hints", "hints", lambda a, n: a.hint(a.ada, n)),
    ("hints from one address", "hints-from-address", lambda a, n: a.hint(a.guests[n], n)),
    ("analyses", "analyses", lambda a, n: a.ada.post(f"{a.over[n].path}/analysis", {})),
    ("analyses from one address", "analyses-from-address",
     lambda a, n: a.guests[n].post(f"{a.over[n].path}/analysis", {})),
]  # fmt: skip
"""What is counted, the limit, and the request of a number."""


@pytest.mark.parametrize(("bucket", "request_"), [row[1:] for row in COUNTED], ids=[row[0] for row in COUNTED])
def test_a_limit_is_reached_by_what_it_counts(
    server: Server, bucket: str, request_: Callable[..., TestResponse]
) -> None:
    asking = Asking(server)
    server.keep_limits(**{bucket: MOST})
    for number in range(MOST):
        answer = request_(asking, number)
        assert answer.status_code in (200, 201, 202, 404, 503), answer.json
        if answer.status_code == 201 and "RateLimit" in answer.headers:
            seconds = LIMITS[bucket].seconds
            assert answer.headers["RateLimit-Policy"] == f'"{bucket}";q={MOST};w={seconds}'
            assert re.fullmatch(rf'"{bucket}";r={MOST - 1 - number};t=\d+', answer.headers["RateLimit"])
    assert_limited(request_(asking, MOST), bucket)


@pytest.mark.parametrize(
    "row", ["new players", "new games", "joins of one game", "proposals", "invitations", "tests of a webhook"]
)
def test_what_is_created_says_how_much_room_is_left(server: Server, row: str) -> None:
    bucket, request_ = next(each[1:] for each in COUNTED if each[0] == row)
    asking = Asking(server)
    server.keep_limits(**{bucket: 3})
    assert request_(asking, 0).headers["RateLimit"].startswith(f'"{bucket}";r=2;t=')


def test_what_has_no_limit_says_nothing_of_room(server: Server) -> None:
    assert "RateLimit" not in server.stranger().post("/v1/players", {"name": "Ada"}).headers


def test_a_creation_is_not_undone_because_its_room_cannot_be_read(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.keep_limits(new_players=3)
    monkeypatch.setattr(
        "limits.strategies.SlidingWindowCounterRateLimiter.get_window_stats", Mock(side_effect=redis.ConnectionError)
    )
    made = server.stranger().post("/v1/players", {"name": "Ada"})
    assert (made.status_code, "RateLimit" in made.headers) == (201, False)


BOT = {"bot": "random"}

HOOK = {"url": "https://example.org/hook", "types": ["invited"]}
ONCE = {"Idempotency_Key": "once"}


@pytest.fixture
def posts(server):
    """Every POST of the interface: its operation by its path."""
    views = server.app.view_functions
    rules = [rule for rule in server.app.url_map.iter_rules() if "POST" in rule.methods]
    return {re.sub(r"<(?:int:)?\w+>", "1", rule.rule): views[rule.endpoint].operation for rule in rules}


def test_every_post_takes_a_key_or_can_be_repeated_or_refuses_it(posts, ada):
    refusing = []
    for path, operation in posts.items():
        answer = ada.post(path, {}, **ONCE)
        if operation.repeats or IDEMPOTENCY_KEY in operation.parameters:
            assert "key-not-taken" not in answer.text, path
        else:
            assert operation.if_lost, path
            refusing.append(path)
            assert answer.status_code == 400, path
            (fault,) = answer.json["errors"]
            assert (fault["pointer"], fault["code"]) == ("Idempotency-Key", "key-not-taken")
    assert sorted(refusing) == [
        "/v1/games/1/seats/1/tokens",
        "/v1/me/tokens",
        "/v1/players",
        "/v1/webhooks/1/deliveries/1/redeliver",
        "/v1/webhooks/1/test",
    ]


def test_a_webhook_is_made_once_with_a_key(ada, bob):
    first = ada.post("/v1/webhooks", HOOK, **ONCE)
    assert first.status_code == 201
    assert ada.post("/v1/webhooks", HOOK, **ONCE).json == first.json
    assert len(ada.get("/v1/webhooks").json["items"]) == 1
    other = ada.post("/v1/webhooks", HOOK | {"types": None}, **ONCE)
    assert (other.status_code, other.json["code"]) == (422, "key-reused")
    assert bob.post("/v1/webhooks", HOOK, **ONCE).json["id"] != first.json["id"]
    assert ada.post("/v1/webhooks", HOOK).json["id"] != first.json["id"]


def test_a_secret_is_changed_once_with_a_key(ada):
    """The receiver has the first secret until it is told another: a change that is repeated must not end it."""
    made = ada.post("/v1/webhooks", HOOK).json
    path = f"/v1/webhooks/{made['id']}/secret"
    first = ada.post(path, {}, **ONCE).json
    assert first["secret"] != made["secret"]
    assert ada.post(path, {}, **ONCE).json == first
    second = ada.post(path, {}, Idempotency_Key="twice").json
    assert second["secret"] != first["secret"]


def test_a_player_is_invited_once_with_a_key_and_a_link_takes_none(ada, bob):
    game = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN]}).json["id"]
    path = f"/v1/games/{game}/invitations"
    first = ada.post(path, {"player": bob.id}, **ONCE)
    assert first.status_code == 201
    assert ada.post(path, {"player": bob.id}, **ONCE).json == first.json
    assert ada.post(path, {"player": bob.id}).json["code"] == "already-invited"
    link = ada.post(path, {"link": True}, **ONCE)
    assert (link.status_code, link.json["errors"][0]["code"]) == (400, "key-not-taken")
    assert len(ada.get(path).json["items"]) == 1


def test_a_guest_takes_a_seat_by_a_link_without_a_key(ada, stranger):
    """The response has the guest's token, which is stored nowhere."""
    game = ada.post("/v1/games", {"ruleset": "plateau", "seats": [OPEN, BOT]}).json["id"]
    url = ada.post(f"/v1/games/{game}/invitations", {"link": True}).json["url"]
    refused = stranger.post(f"{url}/seat", {"name": "Eve"}, **ONCE)
    assert (refused.status_code, refused.json["errors"][0]["code"]) == (400, "key-not-taken")
    assert ada.post(f"{url}/seat", {}, **ONCE).status_code == 201
