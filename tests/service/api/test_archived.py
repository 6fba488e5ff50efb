"""An archived game answers every question as before it was archived, byte for byte, and takes what it took before."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from domain.registry import RULESETS
from service.games.projections.representations import action_data
from service.store.archive.buckets import Folder
from service.store.archiving import Archive
from service.store.event_store import EventStore
from service.store.waiting import archived
from tests.support.contract import Contract
from tests.support.people import Person, Server, Table
from tests.support.random_games import played
from tests.support.transparency import log_heads

QUERIES: dict[str, list[str]] = {
    "": [""],
    "/analysis": ["", "?as=0&lang=en"],
    "/audit": [""],
    "/board.svg": ["", "?as=0", "?as=spectator&at=7", "?as=0&at=9&knowledge=full"],
    "/events": ["", "?limit=1000", "?after=5&limit=7&lang=fr", "?as=spectator&after=9", "?after=9&receipts=true"],
    "/export": ["?format=text", "?format=audit", "?format=bundle", "?format=html", "?format=text&as=spectator"],
    "/inclusion": ["", "?version=1"],
    "/invitations": [""],
    "/legal-actions": ["", "?as=0"],
    "/luck": [""],
    "/phrases": [""],
    "/plan": ["", "?as=0"],
    "/scene": ["", "?as=0&at=9", "?at=9&knowledge=full&lang=ja"],
    "/view": ["", "?as=0", "?as=spectator&at=9", "?as=0&at=8&knowledge=full", "?lang=en&with=legal-actions"],
}
"""What to ask at each path of a game."""

LISTS = ["/v1/games?status=finished", "/v1/me/games", "/v1/me/games?status=finished", "/v1/me/export"]
OF_A_MOMENT = {"Date", "X-Request-Id", "RateLimit", "RateLimit-Policy"}
TABLES = {"french-tarot": 4, "le-plateau": 3, "plateau": 2, "plute": 6}
USUAL = {"le-plateau"}


@pytest.fixture
def server(server: Server, archive_folder: Path) -> Server:
    """A service with an archive."""
    server.store = EventStore(server.redis, archive=Folder(archive_folder))
    server.forget_games()
    return server


def move_out(server: Server, game_id: str) -> None:
    """Move a game into the archive; the next request is that of a new process."""
    place = server.store.archived.place
    assert place is not None
    assert Archive(server.store, place).move_out(game_id).result == "out"
    server.store = EventStore(server.redis, archive=place)
    server.forget_games()


def is_archived(server: Server) -> bool:
    return archived(server.redis, server.store.all_shards).archived == 1


def answers(table: Table) -> Iterator[tuple[str, str, int, bytes, dict[str, str]]]:
    """Ask everything: a player of the table, and somebody without a token."""
    for who, person in (("player", table.people[0]), ("stranger", table.server.stranger())):
        paths = [f"{table.path}{path}{query}" for path, queries in QUERIES.items() for query in queries]
        for path in [*paths, *LISTS]:
            answer = person.get(path)
            headers = {name: text for name, text in answer.headers.items() if name not in OF_A_MOMENT}
            yield who, path, answer.status_code, re.sub(rb"req_[0-9a-f]{16}", b"", answer.data), headers


def test_every_question_about_a_game_is_among_those_asked(contract: Contract) -> None:
    asked = {f"/v1/games/{{game_id}}{path}" for path in QUERIES}
    paths = contract.document["paths"].items()
    assert asked == {path for path, operations in paths if "{game_id}" in path and "get" in operations}


@pytest.mark.parametrize(
    "ruleset", [each if each in USUAL else pytest.param(each, marks=pytest.mark.long) for each in TABLES]
)
def test_every_answer_is_the_same_byte_for_byte(server: Server, ruleset: str) -> None:
    assert TABLES.keys() == {name for name in RULESETS if not name.startswith("liars")}
    table = server.table_of_log(played(ruleset, TABLES[ruleset], 0))
    log_heads(server)
    assert table.people[0].post(f"{table.path}/phrases?as=0", {"phrase": "thank_you"}).status_code == 201
    assert table.people[0].post(f"{table.path}/analysis").status_code in (200, 201, 202)
    server.forget_games()
    before = [*answers(table)]
    assert len({body for _, _, status, body, _ in before if status == 200}) > 25
    move_out(server, table.id)
    after = [*answers(table)]
    for was, now in zip(before, after, strict=True):
        assert was == now, was[:2]
    assert is_archived(server)


def test_a_request_that_is_repeated_gets_its_first_answer(server: Server) -> None:
    steps = played("le-plateau", 3, 0)
    table = server.table_of_log(steps[:-1])
    seat, action = steps[-1].seat, action_data(steps[-1].game.ruleset, steps[-1].action)

    def last() -> TestResponse:
        return table.act(seat, action, Idempotency_Key="last")

    first = last()
    assert first.status_code == 201
    move_out(server, table.id)
    again = last()
    assert (again.status_code, again.data) == (201, first.data)
    assert is_archived(server)
    refused = table.act(seat, action)
    assert (refused.status_code, refused.json["game_version"]) == (409, steps[-1].game.version)
    assert is_archived(server)


def test_players_talk_and_meet_again_after_an_archived_game(server: Server, ada: Person, bob: Person) -> None:
    table = server.table([ada, bob], ruleset="plateau")
    table.play(random.Random(2))
    assert ada.get(table.path).json["status"] == "finished"
    move_out(server, table.id)
    assert ada.post(f"{table.path}/phrases", {"phrase": "thank_you"}).status_code == 201
    assert [each["phrase"] for each in bob.get(f"{table.path}/phrases").json["phrases"]] == ["thank_you"]
    made = ada.post(f"{table.path}/rematch", {})
    assert made.status_code == 201
    assert ada.get(table.path).json["rematch"]["game_id"] == made.json["game"]["id"]
    fork = bob.post(f"{table.path}/forks", {"at": 9, "as": 1})
    assert fork.status_code == 201
    assert bob.get(fork.headers["Location"]).json["forked_from"]["game_id"] == table.id
    assert is_archived(server)


def test_a_process_that_knows_a_game_continues_answering_while_it_is_archived(server: Server) -> None:
    table = server.table_of_log(played("plute", 6, 1))
    place = server.store.archived.place
    assert place is not None
    before = [table.view(), table.events(), table.people[0].get(table.path).json]
    Archive(server.store, place).move_out(table.id)
    assert [table.view(), table.events(), table.people[0].get(table.path).json] == before
    server.store.bring_back(table.id)
    assert [table.view(), table.events(), table.people[0].get(table.path).json] == before


def test_an_archive_that_is_away_or_not_set_up_is_said_of_its_games_alone(server: Server, archive_folder: Path) -> None:
    table = server.table_of_log(played("le-plateau", 3, 0))
    other = server.table_of_log(played("le-plateau", 3, 2))
    move_out(server, table.id)
    archive_folder.rename(archive_folder.with_name("away"))
    answer = table.people[0].get(table.path)
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    archive_folder.with_name("away").rename(archive_folder)
    assert table.people[0].get(table.path).status_code == 200
    server.store = EventStore(server.redis)
    server.forget_games()
    answer = table.people[0].get(f"{table.path}/events")
    assert (answer.status_code, answer.json["code"]) == (503, "archive-missing")
    assert "PLATEAU_ARCHIVE" not in answer.text
    assert other.people[0].get(other.path).status_code == 200
    assert len(table.people[0].get("/v1/games?status=finished").json["items"]) == 2
