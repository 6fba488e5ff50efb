"""A tournament from its creation to its end, with people and bots, whatever breaks in between."""

import json
import threading
from collections import Counter

import fakeredis
import pytest
from click.testing import CliRunner

from domain.audit import tournaments
from domain.audit.faults import Wrong
from domain.game.durations import DAY, HOUR, SECOND
from domain.log import chain
from service.accounts.players import GUEST_SCOPES
from service.cli.verify import verify_files
from service.games.commit import seats_to_act
from service.store.event_store import EventStore
from tests.service.tournaments.halls import CARDS, DUELS, Hall
from tests.support.backups import back_up, restore
from tests.support.wiring import notifier_on


@pytest.fixture
def hall() -> Hall:
    """A service with a director."""
    return Hall(fakeredis.FakeRedis(server=fakeredis.FakeServer()))


def test_a_tournament_of_cards_from_its_creation_to_its_end(hall):
    path = hall.create(CARDS)
    people = hall.people(8, path)
    late = hall.server.newcomer("Late")
    assert hall.get(path)["status"] == "open"
    hall.start()
    assert late.put(f"{path}/entry", {}).json["mine"] == {"reserve": True, "game": None}
    mine = [hall.get(path, person)["mine"]["game"] for person in people]
    assert len({*mine}) == 2
    of_ada = f"/v1/games/{mine[0]}"
    other = people[next(number for number, game in enumerate(mine) if game != mine[0])]
    assert people[0].get(f"{of_ada}/view").status_code == 200
    for outsider in (other, late, hall.director, hall.server.stranger()):
        for rest in ("", "/view", "/events", "/board.svg", "/export?format=bundle"):
            assert outsider.get(of_ada + rest).status_code == 404, "a sealed table"

    hall.play_tables(path, but=1)
    running = hall.get(path)
    assert [running[name] for name in ("status", "round", "standings")][:2] == ["running", 1]
    assert {each["points"] for each in running["standings"]} == {0}, "nothing tells what a table has reached"
    penalty = {"act": "adjust", "player": people[0].id, "points": -30, "reason": "late for the second time"}
    assert hall.director.post(f"{path}/acts", penalty).status_code == 201
    hall.at += 2 * DAY
    hall.keep()
    assert other.get(of_ada).status_code == 200, "the round has closed"
    swap = {"act": "substitute", "player": people[1].id, "by": late.id, "reason": "ill"}
    assert hall.director.post(f"{path}/acts", swap).status_code == 201
    hall.keep()
    assert hall.get(path)["round"] == 2
    hall.play_tables(path)
    ended = hall.get(path, people[0])
    assert (ended["status"], ended["ended"]) == ("ended", {"how": "played", "reason": None})
    assert {each["player"] for each in ended["standings"]} == {late.id} | {each.id for each in people} - {people[1].id}
    types = Counter(event["type"] for event in hall.events(path))
    assert types == {
        "tournament_created": 1, "entered": 9, "round_paired": 2, "points_adjusted": 1, "round_closed": 2,
        "substituted": 1, "tournament_ended": 1,
    }  # fmt: skip
    check_proofs(hall, path)
    tables = [event["data"]["tables"] for event in hall.events(path) if event["type"] == "round_closed"]
    unfinished = [table for table in tables[0] if None in table["scores"]]
    assert [table["scores"] for table in unfinished] == [[None, None]]
    assert people[0].get(f"/v1/games/{unfinished[0]['games'][0]}").json["status"] == "aborted"


def test_in_a_tournament_whose_auction_is_given_the_bots_bid_at_all_tables(hall):
    path = hall.create({**CARDS, "ruleset": "french-tarot", "seats": 4, "auction": "random"})
    people = hall.people(4, path)
    hall.start()
    hall.keep()
    game = hall.games().fresh(hall.get(path, people[0])["mine"]["game"])
    assert (hall.get(path)["auction"], game.bidder, game.bot_of(0)) == ("random", "random", None)
    assert seats_to_act(game) == []


def pages_of(hall, path):
    """The logs of a tournament and its sets, one page a line, as anybody gets them."""
    sets = [event["data"]["set"] for event in hall.events(path) if event["type"] == "round_paired"]
    pages = [hall.server.stranger().get(f"{each}/events") for each in (path, *(f"/v1/sets/{name}" for name in sets))]
    return b"\n".join(page.data for page in pages)


