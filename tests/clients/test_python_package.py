"""The Python package against a service: whole games, lost responses, pages, errors."""

import random
import re
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from pathlib import Path

import httpx
import pytest
from plateau_client import (
    Action,
    Client,
    GameInput,
    PlateauError,
    Refused,
    Table,
    Unavailable,
    View,
    WentBack,
    WrongMoment,
)
from plateau_client.types import PlanStep

from tests.clients.games import GAMES, ME, OPEN
from tests.support.processes import free_port
from tests.support.server import RunningService, running_service, wait_until


@pytest.fixture
def ada(service: RunningService) -> Iterator[Client]:
    with Client.guest(service.url, "Ada") as ada:
        yield ada


def impatient() -> httpx.Client:
    """Return a transport that fails after a minute, so that nobody waits for ever for a player who is gone."""
    deadline = time.monotonic() + 60

    def check(_request: httpx.Request) -> None:
        assert time.monotonic() < deadline

    return httpx.Client(event_hooks={"request": [check]})


@pytest.mark.parametrize(
    "new", [GAMES[0], *(pytest.param(new, marks=pytest.mark.long) for new in GAMES[1:])], ids=lambda new: new["ruleset"]
)
def test_players_of_their_own_play_a_whole_game(new: GameInput, service: RunningService) -> None:
    players = [Client.guest(service.url, f"Player {seat}", http=impatient()) for seat, _ in enumerate(new["seats"])]
    table = players[0].create(new)
    for player in players[1:]:
        player.table(table.id).join(client_seed="luck")

    def play(player: Client) -> object:
        with player:
            rng = random.Random(1)
            return player.table(table.id).play(lambda _, actions: rng.choice(actions))

    with ThreadPoolExecutor(len(players)) as threads:
        outcomes = list(threads.map(play, players))
    assert outcomes[0] is not None
    assert outcomes == [outcomes[0]] * len(outcomes)


def test_players_commit_to_seeds_and_open_them_while_they_wait_for_their_turns(service: RunningService) -> None:
    players = [Client.guest(service.url, f"Player {seat}", http=impatient()) for seat in range(2)]
    made = players[0].create({"ruleset": "plateau", "seats": [OPEN, OPEN], "options": {"max_plies": 10}})
    tables = [player.table(made.id) for player in players]
    tables[0].join(committed=True)
    tables[1].join(1, client_seed="a seed of my own", committed=True)
    assert [*players[1].seeds.values()] == ["a seed of my own"]

    def play(table: Table) -> object:
        rng = random.Random(1)
        with closing(table.connection):
            return table.play(lambda _, actions: rng.choice(actions))

    with ThreadPoolExecutor(2) as threads:
        assert None not in threads.map(play, tables)
    with Client(service.url) as spectator:
        events = [*spectator.table(made.id).events()]
    opened = {event["seat"]: event["data"] for event in events if event["type"] == "seed_opened"}
    assert opened == {seat: {"client_seed": seed} for seat in (0, 1) for seed in players[seat].seeds.values()}
    awaited = next(event["version"] for event in events if event["type"] == "seeds_awaited")
    for table in tables:
        assert table.opened_after is not None
        version, head = table.opened_after
        assert version >= awaited
        assert events[version - 1]["hash"] == head


def test_seeds_are_opened_from_another_process_that_knows_them(ada: Client) -> None:
    made = ada.create({"ruleset": "plateau", "seats": [OPEN, OPEN], "sandbox": True})
    for seat in (0, 1):
        made.join(seat, client_seed=f"seed {seat}", committed=True)
    assert ada.token
    later = ada.with_token(ada.token).table(made.id)
    assert not later.open_seeds()
    later.connection.seeds.update(ada.seeds)
    assert later.open_seeds()
    assert later.game()["status"] == "active"
    assert not later.open_seeds()


def test_a_view_of_which_nothing_has_changed_is_the_same_object(ada: Client) -> None:
    table = ada.create({"ruleset": "plateau", "seats": [ME] * 2, "sandbox": True})
    first = table.view()
    assert table.view() is first
    assert table.view(1) is not first
    assert table.view("spectator")["viewer"]["seat"] is None
    table.act(table.choices(first)[0], first)
    assert table.view()["version"] > first["version"]
    assert table.view(at=first["version"], seat=0) == first


