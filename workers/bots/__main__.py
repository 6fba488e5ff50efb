"""The process that runs policies: it reads and writes one JSON object a line, and ends with its input.

In: ``{"policy": "module:function", "view": {…}, "seed": …, "playouts": …, "seconds": … or null, "done": … or null,
"explain": …, "also": … or null}``: a search ends after so many seconds, or, when a move is played again, after as many
playouts as were done then; with ``explain``, the thought comes with its reason, and ``also`` is tried too.
Out: a ``Thought``, such as ``{"action": …, "playouts": …, "estimates": […], …}``, or ``{"error": "ValueError", "at":
"file:line"}``. The message of an exception stays here, because it could quote a card.

``{"policy": …, "deal": {…}, "seed": …, "playouts": …, "most_listed": …}`` has a deal played on (``replays``), with
``{"scores": […]}``. ``{"kernels": "/folder"}`` has no answer: from then on, kernels are compiled beside the questions
(``warming``).
"""

import importlib
import os
import sys
import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

import domain.registry  # noqa: F401 - loaded before the first question, whose time is limited
from workers.bots.policy import Asked, Enough, Policy, Thought, never
from workers.bots.reasons import reason_of
from workers.bots.replays import replayed
from workers.bots.warming import Warming


def main() -> None:
    """Report readiness, then choose an action for each view."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the output of policies goes to the logs
    answers.write(b"ready\n")
    answers.flush()
    warming: Warming | None = None
    for line in sys.stdin.buffer:
        asked = orjson.loads(line)
        if "kernels" in asked:
            warming = Warming(Path(asked["kernels"]))
            continue
        if warming is not None:
            warming.adopt()
        answers.write(_answer(asked) + b"\n")
        answers.flush()


def _answer(question: dict[str, Any]) -> bytes:
    try:
        if "deal" in question:
            return orjson.dumps({"scores": replayed(_policy(question.pop("policy")), **question)})
        enough = _enough(question["seconds"], question["done"])
        asked = Asked(question["view"], question["seed"], question["playouts"], enough, question["also"])
        thought = _policy(question["policy"])(asked)
        if not isinstance(thought, Thought):
            raise TypeError("a policy returned no thought")
        if question["explain"]:
            thought = replace(thought, reason=reason_of(asked, thought))
        return orjson.dumps(thought)
    except BaseException as error:  # noqa: BLE001 - a failing policy must not affect the next view
        place = traceback.extract_tb(error.__traceback__)[-1]
        return orjson.dumps({"error": type(error).__name__, "at": f"{place.filename}:{place.lineno}"})


def _enough(seconds: float | None, done_then: int | None) -> Enough:
    if done_then is not None:
        return lambda done: done >= done_then
    if seconds is None:
        return never
    until = time.monotonic() + seconds
    return lambda _done: time.monotonic() >= until


def _policy(name: str) -> Policy:
    module, _, function = name.partition(":")
    policy: Policy = getattr(importlib.import_module(module), function)
    return policy


if __name__ == "__main__":
    main()
