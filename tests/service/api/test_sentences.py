"""What happened, as sentences beside events: with the names of the moment, and since the viewer's last move."""

import json

import pytest

from domain.game import aggregate, timeouts
from domain.laws.play import written
from service.accounts.players import Person
from service.games.projections.naming import nameplates
from service.games.projections.narrating import say_actions
from tests.support.people import ME
from tests.support.random_games import played
from tests.support.sampling import FULL


def texts(person, path, query=""):
    page = person.get(f"{path}/events?lang=en&limit=1000{query}")
    assert page.status_code == 200
    return [event["sentence"]["text"] for event in page.json["events"]]


def test_an_event_has_a_sentence_only_if_a_language_is_requested(table, ada):
    assert all("sentence" not in event for event in table.events())
    assert texts(ada, table.path)[:6] == [
        "Ada sets up a game for 4 players.",
        "Ada sits down.",
        "Bob sits down.",
        "Cleo sits down.",
        "Dan sits down.",
        "The game begins.",
    ]


def test_a_sentence_comes_with_its_message_and_who_is_meant(table, ada):
    taken = ada.get(f"{table.path}/events?after=1&limit=1&lang=en").json["events"][0]["sentence"]
    assert taken == {
        "id": "seat_taken",
        "params": {"player": {"kind": "player", "player": ada.id, "name": "Ada", "tag": None}},
        "text": "Ada sits down.",
    }
    dealt = ada.get(f"{table.path}/events?after=6&limit=1&lang=en").json["events"][0]
    dealer = dealt["sentence"]["params"]["dealer"]
    assert dealer == {
        "kind": "seat",
        "seat": dealt["data"]["dealer"],
        "player": table.people[dealer["seat"]].id,
        "bot": None,
        "name": ("Ada", "Bob", "Cleo", "Dan")[dealer["seat"]],
        "tag": None,
    }


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset_id", "seats"), FULL)
def test_every_viewer_reads_a_whole_game_and_no_word_of_what_is_hidden(server, ruleset_id, seats):
    steps = played(ruleset_id, seats, 1)
    table = server.table_of_log(steps[:-5])
    for viewer in (*table.seats, "spectator"):
        person = table.people[viewer if viewer in table.seats else 0]
        page = person.get(f"{table.path}/events?lang=en&limit=1000&as={viewer}").json["events"]
        without = person.get(f"{table.path}/events?limit=1000&as={viewer}").json["events"]
        assert [{key: value for key, value in event.items() if key != "sentence"} for event in page] == without
        for event in page:
            shown = json.dumps([event["data"], event["seat"]])
            for card in cards_in(event["sentence"]["params"]):
                assert f'"{card}"' in shown


def cards_in(value):
    if isinstance(value, list):
        return [card for each in value for card in cards_in(each)]
    if not isinstance(value, dict):
        return []
    return [value["card"]] if value.get("kind") == "card" else cards_in([*value.values()])


@pytest.mark.parametrize(
    ("language", "first"),
    [
        ("fr", ["Ada prépare une partie à 4 joueurs.", "Ada s’assied à la table."]),
        ("ja", ["Adaが4人用のゲームを作成しました。", "Adaが席に着きました。"]),
    ],
)
def test_sentences_come_in_every_language(table, ada, language, first):
    page = ada.get(f"{table.path}/events?lang={language}&limit=2").json["events"]
    assert [event["sentence"]["text"] for event in page] == first
    said = table.people[table.to_act].get(f"{table.path}/view?lang={language}").json["legal_actions"]["says"]
    assert {"fr": "Passer", "ja": "パス"}[language] in said


def test_who_has_deleted_their_account_is_named_by_the_seat(table, ada, bob):
    while table.to_act != 0:
        table.act(table.to_act, {"type": "pass"})
    table.act(0, {"type": "pass"})
    assert "Ada passes." in texts(bob, table.path)
    ada.delete(f"/v1/me?confirm={ada.id}")
    after = texts(bob, table.path)
    assert after[:2] == ["A player sets up a game for 4 players.", "A player sits down."]
    assert "Player 1 passes." in after
    assert not [text for text in after if "Ada" in text]


