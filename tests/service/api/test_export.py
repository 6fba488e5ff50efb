"""A game as text, over HTTP: for whom, in which form, and that it reads back."""

import json
from hashlib import sha256

import pytest

from domain.audit.bundle import read
from domain.audit.signed import Trust
from domain.audit.verifying import verify
from domain.laws.play import events_of
from domain.laws.texts import seen
from domain.log import chain
from domain.registry import RULESETS
from domain.texts import document
from service.transparency.signatures import is_signed
from tests.support.changed_rules import changed_rules
from tests.support.people import ME
from tests.support.random_games import played
from tests.support.sampling import SMALLEST
from tests.support.transparency import log_heads


@pytest.fixture
def running(server):
    """A game of three in the middle of the play of a later hand."""
    return server.table_of_log(played("le-plateau", 3, 3)[:-30])


def exported(person, table, more=""):
    """Fetch a game as text."""
    answer = person.get(f"{table.path}/export?format=text{more}")
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_a_finished_game_is_written_whole_for_anyone_and_reads_back(server, stranger, ruleset_id, seats):
    steps = played(ruleset_id, seats, 0)
    text = exported(stranger, server.table_of_log(steps))
    assert text == document.write(seen(steps))
    reading = document.read(text)
    assert list(reading.events) == events_of(steps)
    assert reading.outcome == steps[-1].game.outcome


def test_it_is_plain_text_with_the_version_as_its_tag(running, stranger):
    answer = stranger.get(f"{running.path}/export?format=text")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["ETag"] == f'"{running.version}-f"'
    again = stranger.get(f"{running.path}/export?format=text", If_None_Match=answer.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")


def test_anyone_who_holds_several_seats_looks_from_the_lowest_as_in_events(sandbox, ada):
    assert exported(ada, sandbox) == document.write(sandbox.events(0))
    assert exported(ada, sandbox, "&as=2") == document.write(sandbox.events(2))


def test_a_game_that_waits_for_players_has_a_header_only(ada):
    game = ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, {"open": True}], "options": {"hands": 4}}).json
    text = ada.get(f"/v1/games/{game['id']}/export?format=text").text
    assert f"options: hands=4\ngame: {game['id']}\nplayers: {ada.id} -\nseeds: - -\n" in text
    assert document.read(text).events == ()


def test_only_a_game_in_one_file_ignores_parameters_that_it_does_not_know(running, stranger):
    plain, shared = (stranger.get(f"{running.path}/export?format=html{more}") for more in ("", "&fbclid=a"))
    assert (shared.status_code, shared.data) == (200, plain.data)
    for form in ("text", "audit", "bundle"):
        answer = stranger.get(f"{running.path}/export?format={form}&fbclid=a")
        assert (answer.status_code, answer.json["errors"][0]["code"]) == (400, "unknown-parameter")


def test_a_ruleset_without_text_form_says_so(running, stranger):
    with changed_rules(RULESETS["le-plateau"], notation=None):
        answer = stranger.get(f"{running.path}/export?format=text")
    assert (answer.status_code, answer.json["code"]) == (422, "unsupported")


def audited(person, table, more=""):
    """Fetch the log of a game with its draws."""
    answer = person.get(f"{table.path}/export?format=audit{more}")
    assert answer.status_code == 200
    return answer.json


def test_an_audit_has_the_log_as_the_viewer_can_see_it_and_the_same_draws_for_all(running, stranger):
    """Of the deals that are over, it opens every part."""
    documents = [audited(running.people[seat], running) for seat in running.seats]
    for each, seat in zip([*documents, audited(stranger, running)], [*running.seats, None], strict=True):
        over = max(event["version"] for event in each["events"] if event["type"] == "secret_revealed")
        assert each["events"][over:] == running.events(seat)[over:]
        assert all(event["salts"].keys() == event["sealed"].keys() for event in each["events"][1:over])
        assert "secret" not in each["events"][0]["data"]
        assert chain.verify(each["events"]) == each["head"]
        assert each["version"] == running.version
    assert {json.dumps(each["draws"]) for each in documents} == {json.dumps(audited(stranger, running)["draws"])}
    dealt = [event["version"] for event in documents[0]["events"] if event["type"] == "hand_dealt"]
    assert [draw["version"] for draw in documents[0]["draws"] if draw["label"] == "deal"] == dealt


def bundled(person, table, more=""):
    """Fetch the bundle of a game."""
    answer = person.get(f"{table.path}/export?format=bundle{more}")
    assert (answer.status_code, answer.mimetype) == (200, "application/jsonl")
    return answer


def test_a_bundle_has_line_by_line_what_an_audit_has(running, stranger):
    for person in (*running.people, stranger):
        answer, audit = bundled(person, running), audited(person, running)
        found = read(answer.data)
        assert (found.events, found.draws) == (audit["events"], audit["draws"])
        assert {name: found.header[name] for name in ("ruleset", "game_id", "version", "head")} == {
            name: audit[name] for name in ("ruleset", "game_id", "version", "head")
        }
        assert answer.headers["ETag"].startswith(f'"{running.version}-')
        report = verify(found)
        assert report.fault is None
        assert report.unchecked


def test_a_bundle_has_its_receipt_and_once_its_head_is_logged_the_proof_of_that(server, stranger):
    table = server.table_of_log(played("plateau", 2, 0))
    before = bundled(stranger, table)
    ring = log_heads(server)
    after = bundled(stranger, table)
    trust = Trust(is_signed, ring.public_keys())
    for answer, unchecked, notes in ((before, 1, ""), (after, 0, "the first root in the bundle over version")):
        bundle = read(answer.data)
        report = verify(bundle, trust=trust)
        assert (report.fault, len(report.unchecked)) == (None, unchecked)
        assert "".join(report.notes).startswith(notes)
        assert len(report.notes) == bool(notes)
        assert [*bundle.signed["receipt"]] == [json.loads(answer.headers["Plateau-Receipt"])]
        assert [*bundle.signed["keys"]] == [stranger.get("/.well-known/plateau-keys.json").json]
    assert before.headers["ETag"] != after.headers["ETag"]
    server.table_of_log(played("plateau", 2, 1))
    log_heads(server)
    assert bundled(stranger, table).data == after.data, "it does not change when the log of heads grows"


def test_the_bundle_of_a_fork_says_what_it_repeats(ada, finished):
    dealt = [event["version"] for event in finished.events(None) if event["type"] == "hand_dealt"]
    seats = [{"player": "me"}, {"bot": "random"}, {"bot": "random"}]
    fork = ada.post(f"/v1/games/{finished.id}/forks", {"at": dealt[-1] + 1, "seats": seats}).json
    ada.post(f"/v1/games/{fork['id']}/proposals", {"kind": "abort"})
    report = verify(read(ada.get(f"/v1/games/{fork['id']}/export?format=bundle").data), trust=Trust(is_signed))
    assert report.fault is None
    assert "is a fork of" in report.unchecked[0]


def test_what_a_game_is_verified_with_has_its_secret_only_when_it_is_over(server, stranger):
    steps = played("plateau", 2, 0)
    running, finished = server.table_of_log(played("plateau", 2, 1)[:-1]), server.table_of_log(steps)
    before, after = (stranger.get(f"{table.path}/audit").json for table in (running, finished))
    assert before["secret"] is None
    assert sha256(bytes.fromhex(after["secret"])).hexdigest() == after["commitment"]
    assert after["head"] == steps[-1].game.head
    assert after["seeds"] == [sitter.client_seed for sitter in steps[-1].game.sitters]
