"""Random worlds: no request of a viewer, on any endpoint, discloses what the viewer is not allowed to know.

A random game is played to a random moment. For each viewer another world is drawn that looks the same (the ruleset's
``sample``) and put into a second store; every question must get the same answer from both: status, headers, size, body.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import fakeredis

from domain.game.aggregate import Game
from domain.game.proposals import kinds
from domain.registry import RULESETS
from service.games.projections.representations import action_data
from tests.domain.laws.facts import variants
from tests.fuzz.report import Report
from tests.support.other_worlds import empty, in_another_world, questions, told
from tests.support.people import Person, Server
from tests.support.push import Browser
from tests.support.random_games import Step, playing
from tests.support.sampling import TABLES

Question = tuple[str, str, Any, dict[str, str]]

_BROWSER = Browser(auth=bytes(16)).subscription("https://push.example.com/send/a")
NOW = "2026-12-31T00:00:00.000Z"
NOT_OF_A_GAME = {
    "create_player": "its answer is a new id and a new secret",
    "create_game": "its answer is a new id and a new commitment",
    "create_token": "its answer is a new secret",
    "create_webhook": "its answer is a new id and a new secret",
    "create_board_link": "its answer is signed with a secret of the store",
    "create_seat_token": "its answer is a new secret",
    "show_push_key": "its answer is a key of the store",
    "show_signing_keys": "its answer is the keys of the store",
    "create_stream_ticket": "its answer is signed with a secret of the store",
    "metrics": "counts what this process did",
}
"""Operations that are left out, because two servers never respond alike, and why that discloses nothing of a world."""

_FORGED = {"hash": "0" * 64, "at": NOW, "key_id": "0" * 16, "signature": "0" * 128}
_MINE = ("games", "games?to_act=true", "tokens", "invitations", "events?limit=3", "export")


def more_questions(game: Game, viewer: int | None, rng: random.Random) -> Iterator[Question]:
    """List a viewer's requests beside ``questions``, so that every operation is covered; writes at the end."""
    path, seat = f"/v1/games/{game.id}", viewer or 0
    for ask in (
        "/",
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/docs",
        "/about",
        "/v1/rulesets",
        "/v1/problems/stale",
        "/v1/me",
    ):
        yield "GET", ask, None, {}
    yield from (
        ("GET", ask, None, {})
        for ask in (
            f"/v1/rulesets/{game.ruleset.id}",
            f"/v1/rulesets/{game.ruleset.id}/tutorial",
            f"/v1/players/pl_{seat}",
        )
    )
    yield from (("GET", f"/v1/me/{ask}", None, {}) for ask in _MINE)
    yield "GET", "/v1/bots", None, {}
    yield from (("GET", f"/v1/{ask}", None, {}) for ask in ("daily", "sets/set_0/events"))
    day = f"/v1/daily/{game.ruleset.id}/2026-11-28"
    yield from (("GET", f"{day}/{ask}", None, {}) for ask in ("results", "card"))
    yield "POST", f"{day}/deals", {}, {}
    one = "/v1/tournaments/tn_0"
    yield from (("GET", ask, None, {}) for ask in ("/v1/tournaments", one, f"{one}/events"))
    yield from (("POST", ask, {}, {}) for ask in ("/v1/tournaments", f"{one}/acts"))
    yield from ((method, f"{one}/entry", None, {}) for method in ("PUT", "DELETE"))
    yield from (("GET", f"/v1/heads{rest}", None, {}) for rest in ("", "/consistency?from=1", "/leaves"))
    yield "GET", f"{path}/inclusion", None, {}
    yield "POST", "/v1/heads/1/signatures", {"witness": "ab" * 32, "signature": "cd" * 64}, {}
    hook = "/v1/webhooks/wh_0000000000000000"
    yield from (("GET", ask, None, {}) for ask in ("/v1/webhooks", hook, f"{hook}/deliveries"))
    yield from (("POST", f"{hook}/{ask}", {}, {}) for ask in ("secret", "test", "deliveries/1/redeliver"))
    yield "PATCH", hook, {"enabled": False}, {}
    yield "DELETE", hook, None, {}
    yield "GET", f"/v1/games?player=pl_{seat}", None, {}
    for speed in ("none", "slow"):
        yield from (("GET", f"/v1/{ask}?speed={speed}&limit=1", None, {}) for ask in ("games", "me/games"))
    for _ in range(3):
        at, limit = rng.randint(0, game.version + 1), rng.randint(1, 40)
        yield "GET", f"{path}/events?after={at}&limit={limit}&as={rng.choice(['spectator', seat])}", None, {}
        yield "GET", f"{path}/events?lang=en&after={at}&limit={limit}&since=my-last-move", None, {}
        yield "GET", f"{path}/{rng.choice(['view', 'board.svg', 'scene'])}?at={at}", None, {}
    yield "GET", f"{path}/board.svg?ticket=a-guess", None, {}
    yield "GET", f"{path}/audit", None, {}
    yield "GET", f"{path}/export?format=text&as=spectator", None, {}
    for form in ("audit", "bundle"):
        yield "GET", f"{path}/export?format={form}&as=spectator", None, {}
    if rng.random() < 0.2:  # it takes long
        yield "GET", f"{path}/export?format=html&as=spectator", None, {}
    tried = [*kinds(game.ruleset), "draw"]
    back_to = rng.randint(1, game.version)
    yield "POST", f"{path}/claim", {}, {}
    yield "POST", f"{path}/proposals/p{rng.randint(1, game.version)}/votes", {"accept": True}, {}
    yield "PUT", f"{path}/seats/{len(game.sitters) - 1 - seat}", {"bot": "random"}, {}
    yield "POST", f"{path}/proposals", {"kind": rng.choice(tried)}, {}
    yield "POST", f"{path}/proposals", {"kind": "take_back", "to_version": back_to}, {}
    yield "POST", f"{path}/rematch", {}, {}
    yield "POST", f"{path}/seeds", {"seat": seat, "client_seed": "luck"}, {}
    yield "POST", f"{path}/phrases?as={seat}", {"phrase": "hello"}, {}
    yield "GET", f"{path}/phrases", None, {}
    yield from (("POST", f"{path}/hints{query}", {}, {}) for query in ("", f"?as={seat}", "?at=2"))
    yield "POST", "/v1/verify-receipt", _FORGED | {"game": game.id, "version": game.version}, {}
    yield "POST", f"{path}/analysis", {}, {}
    yield "GET", f"{path}/analysis", None, {}
    yield "GET", f"{path}/luck", None, {}
    yield "GET", f"{path}/events?phrases=0&limit=1", None, {}
    yield from _plans(game, path, rng)
    yield from (("POST", f"{path}/forks", body, {}) for body in ({"visibility": "public"}, {"at": 1}, {"as": 1 - seat}))
    yield "GET", f"{path}/invitations", None, {}
    yield "POST", f"{path}/invitations", {"link": True}, {}
    yield "DELETE", f"{path}/invitations/in_000000000000", None, {}
    yield "GET", f"/v1/invitations/{'a' * 26}", None, {}
    yield "GET", f"/v1/invitations/{'a' * 26}/qr.svg", None, {}
    yield "POST", f"/v1/invitations/{'a' * 26}/seat", {"name": "Ada"}, {}
    yield "POST", f"{path}/resign", {"confirm": True}, {"If-Match": '"1"'}
    yield "DELETE", path, None, {}
    yield "POST", f"/v1/admin/games/{game.id}/acts", {"act": "abort", "reason": "stuck"}, {}
    yield "GET", "/v1/admin/log", None, {}
    yield "PATCH", "/v1/me", {"name": "Ada"}, {}
    yield "PUT", "/v1/me/mail", {"address": "ada@example.org"}, {}
    yield "GET", "/v1/me/mail", None, {}
    for link in ("confirm", "unsubscribe"):
        yield "GET", f"/v1/mail/{link}/{'a' * 60}", None, {}
        yield "POST", f"/v1/mail/{link}/{'a' * 60}", None, {}
    yield "DELETE", "/v1/me/mail", None, {}
    yield "POST", "/v1/me/push-subscriptions", _BROWSER, {}
    yield "GET", "/v1/me/push-subscriptions", None, {}
    yield "DELETE", "/v1/me/push-subscriptions/ps_0000000000000000", None, {}
    yield "DELETE", "/v1/me/tokens/tk_0000000000000000", None, {}
    yield "DELETE", f"/v1/me?confirm=pl_{seat}", None, {}