def check_proofs(hall, path):
    """Check all that anybody can check of a tournament that has ended, from its log and the logs of its sets alone."""
    logs = tournaments.read(pages_of(hall, path))
    assert [text for text in tournaments.check(logs).unchecked if "not compared" not in text] == []


def changed(log, type_, change):
    """A log whose server changed an event of a type, and chained the log again."""
    events, head = json.loads(json.dumps(log)), chain.GENESIS
    change(next(event["data"] for event in events if event["type"] == type_))
    for event in events:
        head = event["hash"] = chain.link(head, chain.sealed_form(event))
    return events


@pytest.mark.parametrize(
    ("type_", "change", "named"),
    [
        ("round_paired", lambda data: data["tables"][0].reverse(), "/data/tables/0/"),
        ("round_closed", lambda data: data["tables"][0]["scores"][0].reverse(), "/results"),
        ("tournament_ended", lambda data: data["standings"][0].update(points=999), "/data/standings/0/points"),
        ("set_created", lambda data: data.update(commitment="00" * 32), "/commitment"),
        *(
            ("set_created", lambda data, name=name, other=other: data.update({name: other}), f"/data/{name}")
            for name, other in {
                "ruleset": "french-tarot",
                "rules_version": 99,
                "options": {"x": 1},
                "seats": 5,
                "deals": 2,
                "bot": "greedy",
                "bot_version": 99,
                "auction": "greedy",
                "tournament": "tn_1",
                "closes": "2030-01-01T00:00:00.000Z",
            }.items()
        ),
        ("set_sealed", lambda data: data.update(root="cd" * 32), "/deals"),
        ("set_closed", lambda data: data.update(results="00" * 32), "/results"),
    ],
)
def test_a_tournament_that_was_changed_afterwards_is_found_and_named(ended_tournament, tmp_path, type_, change, named):
    logs = tournaments.read(ended_tournament)
    name = next(name for name, log in logs.items() if any(event["type"] == type_ for event in log))
    with pytest.raises(Wrong) as wrong:
        tournaments.check({**logs, name: changed(logs[name], type_, change)})
    assert named in wrong.value.fault.field
    (tmp_path / "club.jsonl").write_bytes(ended_tournament)
    verified = CliRunner().invoke(verify_files, [str(tmp_path / "club.jsonl")])
    assert "verified" in verified.output


def test_a_set_of_two_rounds_an_event_of_no_set_and_a_round_that_ends_twice_are_named(ended_tournament):
    logs = tournaments.read(ended_tournament)
    name, set_id = (next(each for each in logs if each.startswith(prefix)) for prefix in ("tn_", "set_"))
    paired, closed = (
        next(event for event in logs[name] if event["type"] == f"round_{what}") for what in ("paired", "closed")
    )

    def fault_with(log_id, at, *more):
        log = json.loads(json.dumps([*logs[log_id][:at], *more, *logs[log_id][at:]]))
        for version, event in enumerate(log, 1):
            event["version"] = version
        with pytest.raises(Wrong) as wrong:
            tournaments.check({**logs, log_id: changed(log, log[0]["type"], dict)})
        return wrong.value.fault.version, wrong.value.fault.field

    end = closed["version"]
    assert fault_with(name, end, closed) == (end + 1, "/type")
    assert fault_with(name, end, paired, closed) == (end + 1, "/data/set")
    assert fault_with(set_id, 2, {**logs[set_id][1], "type": "entered"}) == (3, f"{set_id}/type")


def test_of_several_tournaments_each_is_checked_and_what_is_not_is_named_and_not_counted(ended_tournament):
    logs = tournaments.read(ended_tournament)
    name = next(each for each in logs if each.startswith("tn_"))
    whole = tournaments.check(logs)
    more = tournaments.check({**logs, "set_other": logs[name][:2]})
    assert more.events == whole.events == sum(map(len, logs.values()))
    assert len(more.unchecked) == len(whole.unchecked) + 1
    assert "set_other" in more.unchecked[-1]
    with pytest.raises(Wrong):
        tournaments.check({**logs, "tn_other": logs[name][1:]})


@pytest.mark.parametrize("content", [b"[]", b'{"events": 5}', b'{"events": [{}]}', b'{"events": [{"game_id": 5}]}'])
def test_a_file_without_the_log_of_a_tournament_is_left_to_other_readers(content):
    assert tournaments.read(content) is None


