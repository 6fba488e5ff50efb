"""The deal of the day: made once, opened once, compared and closed, whatever breaks in between."""

import threading
from dataclasses import asdict, replace
from datetime import date
from hashlib import sha256

import fakeredis
import pytest
from click.testing import CliRunner

from domain.chance import commitment
from domain.deal_sets.deal_set import secret_of_deal
from domain.deal_sets.schedule import Schedule
from domain.game.durations import DAY, HOUR, SECOND, instant
from domain.log import chain
from domain.serialization import to_plain
from service.cli.exit_codes import ExitCode
from service.cli.main import main
from service.config.setting_kinds import DAILY
from service.deal_sets.results import results_of, written
from service.deal_sets.store import SetStore
from service.store.event_store import EventStore
from tests.service.deal_sets.days import DAY_ONE, SCHEDULE, Days, opened
from tests.support.backups import back_up, restore

PATH = f"/v1/daily/plute/{DAY_ONE}"


@pytest.fixture
def days() -> Days:
    """A service an hour before the first day opens."""
    return Days(fakeredis.FakeRedis(server=fakeredis.FakeServer()))


def log_of(days, person):
    """Read the log of the set that is open."""
    (one,) = person.get("/v1/daily").json["items"]
    return person.get(f"/v1/sets/{one['id']}/events").json["events"]


def test_a_day_from_the_first_deal_to_the_results(days):
    ada, bob, cid = (days.server.newcomer(name) for name in ("Ada", "Bob", "Cid"))
    days.open()
    guest = days.server.newcomer("Guest")
    first = opened(ada)
    assert ada.post(f"{PATH}/deals", {}).status_code == 200
    assert opened(ada) == first
    days.play(first, 1)
    mine = ada.get("/v1/daily").json["items"][0]["mine"]
    assert (mine["opened"], mine["finished"], mine["game"], mine["par"]) == (1, 1, None, [None])
    days.play_bots()
    assert None not in ada.get("/v1/daily").json["items"][0]["mine"]["par"]
    second = opened(ada)
    assert second != first
    days.play(second, 2)
    for person in (bob, guest):
        for _ in range(2):
            days.play(opened(person), 3)
    opened(cid)
    days.play_bots()
    left = ada.post(f"{PATH}/deals", {})
    assert (left.status_code, left.json["code"]) == (409, "no-deals-left")
    early = ada.get(f"{PATH}/results")
    assert (early.status_code, early.json["code"]) == (404, "not-closed")
    card = ada.get(f"{PATH}/card").json
    assert card["svg"].startswith("<svg")
    assert not [word for word in ("gm_", "pl_", "hearts") if word in card["text"] + card["svg"]]
    assert bob.get(f"{PATH}/card").status_code == 200

    days.close()
    late = ada.post(f"{PATH}/deals", {})
    assert (late.status_code, late.json["code"]) == (409, "set-closed")
    found = days.server.stranger().get(f"{PATH}/results").json
    assert [each["player"] for each in found["items"][2:]] == [cid.id, guest.id]
    assert [each["rank"] for each in found["items"]][2:] == [3, None]
    assert {each["rank"] for each in found["items"][:2]} <= {1, 2}
    assert [each["deals"] for each in found["items"]] == [2, 2, 0, 2]
    assert [each["number"] for each in found["deals"]] == [1, 2]
    page = days.server.stranger().get(f"{PATH}/results?limit=3").json
    rest = days.server.stranger().get(f"{PATH}/results?limit=3&cursor={page['next_cursor']}").json
    assert page["items"] + rest["items"] == found["items"]
    assert rest["next_cursor"] is None


