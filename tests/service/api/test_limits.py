"""What counts against which limit, and how much room is left: responses say so before it is reached and when it is."""

import re
from collections.abc import Callable
from unittest.mock import Mock

import pytest
import redis
from werkzeug.test import TestResponse

from service.accounts.limits import LIMITS
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
