"""The reference receiver, and the functions to copy: both verify what the service signs, and nothing else."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import standardwebhooks

from service.notifications.delivery.http_sending import Sender
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.webhook.webhook import Webhook, headers_of, new_secret
from tests.examples.packages import imported
from tests.support import node
from tests.support.server import ROOT, RunningService, wait_until
from tests.support.webhook_receiver import Receiver

BODY = '{"type":"your_turn","timestamp":"2026-01-01T12:00:00.000Z","data":{"game_id":"gm_é"}}'.encode()
MESSAGE = json.loads(BODY)


def signed(ms: int | None = None, *, rotated: bool = False) -> tuple[Webhook, dict[str, str]]:
    """Return a webhook, and the headers of a message of its, of now or of another time."""
    at = int(time.time() * 1000) if ms is None else ms
    hook = Webhook("wh_1", "pl_1", "https://ada.example/", None, at, new_secret())
    if rotated:
        hook = hook.rotated(at)
    return hook, dict(headers_of(hook, "msg_1", BODY, at))


def cases() -> Iterator[tuple[str, str, dict[str, str], bytes, bool]]:
    """List messages: a name, the secret, headers, body, and whether they are genuine."""
    hook, headers = signed()
    yield "as it was sent", hook.secret, headers, BODY, True
    rotated, both = signed(rotated=True)
    yield "by the new secret", rotated.secret, both, BODY, True
    yield "by the old secret", str(rotated.old_secret), both, BODY, True
    yield "another secret", new_secret(), headers, BODY, False
    yield "another body", hook.secret, headers, BODY.replace(b"your_turn", b"game_ended"), False
    yield "another id", hook.secret, headers | {"webhook-id": "msg_2"}, BODY, False
    yield "no signature", hook.secret, headers | {"webhook-signature": ""}, BODY, False
    other_version = {"webhook-signature": "v2," + headers["webhook-signature"][3:]}
    yield "another version", hook.secret, headers | other_version, BODY, False
    later = str(int(headers["webhook-timestamp"]) + 1)
    yield "another time", hook.secret, headers | {"webhook-timestamp": later}, BODY, False
    for name, minutes in (("too old", -60), ("from the future", 60)):
        other, moved = signed(int(time.time() * 1000) + minutes * 60_000)
        yield name, other.secret, moved, BODY, False


CASES = [name for name, *_ in cases()]


def code(language: str) -> str:
    """Return the function of the page for a language."""
    text = (ROOT / "docs/webhooks.md").read_text()
    (found,) = re.findall(rf"<!-- test: verify -->\n```{language}\n(.*?)```", text, re.DOTALL)
    return str(found)


@pytest.mark.parametrize("name", CASES)
def test_the_public_package_and_the_function_for_python_agree(name: str) -> None:
    ((secret, headers, body, genuine),) = (rest for other, *rest in cases() if other == name)
    scope: dict[str, Any] = {}
    exec(code("python"), scope)
    for verify in (
        lambda: scope["verify"](secret, headers, body),
        lambda: standardwebhooks.Webhook(secret).verify(body, headers),
    ):
        if genuine:
            assert verify() == MESSAGE
        else:
            with pytest.raises((ValueError, standardwebhooks.WebhookVerificationError)):
                verify()


@pytest.mark.long
def test_the_function_for_typescript_agrees(tmp_path: Path) -> None:
    node.needed()
    (tmp_path / "package.json").write_text('{"type": "module"}')
    settings = {"compilerOptions": node.STRICT, "files": ["verify.ts", "try.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings))
    (tmp_path / "verify.ts").write_text(code("typescript"))
    wanted = [{"secret": s, "headers": h, "body": b.decode(), "genuine": g} for _, s, h, b, g in cases()]
    (tmp_path / "try.ts").write_text(
        f"""import {{ verify }} from "./verify.js";
for (const each of {json.dumps(wanted)}) {{
  let genuine = true;
  try {{
    const headers: Record<string, string> = {{ ...each.headers }};
    console.log(JSON.stringify(verify(each.secret, headers, Buffer.from(each.body))));
  }} catch {{ genuine = false; }}
  if (genuine !== each.genuine) throw new Error(JSON.stringify(each));
}}
"""
    )
    node.tool("tsc", "--project", tmp_path, cwd=tmp_path)
    printed = node.run("node", tmp_path / "out/try.js", cwd=tmp_path).splitlines()
    assert [json.loads(line) for line in printed] == [MESSAGE] * 3


@contextmanager
def receiver(secret: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run the example; yield its address and its process."""
    command, env = [sys.executable, ROOT / "examples/webhook_receiver.py", "0"], {"WEBHOOK_SECRET": secret}
    with subprocess.Popen(
        command, env=os.environ | env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout
        yield process.stdout.readline().split()[-1], process
        process.terminate()


def test_the_receiver_is_short_and_needs_one_library() -> None:
    program = ROOT / "examples/webhook_receiver.py"
    assert len(program.read_text().splitlines()) <= 50
    assert imported(program) == {"standardwebhooks"}


def test_the_receiver_takes_what_is_genuine_and_prints_each_message_once() -> None:
    hook, headers = signed()
    rules = Rules(anywhere=True)
    with receiver(hook.secret) as (url, process), Sender(rules.check_url(url), rules) as sender:
        forged = replace(hook, secret=new_secret())
        assert sender.send(headers_of(forged, "msg_2", BODY, int(time.time() * 1000)), BODY).status == 400
        assert [sender.send(headers, BODY).status for _ in range(2)] == [204, 204]
        assert process.stdout
        printed = process.stdout.readline()  # after the answer
        process.terminate()
        assert (printed + process.stdout.read()).splitlines() == [f"{MESSAGE['timestamp']} your_turn {MESSAGE['data']}"]


def test_a_service_sends_what_the_receiver_verifies(service: RunningService) -> None:
    """From a request to the receiver: the commit, the notifier, the courier; then the account is deleted."""
    with Receiver() as noting:
        people = [httpx.post(f"{service.url}/v1/players", json={"name": name}).json() for name in ("Ada", "Bob")]
        ada, bob = (
            httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {each['token']}"}) for each in people
        )
        with ada, bob:
            hook = ada.post("/v1/webhooks", json={"url": noting.url}).json()
            wish = {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}]}
            game = f"/v1/games/{ada.post('/v1/games', json=wish).json()['id']}"
            bob.post(f"{game}/seats", json={})
            wait_until(lambda: len(noting.received) == 2, "the messages of the start")
            assert bob.post(f"{game}/resign", json={"confirm": True}).status_code == 201
            wait_until(lambda: len(noting.received) == 3, "the message of the end")
            found = [
                standardwebhooks.Webhook(hook["secret"]).verify(each.body, each.headers) for each in noting.received
            ]
            noticed = ada.get("/v1/me/events").json()["events"]
            assert sorted(each["type"] for each in found) == ["game_ended", "game_started", "your_turn"]
            assert {(each["type"], each["timestamp"], each["data"]["version"]) for each in found} == {
                (each["type"], each["at"], each["version"]) for each in noticed
            }
            assert all(each["data"].items() <= _with_game(noticed, each).items() for each in found)
            assert ada.delete(f"/v1/me?confirm={ada.get('/v1/me').json()['id']}").status_code == 204
            bob.post("/v1/games", json=wish)
            assert len(noting.received) == 3


def _with_game(noticed: list[dict[str, Any]], message: dict[str, Any]) -> dict[str, Any]:
    """Return all that the notice of a message shows."""
    (notice,) = (each for each in noticed if each["type"] == message["type"])
    return {"game_id": notice["game_id"], "version": notice["version"], **notice["data"]}