def test_anybody_can_check_the_deals_and_the_results_of_a_day(days):
    ada = days.server.newcomer("Ada")
    days.open()
    before = log_of(days, ada)
    assert [event["type"] for event in before] == ["set_created", "set_sealed"]
    assert "secret" not in before[0]["data"]
    set_id = before[0]["game_id"]
    game_id = opened(ada)
    days.play(game_id)
    days.play_bots()
    days.close()
    log = ada.get(f"/v1/sets/{set_id}/events").json["events"]
    assert chain.verify(log) == log[-1]["hash"]
    created, sealed, closed = (event["data"] for event in log)
    assert commitment(bytes.fromhex(closed["secret"])) == created["commitment"]
    found = ada.get(f"{PATH}/results").json
    for number, digest in enumerate(sealed["deals"], 1):
        secret = secret_of_deal(closed["secret"], set_id, number, sealed["root"])
        assert commitment(secret) == digest
        assert secret.hex() == found["deals"][number - 1]["secret"]
    root = days.server.services.heads.root(sealed["size"])
    assert root is not None
    assert root.root == sealed["root"]
    assert instant(root.at) >= instant(log[0]["at"])
    sets = SetStore(EventStore(days.server.redis))
    one = sets.find(set_id)
    reached = results_of(one, sets.tables(set_id))
    assert sha256(written(one, reached)).hexdigest() == closed["results"]
    assert asdict(reached.standings[0])["games"] == (game_id,)


def test_a_bundle_of_a_game_verifies_once_its_set_has_closed(days, tmp_path):
    ada = days.server.newcomer("Ada")
    days.open()
    game_id = opened(ada)
    days.play(game_id)
    codes = []
    for name in ("open", "closed"):
        file = tmp_path / f"{name}.jsonl"
        file.write_bytes(ada.get(f"/v1/games/{game_id}/export?format=bundle").get_data())
        codes.append(CliRunner().invoke(main, ["verify", str(file)]).output)
        days.close()
    assert "the set of its deal has not closed" in codes[0]
    assert "the set of its deal has not closed" not in codes[1]


@pytest.mark.parametrize("key", [None, "a-key"])
def test_of_many_requests_at_once_one_opens_the_deal_and_all_get_its_game(days, key):
    ada = days.server.newcomer("Ada")
    days.open()
    answers = []
    headers = {} if key is None else {"Idempotency_Key": key}

    def ask() -> None:
        answers.append(ada.post(f"{PATH}/deals", {}, **headers))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each.json["id"] for each in answers}) == 1
    assert sum(each.status_code == 201 for each in answers) >= 1
    mine = ada.get("/v1/daily").json["items"][0]["mine"]
    assert mine["opened"] == 1


def test_a_repeated_request_gets_its_first_answer_also_when_the_deal_is_over_and_the_set_closed(days):
    ada = days.server.newcomer("Ada")
    days.open()
    first = ada.post(f"{PATH}/deals", {}, Idempotency_Key="one")
    days.play(first.json["id"])
    again = ada.post(f"{PATH}/deals", {}, Idempotency_Key="one")
    assert (again.status_code, again.get_data()) == (201, first.get_data())
    days.close()
    assert ada.post(f"{PATH}/deals", {}, Idempotency_Key="one").get_data() == first.get_data()
    assert ada.post(f"{PATH}/deals", {}, Idempotency_Key="two").status_code == 409


def test_a_deal_that_is_left_alone_handed_to_a_bot_or_ended_counts_as_last(days):
    people = [days.server.newcomer(name) for name in ("Left", "Handed", "Ended", "Played")]
    days.open()
    games = [opened(person) for person in people]
    handed = people[1].put(f"/v1/games/{games[1]}/seats/0", {"bot": "random"})
    assert handed.status_code == 200
    ended = people[2].post(f"/v1/games/{games[2]}/proposals", {"kind": "abort"})
    assert ended.status_code == 201
    for game in (games[1], games[3]):
        days.play(game)
    days.play_bots()
    assert people[2].get("/v1/daily").json["items"][0]["mine"]["scores"] == [None]
    assert opened(people[2]) != games[2]
    days.close()
    found = {each["player"]: each for each in people[0].get(f"{PATH}/results").json["items"]}
    assert [found[person.id]["percent"] for person in people[:3]] == [0, 0, 0]
    assert found[people[3].id]["percent"] > 0


