"""What the receipt of an accepted action costs: processor time of the web process, with receipts and without them.

python -m bench.receipts [actions] [--quick]

Actions of one game alternate between the two, so both see the same positions. Redis runs beside, and is not counted.
"""

import time
from collections.abc import Mapping
from statistics import median
from typing import Any
from unittest.mock import patch

from flask.testing import FlaskClient

from bench.servers import engine
from bench.sizes import size
from service.config.settings import Settings
from service.runtime.wiring import wire
from service.store.codec import Head
from service.transparency.receipts import Receipts

_NONE = patch.object(Receipts, "of", lambda *_: "")


def main() -> None:
    """Play, and print the medians."""
    times, took = size(0, 2000, 20), {True: list[float](), False: list[float]()}
    with engine() as url:
        app = wire(Settings(redis_url=url, allow_unsafe_redis=True))
        client, services = app.test_client(), app.extensions["plateau"]
        sent = {"Authorization": f"Bearer {_posted(client, '/v1/players', {'name': 'Ada'}, {})['token']}"}
        wish = {"ruleset": "le-plateau", "seats": [{"player": "me"}] * 4, "sandbox": True, "options": {"hands": 120}}
        game = f"/v1/games/{_posted(client, '/v1/games', wish, sent)['id']}"
        for number in range(times):
            action = client.get(f"{game}/legal-actions?limit=1", headers=sent).json["actions"][0]  # type: ignore[index]
            signs = number % 2 == 0
            took[signs].append(_acting(client, game, action, sent, signs=signs))
        one = _signing(services.receipts, times)
        services.players.close()
    action_us, bare_us = (median(took[signs]) * 1e6 for signs in (True, False))
    share = action_us / bare_us
    print(f"receipt {one * 1e6:5.0f} µs   action {action_us:6.0f} µs   without {bare_us:6.0f} µs   ratio {share:.2f}")


def _posted(client: FlaskClient, path: str, body: Mapping[str, Any], sent: Mapping[str, str]) -> Any:
    answer = client.post(path, json=body, headers=sent)
    if answer.status_code != 201:
        raise SystemExit(f"refused: {answer.text}")
    return answer.json


def _acting(client: FlaskClient, game: str, action: Any, sent: Mapping[str, str], *, signs: bool) -> float:
    """Return the processor time in seconds of this thread for an action, with or without its receipt."""
    if not signs:
        _NONE.start()
    began = time.thread_time()
    _posted(client, f"{game}/actions", action, sent)
    took = time.thread_time() - began
    if not signs:
        _NONE.stop()
    return took


def _signing(receipts: Receipts, times: int) -> float:
    """Return the processor time in seconds of one receipt."""
    heads = [Head("gm_0123456789abcdef0123", version, "a" * 64, "2026-01-01T00:00:00.000Z") for version in range(times)]
    began = time.thread_time()
    for head in heads:
        receipts.of(head)
    return (time.thread_time() - began) / times


if __name__ == "__main__":
    main()
