"""Making invitations, reading what became of them, and a process that ends in between."""

import pytest

from tests.service.api.api_client import ME, OPEN
from tests.service.api.test_clocks import Time
from tests.service.api.test_seat_tokens import refused

GAME = {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN], "visibility": "private"}
NOBODYS = "a" * 26
LINK = {"link": True}


class Ticking(Time):
    """A time in which no two moments are the same."""

    def __call__(self):
        """Go on by a millisecond."""
        self.ms += 1
        return super().__call__()


def new_game(person, **wish):
    made = person.post("/v1/games", GAME | wish)
    assert made.status_code == 201
    return f"/v1/games/{made.json['id']}"


def invited(person, game, **wish):
    """Make an invitation; return it as it was answered."""
    made = person.post(f"{game}/invitations", wish)
    assert made.status_code == 201, made.json
    return made.json


def linked(person, game, **wish):
    """Make a link; return where it leads to."""
    return invited(person, game, **LINK, **wish)["url"]


def statuses(person, game):
    found = person.get(f"{game}/invitations")
    assert found.status_code == 200
    return [each["status"] for each in found.json["items"]]


def gone(answer):
    refused(answer, 404, "no-such-invitation")


def crash_before(monkeypatch, place, request):
    """Send a request, and let the process end, as it were, right before it calls a method."""

    def end(*_args, **_kwargs):
        raise SystemExit

    with monkeypatch.context() as crashing:
        crashing.setattr(place, end)
        with pytest.raises(SystemExit):
            request()
