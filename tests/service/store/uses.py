"""All that players and operators do at a service, so that each of its commands to the store is sent."""

import re
from copy import copy
from pathlib import Path
from typing import Any, ClassVar

from click.testing import CliRunner

from domain.game.seeds import commitment_to
from service.cli.admin import admin
from service.cli.main import main
from service.cli.store import games_here
from tests.support.people import Client
from tests.support.push import Browser
from tests.support.server import wait_until
from tests.support.signing import cosigned
from tests.support.webhook_receiver import Receiver

ME, OPEN, BOT = {"player": "me"}, {"open": True}, {"bot": "random"}


class Caller(Client):
    """A player whose requests must succeed; they are noted."""

    asked: ClassVar[set[tuple[str, str]]] = set()

    def want(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Return the body of the answer."""
        status, answer = self.ask(method, path, body, **headers)
        assert status < 300, (method, path, status, answer)
        self.asked.add((method, path.partition("?")[0]))
        return answer

    def operations_not_asked(self) -> set[tuple[str, str]]:
        """Name the operations of the API for which no request was noted."""
        paths = self.want("GET", "/openapi.json")["paths"]
        wanted = {(method.upper(), path) for path, operations in paths.items() for method in operations}
        forms = {each: re.compile(re.sub("{.*?}", "[^/]+", each[1])) for each in wanted}
        return {
            each
            for each in wanted
            if not any(each[0] == how and forms[each].fullmatch(path) for how, path in self.asked)
        }


def use_the_account(ada: Caller) -> None:
    me = ada.want("GET", "/v1/me")["id"]
    ada.want("PATCH", "/v1/me", {"name": "Ada L."})
    ada.want("GET", f"/v1/players/{me}")
    made = ada.want("POST", "/v1/me/tokens", {"scopes": ["games:read"], "label": "phone"})
    assert len(ada.want("GET", "/v1/me/tokens")["items"]) == 2
    ada.want("DELETE", f"/v1/me/tokens/{made['id']}")
    ada.want("POST", "/v1/players", {"name": "Eve"})


def play(ada: Caller, bob: Caller) -> None:
    game = f"/v1/games/{ada.begin([ME, OPEN, OPEN])}"
    bob.want("POST", f"{game}/seats", {"seat": 1}, Idempotency_Key="sit")
    bob.want("DELETE", f"{game}/seats/1")
    bob.want("POST", f"{game}/seats", {"seat": 1})
    bob.want("POST", f"{game}/seats/1/tokens", {"label": "phone"})
    ada.want("PUT", f"{game}/seats/2", BOT)
    asked = ada.want("POST", f"{game}/proposals", {"kind": "stop_after_hand"})["events"][0]["data"]["proposal"]
    bob.want("POST", f"{game}/proposals/{asked}/votes", {"accept": True})
    for path in ("", "/view", "/legal-actions", "/events", "/board.svg", "/scene", "/audit", "/export?format=text"):
        ada.want("GET", f"{game}{path}")
    ada.want("POST", f"{game}/forks", {}, Idempotency_Key="fork")
    ada.want("POST", f"{game}/board-links")
    ada.want("POST", "/v1/me/stream-tickets")
    ada.want("GET", f"{game}/events?after={ada.want('GET', game)['version']}&wait=1")

    duel = ada.begin([ME, OPEN], ruleset="plateau")
    bob.want("POST", f"/v1/games/{duel}/seats", {"seat": 1})
    for headers in ({}, {"Idempotency_Key": "hello"}):
        bob.want("POST", f"/v1/games/{duel}/phrases", {"phrase": "hello"}, **headers)
    assert len(ada.want("GET", f"/v1/games/{duel}/phrases")["phrases"]) == 2
    ada.want("POST", f"/v1/games/{duel}/resign", {"confirm": True})
    ada.want("POST", f"/v1/games/{duel}/analysis")
    wait_until(lambda: ada.want("GET", f"/v1/games/{duel}/analysis")["all"] == 0, "the analysis")
    again = ada.want("POST", f"/v1/games/{duel}/rematch")["game"]
    assert bob.want("GET", "/v1/me/invitations")["items"][0]["game"]["id"] == again["id"]
    assert bob.want("POST", f"/v1/games/{duel}/rematch")["game"]["status"] == "active"
    wait_until(lambda: len(bob.want("GET", "/v1/me/events")["events"]) > 3, "notices")

    planned = ada.begin([ME, OPEN], ruleset="plateau")
    bob.want("POST", f"/v1/games/{planned}/seats", {"seat": 1})
    plan_and_see(ada, bob, f"/v1/games/{planned}")

    alone = ada.begin([ME] * 3, sandbox=True)
    legal = ada.want("GET", f"/v1/games/{alone}/legal-actions")["actions"]
    wait_until(lambda: ada.ask("POST", f"/v1/games/{alone}/hints", {})[0] == 200, "a hint")
    ada.want("POST", f"/v1/games/{alone}/hints")
    ada.want("POST", f"/v1/games/{alone}/actions", legal[0], Idempotency_Key="once")
    new = ada.want("POST", "/v1/games", {"ruleset": "le-plateau", "seats": [ME, OPEN]}, Idempotency_Key="new")
    ada.want("DELETE", f"/v1/games/{new['id']}")


def plan_and_see(ada: Caller, bob: Caller, game: str) -> None:
    """Plan a step that is carried out and one that is dropped; then let the account go with a plan."""
    free = {"not": {"path": "/state/board/a1", "op": "exists"}}
    first = ada.want("GET", f"{game}/legal-actions?limit=1")["actions"][0] | {"square": "a1"}
    bob.want("PUT", f"{game}/plan", {"steps": [{"when": free, "action": first}, {"action": first | {"square": "d4"}}]})
    ada.want("POST", f"{game}/actions", first)
    wait_until(lambda: ada.want("GET", f"{game}/view")["to_act"] == [0], "the planned move")
    ada.want("PUT", f"{game}/plan", {"steps": [{"action": first}], "forced": True})
    wait_until(lambda: ada.want("GET", f"{game}/plan")["steps"] == [], "the plan to be dropped")
    ada.want("DELETE", f"{game}/plan")
    bob.want("PUT", f"{game}/plan", {"forced": True})


def open_seeds(ada: Caller, bob: Caller) -> None:
    """Ada opens hers; Bob does not, so a worker continues without it."""
    opening = {"within": "PT5S"}
    game = ada.begin([OPEN, OPEN], ruleset="plateau", opening=opening)
    for player in (ada, bob):
        commitment = commitment_to("luck", game, player.want("GET", "/v1/me")["id"])
        head = player.want("GET", f"/v1/games/{game}")["head"]
        player.want("POST", f"/v1/games/{game}/seats", {"seed_commitment": commitment}, If_Match=f'"{head}"')
    ada.want("POST", f"/v1/games/{game}/seeds", {"client_seed": "luck"}, Idempotency_Key="seed")
    wait_until(lambda: ada.want("GET", f"/v1/games/{game}")["status"] == "active", "the end of the phase")


def invite(ada: Caller, bob: Caller) -> None:
    game = f"/v1/games/{ada.begin([ME, OPEN, OPEN], visibility='private')}"
    made = ada.want("POST", f"{game}/invitations", {"link": True})
    ada.want("GET", made["url"])
    ada.want("GET", f"{made['url']}/qr.svg")
    bob.want("POST", f"{made['url']}/seat")
    for _ in range(50):
        ended = ada.want("POST", f"{game}/invitations", {"link": True})
        ada.want("DELETE", f"{game}/invitations/{ended['id']}")
    assert len(ada.want("GET", f"{game}/invitations")["items"]) == 50
    cleo = Caller(ada.url)
    ada.want("POST", f"{game}/invitations", {"player": cleo.want("GET", "/v1/me")["id"]})
    assert len(cleo.want("GET", "/v1/me/invitations")["items"]) == 1
    cleo.want("POST", f"{game}/seats")
    assert cleo.want("GET", "/v1/me/invitations")["items"] == []


def get_mails(ada: Caller, folder: Path) -> None:
    ada.want("PUT", "/v1/me/mail", {"address": "ada@example.org"})
    ada.want("GET", "/v1/me/mail")
    wait_until(lambda: any(folder.glob("*.eml")), "the mail that asks for confirmation")
    confirm = re.search(r"/v1/mail/confirm/[\w-]+", next(folder.glob("*.eml")).read_text())
    assert confirm is not None
    for method in ("GET", "POST"):
        assert ada.ask(method, confirm[0])[0] == 200
        ada.asked |= {(method, confirm[0]), (method, "/v1/mail/unsubscribe/x")}
    assert ada.want("GET", "/v1/me/mail")["status"] == "confirmed"
    ada.want("DELETE", "/v1/me/mail")


def get_pushes(ada: Caller) -> None:
    ada.want("GET", "/v1/push-key")
    assert len(ada.want("GET", "/.well-known/plateau-keys.json")["keys"]) == 1
    forged = {"game": "gm_x", "version": 1, "hash": "0" * 64, "at": "", "key_id": "0" * 16, "signature": "0" * 128}
    assert not ada.want("POST", "/v1/verify-receipt", forged | {"at": "2026-01-01T00:00:00.000Z"})["signed"]
    made = ada.want("POST", "/v1/me/push-subscriptions", Browser().subscription("http://127.0.0.1:9/browser"))
    assert ada.want("GET", "/v1/me/push-subscriptions")["items"] == [made]
    ada.want("DELETE", f"/v1/me/push-subscriptions/{made['id']}")


def run_out_of_time(ada: Caller, bob: Caller) -> None:
    timed = ada.begin([ME] * 3, sandbox=True, clock={"per_move": "PT1S"})
    begun = ada.want("GET", f"/v1/games/{timed}")["version"]
    wait_until(lambda: ada.want("GET", f"/v1/games/{timed}")["version"] > begun, "a timeout")
    waiting = ada.begin([ME, OPEN], ruleset="plateau", clock={"per_move": "PT1S", "on_timeout": "wait"})
    bob.want("POST", f"/v1/games/{waiting}/seats", {"seat": 1})
    late = ada.want("GET", f"/v1/games/{waiting}/view")["to_act"][0]
    other, claim = (bob, ada)[late], f"/v1/games/{waiting}/claim"
    wait_until(lambda: other.ask("POST", claim)[0] == 201, "the time to be up")
    other.asked.add(("POST", claim))


def have_webhooks(ada: Caller) -> None:
    with Receiver() as receiver:
        hook = f"/v1/webhooks/{ada.want('POST', '/v1/webhooks', {'url': receiver.url})['id']}"
        ada.want("POST", f"{hook}/test")
        wait_until(lambda: ada.want("GET", f"{hook}/deliveries")["items"][0]["status"] == "delivered", "a delivery")
        receiver.status = 410
        ada.want("POST", f"{hook}/deliveries/1/redeliver")
        wait_until(lambda: not ada.want("GET", hook)["enabled"], "the webhook to be disabled")
    for path, body in ((hook, {"enabled": True}), (hook, {"enabled": False})):
        ada.want("PATCH", path, body)
    ada.want("POST", f"{hook}/secret")
    assert len(ada.want("GET", "/v1/webhooks")["items"]) == 1
    ada.want("DELETE", hook)


def operate(ada: Caller, store: str) -> None:
    """Have the host give a token of operators, and use it."""
    stuck, me = ada.begin([ME, OPEN]), ada.want("GET", "/v1/me")["id"]
    made = CliRunner().invoke(admin, ["token", me], env={"REDIS_URL": store})
    assert made.exit_code == 0
    operator = copy(ada)
    operator.token = made.output.strip()
    operator.want("POST", f"/v1/admin/games/{stuck}/acts", {"act": "abort", "reason": "stuck"}, Idempotency_Key="end")
    assert len(operator.want("GET", "/v1/admin/log")["items"]) == 2
    games_here.cache_clear()
    audited = CliRunner().invoke(main, ["verify", "--all"], env={"REDIS_URL": store})
    assert (audited.exit_code, "0 wrong" in audited.stdout) == (0, True), audited.output


def cosigns(ada: Caller) -> bool:
    """Co-sign the latest root; return whether it was still the latest."""
    one = cosigned("wanda", ada.want("GET", "/v1/heads"))
    path = f"/v1/heads/{one.pop('size')}/signatures"
    ada.asked.add(("POST", path))
    return ada.ask("POST", path, one)[0] == 201


def look_at_heads(ada: Caller) -> None:
    game = ada.begin([ME, OPEN], ruleset="plateau")
    inclusion = f"/v1/games/{game}/inclusion"
    wait_until(lambda: ada.ask("GET", inclusion)[0] == 200, "the head to be logged")
    for path in (inclusion, "/v1/heads", "/v1/heads/consistency", "/v1/heads/leaves"):
        ada.want("GET", path)
    wait_until(lambda: cosigns(ada), "a root that is still the latest when it is co-signed")
    assert ada.ask("GET", f"/v1/games/{game}/export?format=bundle")[0] == 200


def look_around(ada: Caller) -> None:
    for path in ("/v1/games?sort=oldest", "/v1/games?speed=slow", "/v1/me/games?status=open", "/v1/bots"):
        ada.want("GET", path)
    for path in ("/v1/games", "/v1/me/games", "/v1/me/games?to_act=true", "/v1/rulesets", "/v1/rulesets/le-plateau"):
        ada.want("GET", path)
    for path in (
        "/v1/rulesets/plute/tutorial",
        "/",
        "/healthz",
        "/readyz",
        "/metrics",
        "/docs",
        "/v1/problems/not-found",
    ):
        ada.want("GET", path)