def test_who_left_before_the_start_is_still_named(ada, bob):
    open_seats = {"ruleset": "le-plateau", "seats": [ME, {"open": True}, {"open": True}]}
    path = f"/v1/games/{ada.post('/v1/games', open_seats).json['id']}"
    bob.post(f"{path}/seats")
    bob.delete(f"{path}/seats/1")
    assert texts(ada, path, "&after=2") == ["Bob sits down.", "Bob leaves the table."]
    bob.patch("/v1/me", {"name": "Ben"})
    assert texts(ada, path, "&after=3") == ["Ben leaves the table."]


def test_the_seats_of_who_holds_several_are_called_by_their_numbers(sandbox, ada):
    seat = sandbox.to_act
    sandbox.act(seat, {"type": "pass"})
    said = ada.get(f"{sandbox.path}/events?lang=en&limit=1000").json["events"][-1]["sentence"]
    assert said["text"] == f"Player {seat + 1} passes."
    assert (said["params"]["player"]["player"], said["params"]["player"]["name"]) == (ada.id, "Ada")
    scene = ada.get(f"{sandbox.path}/scene?as=0&lang=en").json
    assert {line["name"] for line in scene["seats"]} == {None}
    assert "Ada" not in json.dumps(scene)


def test_a_bot_takes_over_by_its_name_and_the_past_stays(table, bob):
    seat = table.to_act
    assert table.act(seat, {"type": "pass"}).status_code == 201
    before = texts(bob, table.path)
    assert f"{('Ada', 'Bob', 'Cleo', 'Dan')[seat]} passes." in before
    assert table.people[seat].ask("PUT", f"{table.path}/seats/{seat}", {"bot": "random"}).status_code == 200
    after = texts(bob, table.path)
    assert after[: len(before)] == before
    path = f"{table.path}/events?lang=en&limit=1000"
    seats = [bob.get(table.path).json["seats"][seat], bob.get(f"{table.path}/view").json["game"]["seats"][seat]]
    seats += [each["sentence"]["params"]["player"] for each in bob.get(path).json["events"][-1:]]
    seats.append(bob.get(f"{table.path}/scene?lang=ja").json["seats"][seat])
    name, *others = {each["name"].strip("\u2068\u2069") for each in seats}
    assert (after[len(before)], others) == (f"{name} sits down.", [])


# -- what legal actions do ------------------------------------------------------------------------------------------


def test_legal_actions_come_in_words_only_if_a_language_is_requested(table):
    person = table.people[table.to_act]
    plain = person.get(f"{table.path}/view").json["legal_actions"]
    said = person.get(f"{table.path}/view?lang=en").json["legal_actions"]
    assert said == {**plain, "says": said["says"]}
    assert said["says"][said["actions"].index({"type": "pass"})] == "Pass"
    assert len({*said["says"]}) == said["count"]
    page = person.get(f"{table.path}/legal-actions?lang=en&limit=3").json
    assert page["says"] == said["says"][:3]
    assert "says" not in person.get(f"{table.path}/legal-actions").json


def test_the_view_after_events_says_legal_actions_too(table):
    person = table.people[table.to_act]
    page = person.get(f"{table.path}/events?with=view&lang=en").json
    assert page["view"] == person.get(f"{table.path}/view?lang=en").json


def test_a_list_that_a_view_leaves_out_is_said_a_page_at_a_time(server):
    steps = played("plateau", 2, 1)
    long = next(step.game for step in steps if step.game.pending and many(step.game) > 200)
    table = server.table_of_log(steps[: [step.game for step in steps].index(long) + 1])
    person = table.people[table.to_act]
    assert "says" not in person.get(f"{table.path}/view?lang=en").json["legal_actions"]
    assert len(person.get(f"{table.path}/legal-actions?lang=en").json["says"]) == many(long)


def many(game):
    return len(game.ruleset.legal_actions(game.state, min(game.pending)))


def test_an_action_names_whom_it_concerns():
    steps = next(steps for seed in range(9) if (steps := giving(seed)))
    game = steps[-1].game
    gifts = {"count": 1, "actions": [{"type": "give", "gifts": [{"seat": 1, "card": "RH"}, {"seat": 2, "card": "EX"}]}]}
    say_actions(
        gifts, game, nameplates(game, lambda ids: {player: Person(f"Ada {player[-1]}") for player in ids}), "en"
    )
    assert gifts["says"] == ["Give the king of hearts to Ada 1 and the Excuse to Ada 2"]