def _plans(game: Game, path: str, rng: random.Random) -> Iterator[Question]:
    """Plan with an action that is legal for somebody, then look, and remove the plan."""
    legal = [action for seat in game.pending for action in game.ruleset.legal_actions(game.state, seat)[:50]]
    steps = [{"action": action_data(game.ruleset, each)} for each in rng.sample(legal, min(3, len(legal)))]
    condition = {"path": "/state/*", "op": "in", "value": [None, 1, "play"]}
    yield "PUT", f"{path}/plan", {"steps": [{"when": condition, **each} for each in steps], "forced": True}, {}
    yield from (("GET", f"{path}/{what}", None, {}) for what in ("plan", "view", "events?with=view"))
    yield "DELETE", f"{path}/plan", None, {}


def operation_of(document: dict[str, Any], method: str, path: str) -> str:
    """Name the operation of the document that a request reaches."""
    path = path.partition("?")[0]
    for template, operations in sorted(document["paths"].items(), key=lambda entry: "{" in entry[0]):
        pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))
        if re.fullmatch(pattern, path) and method.lower() in operations:
            return str(operations[method.lower()]["operationId"])
    raise LookupError(f"no operation for {method} {path}")


class Worlds:
    """Two servers, the true world in one and others in the other, and all that is asked of both."""

    def __init__(self, report: Report, seed: int) -> None:
        self._report = report
        self._rng = random.Random(f"worlds {seed}")
        self._servers = [Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), now=lambda: NOW) for _ in range(2)]
        self.document = self._servers[0].contract.document
        self.asked: set[str] = set()

    def run(self) -> None:
        """Continue until the report has enough."""
        try:
            while self._report.is_running:
                ruleset_id, seats = self._rng.choice(TABLES)
                variant = self._rng.choice(["", *variants(ruleset_id, seats)])
                self._judge_game(ruleset_id, seats, self._rng.randrange(1_000_000), variant)
        finally:
            for server in self._servers:
                server.players.close()

    def _judge_game(self, ruleset_id: str, seats: int, seed: int, variant: str) -> None:
        steps = list(playing(ruleset_id, seats, seed, variant))
        elsewhere = [step.action for step in steps if step.action is not None]
        moments = [index for index, step in enumerate(steps) if step.game.status == "active"]
        for index in self._rng.sample(moments, min(3, len(moments))):
            for viewer in (*range(seats), None):
                if not self._report.is_running:
                    return
                where = f"{ruleset_id} {seats} seats, seed {seed}, options {variant!r}, step {index}, viewer {viewer}"
                self._judge(steps[: index + 1], viewer, elsewhere, where)

    def _judge(self, steps: Sequence[Step], viewer: int | None, elsewhere: Sequence[Any], where: str) -> None:
        game, ruleset = steps[-1].game, RULESETS[steps[-1].game.ruleset.id]
        view = ruleset.project(game.state, viewer)
        state = ruleset.sample(game.options, viewer, view, self._rng)
        for server, told_steps in zip(self._servers, (steps, in_another_world(ruleset.id, steps, state)), strict=True):
            empty(server)
            server.table_of_log(told_steps)
        people = [server.stranger() if viewer is None else server.known(f"pl_{viewer}") for server in self._servers]
        self._report.count("worlds")
        self._report.count("worlds that differ", int(state != game.state))
        asked = [*questions(game, viewer, self._rng, elsewhere), *more_questions(game, viewer, self._rng)]
        for question in asked:
            self._compare(question, people, where)

    def _compare(self, question: Question, people: Sequence[Person], where: str) -> None:
        method, path, body, headers = question
        operation = operation_of(self.document, method, path)
        self.asked.add(operation)
        answers = [_attempt(lambda person=person: told(person.ask(method, path, body, headers))) for person in people]  # type: ignore[misc]
        self._report.count("questions")
        if any(isinstance(answer, Exception) for answer in answers):
            self._report.found(f"{operation} failed", f"    {where}: {method} {path} {body}: {answers}"[:2000])
        elif answers[0] != answers[1]:
            how = f"    {where}: {method} {path} {body}\n    {answers[0]}\n    {answers[1]}"
            self._report.found(f"{operation} tells two worlds apart", how[:4000])


def _attempt(ask: Callable[[], Any]) -> Any:
    """Send a request; return the response, or an error if the document does not promise this response."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        return error