def test_a_crash_at_any_step_makes_each_set_once(days, monkeypatch):
    """Every append of the keeper fails in turn, before it is made or after it; the next keeper continues."""
    ada = days.server.newcomer("Ada")
    failing = iter(range(40))
    real = EventStore.append

    def fragile(store, append):
        if not append.game_id.startswith("set_"):
            return real(store, append)
        turn = next(failing, 99)
        if turn % 3 == 0:
            raise OSError("killed before")
        done = real(store, append)
        if turn % 3 == 1:
            raise OSError("killed after")
        return done

    monkeypatch.setattr(EventStore, "append", fragile)
    for at in (days.at, days.schedule.opens(date.fromisoformat(DAY_ONE)) + HOUR, days.at + 2 * DAY):
        days.at = at
        for _ in range(12):
            try:
                days.keep()
            except OSError:
                days.at += SECOND
    log = SetStore(EventStore(days.server.redis)).records(set_of(days))
    assert [each.type for each in log] == ["set_created", "set_sealed", "set_closed"]
    assert ada.get(f"{PATH}/results").status_code == 200


def set_of(days):
    """The id of the first day's set."""
    return EventStore(days.server.redis).derived_id("set_", f"daily plute {DAY_ONE}")


def test_a_set_closes_at_its_time_also_while_no_other_is_open():
    """A window of six hours: the next set is made sixteen hours later."""
    days = Days(fakeredis.FakeRedis(server=fakeredis.FakeServer()), replace(SCHEDULE, hours=6))
    days.open()
    days.at += 6 * HOUR
    days.keep()
    assert days.server.stranger().get(f"{PATH}/results").status_code == 200


def test_two_keepers_make_what_one_makes(days):
    days.open()
    log = SetStore(EventStore(days.server.redis)).records(set_of(days))
    keepers = [days.keeper() for _ in range(4)]
    days.at += 2 * DAY
    threads = [threading.Thread(target=keeper.keep) for keeper in keepers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = SetStore(EventStore(days.server.redis)).records(set_of(days))
    assert after[:2] == log
    assert [each.type for each in after] == ["set_created", "set_sealed", "set_closed"]


def test_a_set_that_a_downtime_left_open_is_closed_afterwards_and_a_clock_that_goes_back_opens_nothing(days):
    ada = days.server.newcomer("Ada")
    days.open()
    game_id = opened(ada)
    stranger = days.server.stranger()
    days.at += 9 * DAY
    assert stranger.get(f"/v1/games/{game_id}").status_code == 404, "no set has been closed, whatever a clock says"
    days.keep()
    assert stranger.get(f"/v1/games/{game_id}").status_code == 200
    days.at -= 9 * DAY
    assert stranger.get(f"/v1/games/{game_id}").status_code == 200
    assert ada.post(f"{PATH}/deals", {}).json["code"] == "set-closed"


def test_what_is_not_there_is_404_and_what_is_not_open_yet_is_409(days):
    ada = days.server.newcomer("Ada")
    for path in ("/v1/daily/plute/2026-11-28", "/v1/daily/plute/28-11-2026", "/v1/daily/chess/2026-11-28"):
        for rest in ("results", "card"):
            assert ada.get(f"{path}/{rest}").json["code"] == "no-such-set"
        assert ada.post(f"{path}/deals", {}).json["code"] == "no-such-set"
    assert ada.get("/v1/sets/set_1/events").json["code"] == "no-such-set"
    days.keep()
    early = ada.post(f"{PATH}/deals", {})
    assert (early.status_code, early.json["code"]) == (409, "set-not-open")
    assert days.server.stranger().post(f"{PATH}/deals", {}).status_code == 401
    assert ada.post(f"{PATH}/deals", {"x": 1}).status_code == 400


def test_everybody_gets_the_same_deal_under_a_mask_of_their_own(days):
    people = [days.server.newcomer(str(number)) for number in range(6)]
    days.open()
    games = [days.games().fresh(opened(person)) for person in people]
    assert len({str(to_plain(game.unmasked.events[0])) for game in games}) == 1
    assert len({str(game.state.table.held) for game in games}) > 1


def test_a_backup_keeps_the_sets_and_what_was_played(days, tmp_path):
    ada = days.server.newcomer("Ada")
    days.open()
    days.play(opened(ada))
    EventStore(days.server.redis).begin()
    back_up(days.server.redis, tmp_path)
    other = fakeredis.FakeRedis(server=fakeredis.FakeServer())
    restore(other, tmp_path)
    again = Days(other)
    again.at = days.at
    items = again.server.known(ada.id).get("/v1/daily").json["items"]
    assert [each["mine"]["finished"] for each in items] == [1]
    again.close()
    assert [each["player"] for each in again.server.stranger().get(f"{PATH}/results").json["items"]] == [ada.id]


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("deals=6, hour=4,hours=30", {"deals": 6, "hour": 4, "hours": 30}),
        (
            "bot=random, games=plute + french-tarot/4/5",
            {"bot": "random", "games": (("plute", (6,)), ("french-tarot", (4, 5)))},
        ),
    ],
)
def test_the_setting_says_what_differs_from_the_usual_day(text, changes):
    assert DAILY.parse(text) == replace(DAILY.parse(""), **changes)
    assert DAILY.parse("off") is None


