"""The process that runs policies: it reads and writes one JSON object a line, and ends with its input.

In: ``{"policy": "module:function", "seed": …, "view": {…}}``. Out: ``{"action": …}``, or ``{"error": "ValueError",
"at": "file:line"}``. The message of an exception stays here, because it could quote a card.
"""

import importlib
import os
import random
import sys
import traceback
from collections.abc import Callable
from typing import Any

import orjson

import domain.registry  # noqa: F401 - loaded before the first question, whose time is limited


def main() -> None:
    """Report readiness, then choose an action for each view."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the output of policies goes to the logs
    answers.write(b"ready\n")
    answers.flush()
    for line in sys.stdin.buffer:
        answers.write(orjson.dumps(_answer(orjson.loads(line))) + b"\n")
        answers.flush()


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    try:
        rng = random.Random(asked["seed"])  # noqa: S311 - chooses moves; the game's own draws are made elsewhere
        action = _policy(asked["policy"])(asked["view"], rng)
        orjson.dumps(action)
    except BaseException as error:  # noqa: BLE001 - a failing policy must not affect the next view
        place = traceback.extract_tb(error.__traceback__)[-1]
        return {"error": type(error).__name__, "at": f"{place.filename}:{place.lineno}"}
    return {"action": action}


def _policy(name: str) -> Callable[[Any, random.Random], Any]:
    module, _, function = name.partition(":")
    policy: Callable[[Any, random.Random], Any] = getattr(importlib.import_module(module), function)
    return policy


if __name__ == "__main__":
    main()
