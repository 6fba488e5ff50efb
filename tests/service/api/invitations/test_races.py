"""Seats taken at the same time, and after a crash."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from domain.game.durations import MINUTE
from service.games.desk import Desk
from tests.service.api.invitations.asking import LINK, crash_before, gone, invited, linked, new_game, statuses
from tests.support.people import ME, OPEN, Server, refused
from tests.support.stores import BUNDLED, KINDS, empty_store


@pytest.fixture(params=BUNDLED)
def server(request, time, contract):
    """A service that goes by the test's time, on every kind of store."""
    for client in empty_store(request):
        server = Server(client, contract, time)
        yield server
        server.players.close()


@pytest.fixture(params=KINDS[:2])
def two_processes(request, contract):
    """The service twice on one store, each with a cache of its own."""
    for client in empty_store(request):
        servers = [Server(client, contract) for _ in range(2)]
        yield servers
        for server in servers:
            server.players.close()


@pytest.mark.parametrize("who", ["players", "guests"])
def test_of_two_who_take_one_link_at_once_one_gets_the_seat(two_processes, who):
    one, other = two_processes
    ada = one.newcomer("Ada")
    for _ in range(10):
        game = new_game(ada, visibility="public", seats=[ME, *[OPEN] * 4])
        link, start = linked(ada, game), threading.Barrier(2)
        people = [each.newcomer("Zoë") if who == "players" else each.stranger() for each in (one, other)]

        def take(person, link=link, start=start):
            start.wait()
            return person.post(f"{link}/seat", {"name": "Zoë"})

        with ThreadPoolExecutor(2) as threads:
            answers = list(threads.map(take, people))
        assert sorted(answer.status_code for answer in answers) == [201, 404]
        seats = ada.get(game).json["seats"]
        (winner,) = (answer.json["player"] for answer in answers if answer.status_code == 201)
        assert [seat["player"] for seat in seats] == [ada.id, winner, None, None, None]
        assert statuses(ada, game) == ["accepted"]


def test_after_a_crash_a_link_is_its_takers_and_a_minute_later_anyones(monkeypatch, time, ada, bob, cleo, game):
    link = linked(ada, game)
    crash_before(monkeypatch, "service.games.desk.Desk.do", lambda: bob.post(f"{link}/seat"))
    gone(cleo.post(f"{link}/seat"))
    assert statuses(ada, game) == ["accepted"]
    time.ms += MINUTE
    assert statuses(ada, game) == ["open"]
    assert cleo.post(f"{link}/seat").status_code == 201
    gone(bob.post(f"{link}/seat"))


def test_a_seat_that_is_being_taken_by_link_stays_reserved(monkeypatch, ada, bob, cleo, game):
    link = linked(ada, game, seat=1)
    crash_before(monkeypatch, "service.games.desk.Desk.do", lambda: bob.post(f"{link}/seat"))
    assert cleo.post(f"{linked(ada, game)}/seat").json["seat"] == 2
    assert bob.post(f"{link}/seat").json["seat"] == 1


def test_of_two_requests_the_one_that_fails_does_not_open_the_link_again(monkeypatch, server, ada, bob, cleo, game):
    """The other request fails right after this one has taken the seat."""
    made, do = invited(ada, game, **LINK), Desk.do
    joining = server.app.extensions["plateau"].joining

    def then_the_other_fails(desk, game, command, **more):
        answer = do(desk, game, command, **more)
        joining._end_taking(joining._kept.of_game(game.id)[made["id"]], bob.id, accepted=False)
        return answer

    with monkeypatch.context() as racing:
        racing.setattr(Desk, "do", then_the_other_fails)
        assert bob.post(f"{made['url']}/seat").status_code == 201
    assert bob.delete(f"{game}/seats/1").status_code == 204
    assert statuses(ada, game) == ["accepted"]
    gone(cleo.post(f"{made['url']}/seat"))


def test_a_cached_game_does_not_keep_an_invited_player_out_who_left_it_elsewhere(two_processes):
    one, other = two_processes
    ada, bob = one.newcomer("Ada"), one.newcomer("Bob")
    there = other.stranger(bob.token)
    game = new_game(ada)
    made = linked(ada, game)
    assert bob.post(f"{made}/seat").status_code == 201
    assert there.delete(f"{game}/seats/1").status_code == 204
    invited(other.stranger(ada.token), game, player=bob.id)
    assert bob.post(f"{game}/seats").status_code == 201


def test_a_game_that_started_elsewhere_does_not_exist_for_the_invited_any_more(two_processes):
    one, other = two_processes
    ada, bob, cleo = (one.newcomer(name) for name in ("Ada", "Bob", "Cleo"))
    game = new_game(ada, seats=[ME, OPEN], ruleset="plateau")
    invited(ada, game, player=bob.id)
    link = linked(ada, game)
    assert other.stranger(cleo.token).post(f"{link}/seat").status_code == 201
    refused(bob.post(f"{game}/seats"), 404, "no-such-game")


def test_anyone_who_was_taking_a_seat_when_the_process_ended_can_repeat_it_at_once(monkeypatch, ada, bob, game):
    invited(ada, game, player=bob.id)
    link = linked(ada, game)
    for path in (f"{link}/seat", f"{game}/seats"):
        crash_before(monkeypatch, "service.games.desk.Desk.do", lambda path=path: bob.post(path))
        assert bob.post(path).status_code == 201
        seat = next(each["seat"] for each in ada.get(game).json["seats"] if each["player"] == bob.id)
        assert bob.delete(f"{game}/seats/{seat}").status_code == 204


def test_after_a_crash_once_the_seat_is_taken_the_invitation_is_used_up(monkeypatch, time, ada, bob, cleo, game):
    link = linked(ada, game)
    crash_before(monkeypatch, "service.games.invitations.joining.Joining._end_taking", lambda: bob.post(f"{link}/seat"))
    time.ms += MINUTE
    assert statuses(ada, game) == ["accepted"]
    gone(cleo.post(f"{link}/seat"))
    assert bob.post(f"{link}/seat").json["seat"] == 1