@pytest.mark.parametrize("text", ["deals=0", "hours=x", "bot=nobody", "games=plateau", "games=plute/4", "x=1", "deals"])
def test_a_schedule_that_makes_no_sense_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - as every kind of setting rejects a text
        DAILY.parse(text)


def test_every_number_of_players_has_its_turn_and_windows_can_overlap():
    schedule = Schedule(hour=6, hours=36, games=(("french-tarot", (3, 4, 5)),))
    day = date.fromisoformat(DAY_ONE)
    noon = schedule.opens(day) + 6 * HOUR
    assert [each.isoformat() for each in schedule.days(noon)] == [DAY_ONE, "2026-11-27"]
    assert list(schedule.days(noon + 12 * HOUR)) == [day]
    assert {schedule.seats("french-tarot", each) for each in (day, date(2026, 11, 29), date(2026, 11, 30))} == {3, 4, 5}
    assert schedule.seats("plute", day) is None
    assert SCHEDULE.closes(day) - SCHEDULE.opens(day) == DAY


def test_an_operator_takes_a_deal_out_with_a_reason_that_all_can_read(days, monkeypatch):
    monkeypatch.setattr("service.cli.admin.running_store", lambda _: days.server.redis)
    ada = days.server.newcomer("Ada")
    days.open()
    (one,) = ada.get("/v1/daily").json["items"]
    void = ["admin", "void-deal", one["id"], "1", "--reason", "a wrong bot"]
    for code in (ExitCode.DONE, ExitCode.REFUSED):
        assert CliRunner().invoke(main, void).exit_code == code
    last = log_of(days, ada)[-1]
    assert (last["type"], last["data"]) == ("deal_voided", {"number": 1, "reason": "a wrong bot"})
    game = ada.get(f"/v1/games/{opened(ada)}/events").json["events"][0]
    assert game["data"]["deal"]["number"] == 2
    days.close()
    assert [each["number"] for each in ada.get(f"{PATH}/results").json["deals"]] == [2]


def test_a_past_deal_is_practised_in_a_fork_with_the_same_cards(days):
    ada, bob = days.server.newcomer("Ada"), days.server.newcomer("Bob")
    days.open()
    game = opened(ada)
    days.play(game)
    days.close()
    results = ada.get(f"{PATH}/results").json
    seats = [{"player": "me"}, *[{"bot": "greedy"}] * 5]
    fork = bob.post(f"/v1/games/{game}/forks", {"at": 2, "seats": seats}).json["id"]
    assert bob.get(f"/v1/games/{fork}/view?as=0").json["state"]["hands"][0]["cards"] == dealt(ada, game)
    days.play(fork)
    assert ada.get(f"{PATH}/results").json == results


def dealt(person, game):
    """Return the cards that seat 0 was dealt."""
    log = person.get(f"/v1/games/{game}/events").json["events"]
    (version,) = (event["version"] for event in log if event["type"] == "hand_dealt")
    return person.get(f"/v1/games/{game}/view?as=0&at={version}").json["state"]["hands"][0]["cards"]