@pytest.fixture(scope="module")
def ended_tournament() -> bytes:
    """The logs of a tournament that has been played."""
    hall = Hall(fakeredis.FakeRedis(server=fakeredis.FakeServer()))
    path = hall.create({**CARDS, "rounds": 1, "deals": 1})
    hall.people(7, path)
    hall.start()
    hall.play_tables(path)
    return pages_of(hall, path)


def resign_all(hall, path, people):
    """Let the second player of each game of a round resign."""
    hall.keep()
    by_id = {person.id: person for person in people}
    for table in hall.log_of(path).paired[-1].tables:
        game = hall.get(path, by_id[table[1]])["mine"]["game"]
        assert by_id[table[1]].post(f"/v1/games/{game}/resign", {"confirm": True}).status_code == 201
    hall.at += HOUR
    hall.keep()


def test_a_swiss_tournament_of_two_players_a_table_in_which_the_odd_one_has_a_bye(hall):
    path = hall.create(DUELS)
    people = hall.people(5, path)
    hall.start()
    game = hall.get(path, people[0])["mine"]["game"] or hall.get(path, people[1])["mine"]["game"]
    assert hall.server.stranger().get(f"/v1/games/{game}/view").status_code == 200, "there is nothing to hide"
    for _ in range(3):
        resign_all(hall, path, people)
    ended = hall.get(path)
    assert ended["status"] == "ended"
    rounds = hall.log_of(path).paired
    assert len({each.byes for each in rounds}) == 3
    pairs = [frozenset(table) for each in rounds for table in each.tables]
    assert len({*pairs}) == len(pairs) == 6
    assert sum(each["points"] for each in ended["standings"]) == 6 * 2 + 3 * 2
    order = [(-each["points"], -each["opponents"]) for each in ended["standings"]]
    assert order == sorted(order)
    check_proofs(hall, path)


def test_in_a_round_robin_everyone_meets_everyone_and_who_withdraws_leaves_byes(hall):
    path = hall.create({**DUELS, "pairing": "round_robin", "rounds": 9})
    people = hall.people(4, path)
    hall.start()
    resign_all(hall, path, people)
    assert people[0].delete(f"{path}/entry").status_code == 204
    assert people[0].put(f"{path}/entry", {}).json["code"] == "withdrawn"
    for _ in range(2):
        resign_all(hall, path, people)
    one = hall.log_of(path)
    assert one.ended is not None
    assert [len(each.byes) for each in one.paired] == [0, 0, 1], "the second round had begun"
    pairs = [frozenset(table) for each in one.paired for table in each.tables]
    assert len({*pairs}) == len(pairs) == 5
    assert people[0].id not in {*one.paired[2].tables[0], *one.paired[2].byes}
    check_proofs(hall, path)


def keep_again(hall, fails):
    """Keep the tournament with a process that is killed, and then with others."""
    for _ in range(12):
        fails[0] = True
        try:
            hall.keep()
        except OSError:
            hall.at += SECOND
        finally:
            fails[0] = False


def test_a_crash_before_or_after_any_append_makes_each_step_once(hall, monkeypatch):
    """Each append of the keeper fails in turn, before it is made or after it; the next keeper continues."""
    path = hall.create({**CARDS, "rounds": 2, "deals": 1})
    hall.people(3, path)
    turn, fails, real = iter(range(999)), [False], EventStore.append

    def fragile(store, append):
        if not fails[0]:
            return real(store, append)
        number = next(turn)
        if number % 3 == 0:
            raise OSError("killed before")
        done = real(store, append)
        if number % 3 == 1:
            raise OSError("killed after")
        return done

    monkeypatch.setattr(EventStore, "append", fragile)

    hall.at += 3 * HOUR
    keep_again(hall, fails)
    hall.at += HOUR
    keep_again(hall, fails)
    hall.play_tables(path, but=1)
    hall.at += 2 * DAY
    for _ in range(2):
        keep_again(hall, fails)
        hall.at += 2 * DAY
    log = hall.events(path)
    assert [event["type"] for event in log if event["type"] != "entered"] == [
        "tournament_created", "round_paired", "round_closed", "round_paired", "round_closed", "tournament_ended",
    ]  # fmt: skip
    check_proofs(hall, path)
    tables = [table for event in log if event["type"] == "round_closed" for table in event["data"]["tables"]]
    games = [game for table in tables for game in table["games"]]
    assert sorted(hall.server.store.game_ids()) == sorted(games)
    assert {hall.games().fresh(game).is_over for game in games} == {True}


