"""A game in one file, over HTTP: for whom, what is in it, and that its scenes are those of the interface."""

import random

import pytest

from service.games.projections import replay_file as recording
from tests.support.one_file import blocks_in, scenes_in
from tests.support.people import ME
from tests.support.random_games import played
from tests.support.sampling import SMALLEST

SAMPLES = 12


def saved(person, path, more=""):
    """Fetch a game in one file; return what is in it."""
    answer = person.get(f"{path}/export?format=html{more}")
    assert answer.status_code == 200
    return blocks_in(answer.text)


@pytest.fixture
def running(server):
    """A game of three in the middle of the play."""
    return server.table_of_log(played("le-plateau", 3, 3)[:-30])


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_once_a_game_is_over_it_has_the_scenes_of_every_viewer(server, stranger, ruleset_id, seats):
    table = server.table_of_log(played(ruleset_id, seats, 0))
    found = saved(stranger, table.path, "&lang=fr")
    assert found["game"]["viewers"] == [*map(str, range(seats)), "spectator", "all"]
    assert found["audit"] == stranger.get(f"{table.path}/export?format=audit").json
    events = stranger.get(f"{table.path}/events?limit=1000&lang=fr").json["events"]
    assert found["game"]["sentences"] == [event["sentence"]["text"] for event in events]
    moves = {event["version"] - 1 for event in events if event["seat"] is not None}
    assert moves <= {0, *found["game"]["versions"]}
    scenes = list(scenes_in(found["game"]))
    for version, viewer, scene in [*random.Random(ruleset_id).sample(scenes, SAMPLES), *scenes[-seats - 2 :]]:
        eyes = "as=spectator&knowledge=full" if viewer == "all" else f"as={viewer}"
        asked = stranger.get(f"{table.path}/scene?at={version}&lang=fr&{eyes}").json
        assert scene == kept(asked, scene)


def kept(shown, scene):
    """Return what a file keeps of a scene as the interface shows it: not the drawing for terminals."""
    kept = {name: shown[name] for name in scene}
    return kept | {"stage": kept["stage"] and {name: part for name, part in kept["stage"].items() if name != "text"}}


def test_names_are_in_it_as_everywhere(finished, stranger):
    found = saved(stranger, finished.path)
    scenes = [scene for _, viewer, scene in scenes_in(found["game"]) if viewer == "spectator"]
    last = stranger.get(f"{finished.path}/scene?as=spectator").json
    assert scenes[-1] == kept(last, scenes[-1])
    assert [seat["name"] for seat in found["game"]["game"]["seats"]] == [
        seat["name"] for seat in stranger.get(finished.path).json["seats"]
    ]


def test_a_seat_that_is_still_free_has_who_took_it_in_the_end(table, ada):
    version, _, first = next(scenes_in(saved(ada, table.path)["game"]))
    assert version == 1
    assert [line["name"].strip("\u2068\u2069") for line in first["seats"]] == ["Ada", "Bob", "Cleo", "Dan"]


def test_while_a_game_continues_it_has_what_the_caller_alone_knows(running, stranger):
    for seat, person in enumerate(running.people):
        found = saved(person, running.path)
        assert found["game"]["viewers"] == [str(seat)]
        assert since_the_last_deal(found["audit"]["events"]) == since_the_last_deal(running.events(seat))
        assert person.get(f"{running.path}/export?format=html&as={1 - seat}").status_code == (403 if seat < 2 else 400)
    assert saved(stranger, running.path)["game"]["viewers"] == ["spectator"]
    seen = saved(running.people[0], running.path, "&as=spectator")["audit"]["events"]
    assert since_the_last_deal(seen) == since_the_last_deal(running.events(None))


def since_the_last_deal(events):
    """Leave out the deals that are over, which are open to everyone who verifies a game."""
    over = max(event["version"] for event in events if event["type"] == "secret_revealed")
    return events[over:]


def test_it_is_a_page_to_be_saved_that_runs_nothing_on_the_service(finished, stranger):
    answer = stranger.get(f"{finished.path}/export?format=html&lang=ja")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="le-plateau-{finished.id}.html"'
    assert answer.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert '<html lang="ja">' in answer.text
    again = stranger.get(f"{finished.path}/export?format=html&lang=ja", If_None_Match=answer.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")


def test_a_game_that_is_too_long_is_refused_with_what_can_be_had(finished, stranger, monkeypatch):
    stops, viewers = len(saved(stranger, finished.path, "&as=1")["game"]["versions"]), len(finished.seats) + 2
    monkeypatch.setattr(recording, "MOST_SCENES", stops * viewers - 1)
    refused = stranger.get(f"{finished.path}/export?format=html")
    assert (refused.status_code, refused.json["code"]) == (422, "too-long")
    assert "as=" in refused.json["detail"]
    assert saved(stranger, finished.path, "&as=1")
    monkeypatch.setattr(recording, "MOST_SCENES", stops - 1)
    assert "as=" not in stranger.get(f"{finished.path}/export?format=html&as=1").json["detail"]


def test_a_game_that_waits_has_its_empty_table_and_a_private_one_is_not_there(ada, bob):
    wish = {"ruleset": "le-plateau", "seats": [ME, {"open": True}], "visibility": "private"}
    path = f"/v1/games/{ada.post('/v1/games', wish).json['id']}"
    assert bob.get(f"{path}/export?format=html").status_code == 404
    scenes = list(scenes_in(saved(ada, path)["game"]))
    assert scenes[-1][2]["title"] == ada.get(f"{path}/scene").json["title"]


def test_a_fork_has_the_scenes_of_what_it_repeats(ada, finished):
    dealt = [event["version"] for event in finished.events(None) if event["type"] == "hand_dealt"]
    path = f"/v1/games/{ada.post(f'{finished.path}/forks', {'at': dealt[-1] + 1}).json['id']}"
    scenes = list(scenes_in(saved(ada, path, "&as=0")["game"]))
    for version, _, scene in random.Random(0).sample(scenes, 4):
        shown = ada.get(f"{path}/scene?as=0&at={version}").json
        assert scene == kept(shown, scene)
    assert len({scene["title"] for _, _, scene in scenes}) > 1