def giving(seed):
    steps = played("le-plateau", 6, seed)
    gives = [number for number, step in enumerate(steps) if type(step.action).__name__ == "Give"]
    return steps[: gives[0]] if gives else None


# -- why the rules reject an action ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accepted", "language", "detail"),
    [
        (None, "en", "the bidding is on: bid or pass"),
        ("tlh, *;q=0", "en", "the bidding is on: bid or pass"),
        ("fr-CA, en;q=0.5", "fr", "les enchères sont en cours\u00a0: annoncez ou passez"),
        ("de, ja;q=0.8, en;q=0.2", "ja", "ビッド中です。ビッドするかパスしてください"),
        ("fr;q=0, en", "en", "the bidding is on: bid or pass"),
        ("x" * 5000, "en", "the bidding is on: bid or pass"),
    ],
)
def test_a_refusal_is_in_the_language_of_the_request(table, accepted, language, detail):
    headers = {} if accepted is None else {"Accept_Language": accepted}
    refused = table.act(table.to_act, {"type": "play", "card": "RH"}, **headers)
    assert (refused.status_code, refused.json["code"], refused.json["rule"]) == (422, "wrong-phase", "4. Bidding")
    assert (refused.headers["Content-Language"], refused.json["detail"]) == (language, detail)


def test_what_is_not_refused_has_no_language(table, ada):
    for path in (f"{table.path}/view", f"{table.path}/events?lang=fr"):
        assert "Content-Language" not in ada.get(path, Accept_Language="fr").headers


# -- since my last move ---------------------------------------------------------------------------------------------


def since(person, path, query=""):
    page = person.get(f"{path}/events?since=my-last-move&limit=1000{query}")
    assert page.status_code == 200
    return [event["version"] for event in page.json["events"]]


def test_events_since_the_last_move_begin_after_the_last_event_of_the_seat(server):
    for steps in (played("le-plateau", 3, 3)[:-30], played("plateau", 2, 1)[:-30]):
        table = server.table_of_log(steps)
        log = table.events()
        for seat in table.seats:
            last = max(event["version"] for event in log if event["seat"] == seat)
            assert since(table.people[seat], table.path) == [*range(last + 1, log[-1]["version"] + 1)]


def test_what_the_rules_did_for_a_seat_is_no_move_of_it(server):
    """The last pass of another player makes the declarer take the talon: that is news, and so are the passes."""
    steps = played("le-plateau", 4, 1)
    number, taken = next(
        (number, record)
        for number, step in enumerate(steps, 1)
        for record in step.records
        if record.type == "talon_taken" and record.seat != step.seat
    )
    table = server.table_of_log(steps[:number])
    bid = max(each["version"] for each in table.events() if each["seat"] == taken.seat and each["type"] == "bid_made")
    assert since(table.people[taken.seat], table.path) == [*range(bid + 1, table.version + 1)]


def test_a_move_far_back_is_found(server):
    """A seat that a bot plays for: its last own move is older than what is read at first."""
    steps = list(played("le-plateau", 3, 0)[:8])
    seat = next(iter(steps[-1].game.pending))
    steps.append(moved(steps[-1].game, seat))
    own = max(record.version for record in steps[-1].records if record.seat == seat)
    while len(log := [record for step in steps for record in step.records]) < 200:
        game = steps[-1].game
        mover = min(game.pending)
        steps.append(late(game, mover) if mover == seat else moved(game, mover))
    table = server.table_of_log(steps)
    assert since(table.people[seat], table.path) == [*range(own + 1, len(log) + 1)]


def moved(game, seat):
    action = game.ruleset.legal_actions(game.state, seat)[0]
    return written(game, seat, action, aggregate.act(game, seat, action))


def late(game, seat):
    action = game.ruleset.legal_actions(game.state, seat)[0]
    return written(game, seat, None, timeouts.act_late(game, seat, "random", action))


def test_a_spectator_has_no_last_move(table, stranger, ada):
    for person, query in ((stranger, ""), (ada, "&as=spectator")):
        answer = person.get(f"{table.path}/events?since=my-last-move{query}")
        assert (answer.status_code, answer.json["code"]) == (403, "not-seated")