def test_two_keepers_make_what_one_makes(hall):
    path = hall.create({**CARDS, "rounds": 1, "deals": 1})
    hall.people(2, path)
    for wait in (3 * HOUR, HOUR, 2 * DAY, 0):
        hall.at += wait
        hall.keep()
        threads = [threading.Thread(target=hall.keeper().keep) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    types = [event["type"] for event in hall.events(path)][3:]
    assert types == ["round_paired", "round_closed", "tournament_ended"]


def test_who_enters_late_or_when_all_places_are_taken_is_a_reserve_who_moves_up(hall):
    path = hall.create({**CARDS, "most": 2})
    one, two, three = hall.people(3, path)
    assert hall.get(path, three)["mine"]["reserve"]
    assert two.delete(f"{path}/entry").status_code == 204
    assert [each["player"] for each in hall.get(path)["players"]] == [one.id, three.id]
    assert two.put(f"{path}/entry", {}).json["mine"]["reserve"]
    assert two.put(f"{path}/entry", {}).json["reserves"] == [{"player": two.id, "name": "P1"}]
    assert [event["type"] for event in hall.events(path)].count("entered") == 5


def test_who_has_deleted_the_account_is_withdrawn_and_too_few_end_the_tournament(hall):
    path = hall.create(CARDS)
    one, two = hall.people(2, path)
    assert two.delete(f"/v1/me?confirm={two.id}").status_code == 204
    hall.start()
    hall.keep()
    assert hall.get(path)["ended"] == {"how": "too_few", "reason": None}
    assert hall.events(path)[3]["data"] == {"player": two.id, "reason": "the account was deleted"}
    assert one.put(f"{path}/entry", {}).json["code"] == "tournament-ended"


def test_a_director_can_cancel_a_tournament_whose_round_ends_at_once(hall):
    path = hall.create(CARDS)
    people = hall.people(3, path)
    hall.start()
    hall.keep()
    game = hall.get(path, people[0])["mine"]["game"]
    wish = {"act": "cancel", "reason": "the hall has no light"}
    made = [hall.director.post(f"{path}/acts", wish, Idempotency_Key="dark") for _ in range(2)]
    assert [each.status_code for each in made] == [201, 201]
    assert made[0].get_data() == made[1].get_data()
    hall.keep()
    assert hall.get(path)["ended"] == {"how": "cancelled", "reason": "the hall has no light"}
    assert hall.server.stranger().get(f"/v1/games/{game}").json["status"] == "aborted"


def test_players_get_notices_of_their_games_and_a_tournament_which_creates_them_gets_none(hall):
    path = hall.create(CARDS)
    (ada,) = hall.people(1, path)
    hall.people(1, path)
    notifier = notifier_on(hall.server.redis)
    hall.start()
    hall.keep()
    hall.at += 2 * DAY
    hall.keep()
    while notifier.pass_on(1):
        pass
    kinds = [each["type"] for each in ada.get("/v1/me/events").json["events"]]
    assert {"game_started", "game_ended"} <= {*kinds}
    assert [*hall.server.redis.scan_iter(match="{tn_*")] == []


def test_conditions_and_rights_are_kept(hall):
    ada = hall.server.newcomer("Ada")
    wish = {**CARDS, "starts": "2026-11-28T20:00:00Z"}
    assert ada.post("/v1/tournaments", wish).json["code"] == "scope-missing"
    path = hall.create({**CARDS, "account_days": 1, "invited": True})
    invitation = hall.get(path, hall.director)["invitation"]
    assert hall.get(path, ada)["invitation"] is None
    assert ada.put(f"{path}/entry", {}).json["code"] == "not-invited"
    assert ada.put(f"{path}/entry", {"invitation": "é"}).json["code"] == "not-invited"
    assert ada.put(f"{path}/entry", {"invitation": invitation}).json["code"] == "conditions-not-met"
    hall.at += DAY
    assert ada.put(f"{path}/entry", {"invitation": invitation}).status_code == 200
    path = hall.create({**CARDS, "finished_games": 1})
    program = hall.server.bot_of_somebody("Hal")
    for person in (ada, program):
        assert person.put(f"{path}/entry", {}).json["code"] == "conditions-not-met"
    made = ada.post("/v1/games", {"ruleset": "plateau", "seats": [{"player": "me"}, {"bot": "random"}]}).json
    assert ada.post(f"/v1/games/{made['id']}/resign", {"confirm": True}).status_code == 201
    assert ada.put(f"{path}/entry", {}).status_code == 200
    other = hall.server.known(ada.id, (*GUEST_SCOPES, "tournaments"))
    act = {"act": "withdraw", "player": ada.id, "reason": "?"}
    assert other.post(f"{path}/acts", act).json["code"] == "not-the-director"
    assert ada.post(f"{path}/acts", act).json["code"] == "scope-missing"


def test_what_makes_no_sense_is_rejected(hall):
    def refused(**changes):
        answer = hall.director.post("/v1/tournaments", {**CARDS, "starts": "2026-11-28T20:00:00Z", **changes})
        return answer.status_code, answer.json["code"]

    for changes, code in (
        ({"starts": "2026-11-28T03:00:00Z"}, "tournament-start"),
        ({"starts": "2027-06-01T03:00:00Z"}, "tournament-start"),
        ({"deals": 0}, "tournament-form"),
        ({"pairing": "swiss"}, "tournament-form"),
        ({"ruleset": "plateau"}, "tournament-form"),
        ({"auction": "greedy"}, "no-auction"),
        ({"seats": 4}, "invalid-options"),
        ({"clock": {"per_move": "PT1S"}}, "invalid-options"),
        ({"clock": {"per_move": "P1D", "on_timeout": "resign"}}, "invalid-options"),
    ):
        assert refused(**changes) == (422, code), changes
    for changes in (
        {"starts": "tomorrow"},
        {"rounds": 21},
        {"options": {"x": 1}},
        {"most": 257},
        {"clock": None},
        {"bot": None},
    ):
        assert refused(**changes)[0] == 400, changes
    path = hall.create(CARDS)
    hall.people(2, path)
    for act, code in (
        ({"act": "withdraw", "player": "pl_x"}, "not-entered"),
        ({"act": "substitute", "player": "pl_x", "by": "pl_y"}, "no-place"),
        ({"act": "adjust", "player": hall.get(path)["players"][0]["player"], "points": 1}, "not-started"),
    ):
        assert hall.director.post(f"{path}/acts", {**act, "reason": "?"}).json["code"] == code
    assert hall.director.post(f"{path}/acts", {"act": "cancel", "points": 1, "reason": "?"}).status_code == 400
    assert hall.server.stranger().get("/v1/tournaments/tn_1").json["code"] == "no-such-tournament"


def test_a_key_creates_one_tournament_and_the_list_has_all_the_last_to_start_first(hall):
    wish = {**CARDS, "starts": "2026-11-28T20:00:00Z"}
    made = {hall.director.post("/v1/tournaments", wish, Idempotency_Key="once").json["id"] for _ in range(2)}
    later = [hall.create(DUELS, starts=f"2026-12-0{day}T20:00:00Z").rpartition("/")[2] for day in (1, 2, 3)]
    (first,), page, listed = made, "", list[str]()
    while page is not None:
        found = hall.server.stranger().get(f"/v1/tournaments?limit=3{page}").json
        listed += [each["id"] for each in found["items"]]
        page = found["next_cursor"] and f"&cursor={found['next_cursor']}"
    assert listed == [*reversed(later), first]


def test_a_backup_keeps_a_tournament_that_is_played(hall, tmp_path):
    path = hall.create({**CARDS, "rounds": 1, "deals": 1})
    hall.people(3, path)
    hall.start()
    hall.keep()
    EventStore(hall.server.redis).begin()
    back_up(hall.server.redis, tmp_path)
    other = fakeredis.FakeRedis(server=fakeredis.FakeServer())
    restore(other, tmp_path)
    again = Hall(other)
    again.at = hall.at + 2 * DAY
    again.keep()
    assert again.get(path)["status"] == "ended"
    assert [each["id"] for each in again.server.stranger().get("/v1/tournaments").json["items"]] == [path[16:]]


def test_a_director_who_asks_for_too_many_tournaments_waits(hall):
    hall.server.keep_limits(new_tournaments=1)
    hall.create(CARDS)
    wish = {**CARDS, "starts": "2026-11-28T20:00:00Z"}
    assert hall.director.post("/v1/tournaments", wish).json["bucket"] == "new-tournaments"