def test_a_turn_comes_once_even_if_nobody_acts_on_it(ada: Client) -> None:
    table = ada.create({"ruleset": "plateau", "seats": [ME] * 2, "sandbox": True})
    turns = table.turns()
    first = next(turns)
    acted = threading.Event()

    def act() -> None:
        acted.set()
        table.act(table.choices(first)[0], first)

    timer = threading.Timer(0.2, act)
    timer.start()
    assert next(turns)["version"] > first["version"]
    assert acted.is_set()
    timer.join()


@pytest.mark.parametrize("by_another_device", [False, True])
def test_a_loop_continues_beside_a_plan_of_this_or_another_device(
    service: RunningService, by_another_device: bool
) -> None:
    refused: list[str] = []

    def hear(response: httpx.Response) -> None:
        if response.is_error:
            refused.append(response.request.method)

    http = httpx.Client(event_hooks={"response": [hear]})
    with Client.guest(service.url, "Ada", http=http) as ada, Client(ada.url, ada.token) as phone:
        table = ada.create({"ruleset": "le-plateau", "seats": [ME] * 2, "sandbox": True, "options": {"hands": 2}})
        elsewhere, rng, numbers = phone.table(table.id), random.Random(1), list[int]()
        for seat in () if by_another_device else range(2):
            table.plan(forced=True, seat=seat)

        def choose(view: View, actions: Sequence[Action]) -> Action | None:
            seat = view["viewer"]["seat"]
            if seat is None or seat not in view["waiting_for"]:
                return None
            action = rng.choice(actions)
            numbers.append(len(actions))
            if by_another_device and len(numbers) <= 3:
                elsewhere.plan([{"action": action}], seat=seat)
                wait_until(lambda: elsewhere.game()["version"] > view["version"], "the planned turn")
            return action

        assert table.play(choose) is not None
    assert refused == ["POST"] * 3 * by_another_device
    assert by_another_device or 1 not in numbers


@pytest.mark.long
def test_a_turn_comes_after_all_once_another_device_has_removed_the_plan(tmp_path: Path) -> None:
    waits = threading.Event()

    def hear(request: httpx.Request) -> None:
        if "wait" in request.url.params and "limit" in request.url.params:
            waits.set()

    http = httpx.Client(event_hooks={"request": [hear]})
    with running_service(tmp_path, {"PLATEAU_WORKERS": "0"}) as service, Client.guest(service.url, "Ada") as ada:
        table = ada.create({"ruleset": "le-plateau", "seats": [ME] * 2, "sandbox": True})
        seat = table.view()["to_act"][0]
        table.plan([{"action": {"type": "pass"}}], seat=seat)
        assert table.view()["planned"]
        with Client(ada.url, ada.token, http=http) as player, ThreadPoolExecutor(1) as thread:
            turns = player.table(table.id).turns(seat)
            first = thread.submit(next, turns)
            assert waits.wait(60)
            assert not first.done()
            table.drop_plan(seat=seat)
            assert "planned" not in first.result(60)


class LostAnswers(httpx.HTTPTransport):
    """Sends every write, and loses the first response to it."""

    def __init__(self) -> None:
        super().__init__()
        self.lost: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        key = request.headers.get("Idempotency-Key", "")
        if request.method == "POST" and key not in self.lost:
            self.lost.append(key)
            response.close()
            raise httpx.ReadError("the connection was reset")
        return response


def test_a_write_whose_response_was_lost_takes_effect_once(ada: Client) -> None:
    transport = LostAnswers()
    with Client(ada.url, ada.token, http=httpx.Client(transport=transport)) as clumsy:
        table = clumsy.create({"ruleset": "le-plateau", "seats": [ME] * 2, "sandbox": True})
        answers = [table.act(table.choices(view)[0], view) for view in islice(table.turns(), 10)]
        (event,) = table.propose("pause", seat=0)["events"]
        assert event["type"] == "proposal_made"
    assert [game["id"] for game in ada.my_games()] == [table.id]
    started = answers[0]["version"] - len(answers[0]["events"])
    told = [event for answer in answers for event in answer["events"]]
    assert list(ada.table(table.id).events(started))[: len(told)] == told
    assert len(transport.lost) == 12


def small_pages(request: httpx.Request) -> None:
    """Ask for three items a page, whatever the client asks for."""
    if request.url.path.endswith(("/events", "/legal-actions", "/games")) and request.method == "GET":
        request.url = request.url.copy_set_param("limit", "3")


