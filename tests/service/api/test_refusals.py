"""What is rejected, with which status and code, by which token; and that a refusal changes and discloses nothing."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import fakeredis
import pytest
from werkzeug.test import TestResponse

from domain.cardplay.cards import TAROT_PACK
from service.accounts.players import GUEST_SCOPES
from tests.service.api.refusals import CASES, CLOSED_TO_SEATS, FORMS, HOOK, NEW_GAME, SCOPES, UNPROMISED
from tests.support.contract import Contract
from tests.support.people import ME, OPEN, Person, Server
from tests.support.random_games import played

ALL = (*GUEST_SCOPES, "tournaments", "admin")
CODES = re.compile(r"Not a valid card code; the codes are [^.]+\.")
"""The fault of a code that is no card of the game."""
CARD = re.compile(rf"\b(?:{'|'.join(TAROT_PACK)})\b")


@dataclass
class World:
    """A service with games and people to ask for things that are refused: nothing in it ever changes."""

    server: Server
    people: dict[str, Person]
    places: dict[str, Any]

    def refused(self, who: str, request: str, body: Any = None, headers: Any = None, **raw: Any) -> TestResponse:
        """Send a request that must be rejected; check that it disclosed nothing."""
        method, _, path = request.partition(" ")
        path, person = path.format(**self.places), self.people[who]
        answer = person.ask(method, path, body, headers, **raw)
        assert answer.mimetype == "application/problem+json", answer.data
        told = answer.text + str(answer.headers)
        assert person.token is None or person.token not in told
        assert {*CARD.findall(CODES.sub("", told))} <= {*CARD.findall(f"{path} {body}")}
        assert "Traceback" not in told
        return answer


@pytest.fixture(scope="module")
def world(contract: Contract) -> Iterator[World]:
    server = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract)
    ada, bob, cleo, dan, eve = (server.newcomer(name) for name in ("Ada", "Bob", "Cleo", "Dan", "Eve"))

    def made(**more: Any) -> str:
        return str(ada.post("/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN, OPEN], **more}).json["id"])

    table, duel = server.table([ada, bob, cleo, dan]), server.table([ada, bob], ruleset="plateau")
    over = server.table_of_log(played("le-plateau", 3, 0))
    games = {"table": table.id, "duel": duel.id, "over": over.id, "sandbox": made(**NEW_GAME), "waiting": made(),
             "private": made(visibility="private"), "cancelled": made()}  # fmt: skip
    assert ada.delete(f"/v1/games/{games['cancelled']}").status_code == 200
    hook = ada.post("/v1/webhooks", HOOK).json["id"]
    assert ada.post(f"/v1/webhooks/{hook}/test").json["number"] == 1
    places = {
        **{name: f"/v1/games/{game_id}" for name, game_id in games.items()},
        **{f"{name}_id": game_id for name, game_id in games.items()},
        "link": ada.post(f"/v1/games/{games['waiting']}/invitations", {"link": True}).json["url"],
        "hook": f"/v1/webhooks/{hook}", "ada": ada.id, "turn": table.to_act, "none": "a" * 26,
        "token": ada.get("/v1/me/tokens").json["items"][0]["id"],
    }  # fmt: skip
    seat = ada.post(f"/v1/games/{games['waiting']}/seats/0/tokens", {}).json["token"]
    people = {
        "ada": ada, "bob": bob, "eve": eve, "stranger": server.stranger(), "turn": table.people[table.to_act],
        "idle": table.people[table.idle], "over": over.people[0], "seat": ada.holding(seat),
        "operator": server.known("pl_olga", ["admin"]), "both": server.known(ada.id, ALL),
        "forger": server.stranger("plt_a_b"),
        **{f"without {scope}": server.known(ada.id, [each for each in ALL if each != scope]) for scope in ALL},
    }  # fmt: skip
    yield World(server, people, places)
    server.players.close()


@pytest.fixture(autouse=True)
def unchanged(world: World) -> Iterator[None]:
    """Check that no refusal of a test has changed anything."""
    before = world.server.contents()
    yield
    assert world.server.contents() == before


def put(base: Any, pointer: str, value: Any) -> Any:
    """Return a body with a value at a pointer."""
    body = place = json.loads(json.dumps(base))
    *way, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part, following in zip(way, [*way, last][1:], strict=True):
        inside: Any = [None] if following == "0" else {}
        place = place[int(part)] if isinstance(place, list) else place.setdefault(part, inside)
    place[int(last) if isinstance(place, list) else last] = value
    return body


def sent(request: str, base: Any, pointer: str, value: Any) -> tuple[str, Any, dict[str, str]]:
    """Return a request with a value at a place: in the body, in a parameter or in a header."""
    if pointer.startswith("/"):
        return request, put(base, pointer, value), {}
    if pointer.startswith("?"):
        path, _, query = request.partition("?")
        others = [each for each in query.split("&") if each and not each.startswith(f"{pointer[1:]}=")]
        return f"{path}?{'&'.join([*others, f'{pointer[1:]}={value}'])}", base, {}
    return request, base, {pointer: value}


FAULTS = [(request, pointer) for request, (_, faults) in FORMS.items() for pointer in faults]


@pytest.mark.parametrize(("request_", "pointer"), FAULTS, ids=" ".join)
def test_what_is_malformed_is_refused_where_it_is(world: World, request_: str, pointer: str) -> None:
    base, faults = FORMS[request_]
    who = "operator" if "/admin/" in request_ else "ada"
    for value in faults[pointer]:
        asked, body, headers = sent(request_, base, pointer, value)
        answer = world.refused(who, asked, body, headers)
        assert (answer.status_code, answer.json["code"]) == (400, "malformed"), value
        assert {fault["pointer"] for fault in answer.json["errors"]} == {pointer}, value
        assert len(answer.data) < 1000 + len(str(pointer))


@pytest.mark.parametrize("resource", CASES)
def test_what_cannot_be_done_is_refused_with_its_code(world: World, resource: str) -> None:
    for who, request, body, status, expected in CASES[resource]:
        answer = world.refused(who, request, body)
        if expected[0] in "/?":
            fault = answer.json["errors"][0]
            found = (fault["pointer"], fault["code"])[: len(expected.split())]
        else:
            found = (answer.json["code"],)
        assert (answer.status_code, " ".join(found)) == (status, expected), (who, request, body)


class Asked(NamedTuple):
    """An operation, and a request to it at a game that waits for players."""

    name: str
    needs_token: bool
    request: str
    body: Any


@pytest.fixture(scope="module")
def asked(world: World, contract: Contract) -> list[Asked]:
    """Every operation that takes a token."""
    places = world.places | {"game_id": world.places["waiting_id"], "seat": 0, "proposal_id": "p1", "secret": "a" * 26}
    places |= {
        "token_id": "tk_1",
        "invitation_id": "in_1",
        "subscription_id": "ps_1",
        "webhook_id": "wh_1",
        "number": 1,
        "ruleset": "plute",
        "date": "2026-11-28",
        "set_id": "set_1",
        "tournament_id": "tn_1",
    }
    return [
        Asked(
            each["operationId"],
            {} not in each["security"],
            f"{method.upper()} {path.format(**places)}" + ("?format=text" if path.endswith("/export") else ""),
            {} if method in ("post", "put", "patch") else None,
        )
        for path, methods in contract.document["paths"].items()
        for method, each in methods.items()
        if each["security"]
    ]


def test_every_operation_wants_its_scopes_and_no_others(world: World, asked: list[Asked]) -> None:
    wanted = {name: needed.split() for needed, names in SCOPES.items() for name in names.split()}
    assert wanted.keys() == {each.name for each in asked}
    for each in asked:
        for lacking in () if each.name in UNPROMISED else wanted[each.name]:
            answer = world.refused(f"without {lacking}", each.request, each.body)
            assert (answer.status_code, answer.json["code"]) == (403, "scope-missing"), (each, lacking)
            assert lacking in answer.json["detail"]


def test_without_a_token_or_with_another_nothing_of_a_players_own_is_open(world: World, asked: list[Asked]) -> None:
    for each in asked:
        answer = world.refused("forger", each.request, each.body)
        assert (answer.status_code, answer.json["code"]) == (401, "invalid-token"), each
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        if each.needs_token:
            answer = world.refused("stranger", each.request, each.body)
            assert (answer.status_code, answer.json["code"]) == (401, "token-missing"), each
            assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_the_token_of_a_seat_opens_nothing_of_the_account(world: World, asked: list[Asked]) -> None:
    for each in asked:
        if each.name in CLOSED_TO_SEATS.split():
            answer = world.refused("seat", each.request, each.body)
            assert (answer.status_code, answer.json["code"]) == (403, "seat-token"), each
            assert f"seat of player 1 in the game {world.places['waiting_id']}" in answer.json["detail"]
