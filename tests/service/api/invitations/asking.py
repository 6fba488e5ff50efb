"""Making invitations, reading what became of them, and a process that ends in between."""

import pytest

from tests.support.people import ME, OPEN, Time, refused

GAME = {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN], "visibility": "private"}
NOBODYS = "a" * 26
LINK = {"link": True}


class Ticking(Time):
    """A time in which no two moments are the same."""

    def __call__(self):
        """Advance by a millisecond."""
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


DUEL = {"ruleset": "plateau", "seats": [ME, OPEN]}


def over(creator, *others, **wish):
    """Play a game of Plateau to its end; return its path."""
    game = f"/v1/games/{creator.post('/v1/games', DUEL | wish).json['id']}"
    for person in others:
        invited(creator, game, player=person.id)
        assert person.post(f"{game}/seats").status_code == 201
    assert creator.post(f"{game}/resign", {"confirm": True}).status_code == 201
    return game


def again(person, game):
    """Propose a rematch, or accept; return the new game's path and the whole answer."""
    answer = person.post(f"{game}/rematch", {})
    assert answer.status_code == 201, answer.json
    return f"/v1/games/{answer.json['game']['id']}", answer.json