def test_a_list_is_read_to_its_last_page_and_no_sooner_than_needed(ada: Client) -> None:
    asked: list[str] = []
    hooks = {"request": [small_pages, lambda request: asked.append(request.url.path)]}
    ids = [ada.create({"ruleset": "plateau", "seats": [ME] * 2, "sandbox": True}).id for _ in range(7)]
    with Client(ada.url, ada.token, http=httpx.Client(event_hooks=hooks)) as reader:
        assert [game["id"] for game in reader.my_games()] == ids[::-1]
        assert asked == ["/v1/me/games"] * 3
        assert len(list(islice(reader.games(ruleset="plateau", status="active"), 4))) == 4
        assert asked[3:] == ["/v1/games"] * 2
        table = reader.table(ada.create({"ruleset": "le-plateau", "seats": [ME] * 2, "sandbox": True}).id)
        legal, events = list(table.legal_actions()), list(table.events())
        assert legal == table.view()["legal_actions"]["actions"]
        assert [event["version"] for event in events] == list(range(1, table.game()["version"] + 1))
        assert len(legal) > 3 < len(events)


def test_too_many_actions_for_a_view_are_read_from_their_own_pages(ada: Client) -> None:
    table = ada.create({"ruleset": "french-tarot", "seats": [ME] * 4, "sandbox": True})
    table.act({"type": "bid", "contract": "garde"}, table.view())
    for _ in range(3):
        table.act({"type": "pass"}, table.view())
    view = table.view()
    assert view["legal_actions"]["actions"] is None
    few = table.choices(view)
    assert 200 < len(few) <= 2000
    several = list(islice(table.legal_actions(), 2500))
    assert several[: len(few)] == few
    assert (
        len({tuple(action["cards"]) for action in several}) == len(several) == min(2500, view["legal_actions"]["count"])
    )


def test_an_error_names_what_is_wrong_and_where(ada: Client) -> None:
    table = ada.create({"ruleset": "le-plateau", "seats": [ME] * 2, "sandbox": True})
    with pytest.raises(Refused) as refused:
        ada.create({"ruleset": "plute", "seats": [ME] * 6, "options": {"hands": 3}})
    assert (refused.value.status, refused.value.code, refused.value.pointer) == (400, "malformed", "/options/hands")
    with pytest.raises(WrongMoment) as late:
        ada.request("POST", f"/v1/games/{table.id}/actions", {"type": "pass"}, headers={"If-Match": '"1"'})
    assert (late.value.code, late.value.problem["game_version"]) == ("stale-version", table.view()["version"])
    with pytest.raises(Refused, match=r"\(wrong-phase\)"):
        table.check({"type": "play", "card": "RH"})
    table.check({"type": "pass"})
    with pytest.raises(Unavailable):
        Client(f"http://127.0.0.1:{free_port()}", retries=0).me()


def test_a_version_that_the_service_does_not_have_is_an_error(ada: Client) -> None:
    table = ada.create({"ruleset": "plateau", "seats": [ME] * 2, "sandbox": True})
    now = table.view()["version"]
    with pytest.raises(WentBack) as told:
        list(table.events(after=now + 1))
    assert (told.value.problem["game_version"], told.value.status) == (now, 412)
    with pytest.raises(WentBack):
        next(table.follow(after=now + 1))


def test_a_table_has_a_method_for_all_that_players_do(ada: Client, service: RunningService) -> None:
    ben = Client.guest(service.url, "Ben")
    table = ada.create({"ruleset": "plateau", "seats": [ME, OPEN], "clock": None})
    at_it = ben.table(table.id)
    assert at_it.join(1)["seat"] == 1
    proposal = table.propose("draw")["events"][0]["data"]["proposal"]
    assert at_it.vote(proposal, accept=False)["events"][-1]["type"] == "proposal_closed"
    with pytest.raises(PlateauError):
        table.claim()
    step: PlanStep = {"when": {"path": "/state/end", "op": "exists"}, "action": {"type": "pass"}}
    assert at_it.plan([step], forced=True) == at_it.planned()
    assert at_it.planned()["steps"] == [step]
    at_it.drop_plan()
    assert not at_it.planned()["forced"]
    said = at_it.say("well_played")
    assert (said["seat"], [each["text"] for each in table.phrases("fr")["phrases"]]) == (1, ["Bien joué\u00a0!"])
    assert table.picture(at=3).startswith("<svg ")
    assert table.resign()["status"] == "finished"
    assert table.text().startswith("notation: 1\nruleset: plateau")
    outcome = table.game()["outcome"]
    assert outcome is not None
    assert outcome["winners"] == [1]
    again = table.rematch()
    assert at_it.rematch().id == again.id != table.id
    assert [seat["name"] for seat in again.game()["seats"]] == ["Ben", "Ada"]
    other = ada.create({"ruleset": "plute", "seats": [ME, *[OPEN] * 5]})
    ben.table(other.id).join()
    ben.table(other.id).leave(1)
    assert other.hand_over(1, "random")["events"][-1]["type"] == "bot_seated"
    assert [ruleset["id"] for ruleset in ada.rulesets()] == ["le-plateau", "plateau", "french-tarot", "plute"]
    assert {"random", "greedy"} <= {bot["name"] for bot in ada.bots()}
    assert ben.change_me({"name": "Benjamin"})["shows"] == ben.me()["shows"]
    assert ada.player(ben.me()["id"])["name"] == "Benjamin"
    assert ada.ruleset("plute")["rules"].startswith("# ")
    ben.close()


class OfAnotherVersion(httpx.HTTPTransport):
    """A way to a service that responds with values which this version does not know, where lists can get new ones."""

    _FIELDS = re.compile(rb'"(portrait|aborted_because|reason|phrase|act)":"\w+"')
    _NOTICE = re.compile(rb'"(id":"[0-9-]+","type)":"\w+"')

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        sent = super().handle_request(request)
        content = self._NOTICE.sub(rb'"\1":"eclipse"', self._FIELDS.sub(rb'"\1":"eclipse"', sent.read()))
        headers = {name: text for name, text in sent.headers.items() if name != "content-length"}
        return httpx.Response(sent.status_code, headers=headers, content=content)


def test_a_client_takes_values_of_another_version(service: RunningService) -> None:
    later = httpx.Client(transport=OfAnotherVersion(), headers={"Accept-Encoding": "identity"})
    with Client.guest(service.url, "Ada", http=later) as ada, Client.guest(service.url, "Ben") as ben:
        ada.change_me({"portrait": "lynx"})
        assert ada.me()["portrait"] == "eclipse"
        table = ada.create({"ruleset": "plateau", "seats": [ME, OPEN]})
        ben.table(table.id).join()
        ben.table(table.id).say("hello")
        assert [said["phrase"] for said in table.phrases()["phrases"]] == ["eclipse"]
        proposal = ben.table(table.id).propose("abort")["events"][0]["data"]["proposal"]
        assert table.vote(proposal, accept=True)["status"] == "aborted"
        assert table.game()["aborted_because"] == "eclipse"
        assert table.play(lambda _view, actions: actions[0]) is None
        assert [event["data"] for event in table.events()][-1]["reason"] == "eclipse"
        wait_until(lambda: len([*ada.my_events()]) >= 2, "the notices")
        assert {notice["type"] for notice in ada.my_events()} == {"eclipse"}


def test_anyone_who_must_act_cannot_choose_nothing(ada: Client) -> None:
    table = ada.create({"ruleset": "plateau", "seats": [ME] * 2, "sandbox": True})
    with pytest.raises(ValueError, match="the game waits for seat 0"):
        table.play(lambda _view, _actions: None)


def test_a_link_opens_a_seat_to_a_player_and_to_somebody_without_an_account(
    ada: Client, service: RunningService
) -> None:
    ben = Client.guest(service.url, "Ben")
    table = ada.create({"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN], "visibility": "private"})
    for_ben, for_anybody = (table.invite({"link": True}) for _ in range(2))
    assert ben.invitation(for_ben["url"])["by_name"] == "Ada"
    assert ben.accept(for_ben["url"]).id == table.id
    assert ben.accept(for_ben["url"]).view()["viewer"]["seat"] == 1
    with Client(service.url) as nobody:
        at_it = nobody.accept(for_anybody["secret"], name="Cleo")
        assert at_it.view()["viewer"]["seat"] == 2
        assert nobody.with_token(at_it.connection.token).table(table.id).view()["viewer"]["seat"] == 2
    assert [each["status"] for each in table.invitations()] == ["accepted"] * 2
    another = ada.create({"ruleset": "plateau", "seats": [ME, OPEN], "visibility": "private"})
    another.invite({"player": ben.me()["id"]})
    assert [each["game"]["id"] for each in ben.invitations()] == [another.id]
    assert another.cancel()["status"] == "aborted"
    assert another.play(lambda _view, actions: actions[0]) is None
    ben.close()
