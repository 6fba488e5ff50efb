"""Policies run in a process of their own, without access to the store and the settings, and within a time limit.

A search is asked to end long before the limit. If a policy does not answer in time, its process is killed; the next
question starts a new one.
"""

import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any, cast

import orjson

from service.common import observability
from service.common.child_process import die_with_parent
from service.common.observability import METRICS
from service.games.projections.representations import MOST_LISTED
from workers.bots.policy import Estimate, Reason, Thought

MOST_PLAYOUTS = 2**31 - 1
"""The most playouts that a log can record for a move."""

_START_SECONDS = 30.0
_FOR_MOVE, _FOR_STUDY = 0.05, 0.025
"""The parts of the time limit after which a search is asked to end, for a move or a hint, and for a decision of an
analysis, during which a move can come due. With the usual limit of ten seconds, players wait less than a second for
both.
"""
_BESIDE_SEARCH_MS = 150
"""The most ms that rules of thumb and everything else around a search take, except for few moves."""
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")


class PolicyFailed(Exception):
    """A policy returned no action: ``reason`` is ``hung``, ``raised`` or ``died``."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(eq=False)
class PolicyProcess:
    _seconds: float
    _kernels: Path | None = field(default=None, init=False)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self._end()
        METRICS.count("policy_starts")
        environ = {name: text for name, text in os.environ.items() if name in _KEPT or name.startswith("PYTHON")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "workers.bots"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environ,
            bufsize=0,
            start_new_session=True,
            preexec_fn=partial(die_with_parent, os.getpid()),  # noqa: PLW1509 - no locks in there
        )
        try:
            self._read_line(_START_SECONDS, "it did not start")
        except BaseException:
            self._end()  # otherwise it would be taken for ready
            raise
        self._announce_kernels()

    def compile_beside(self, folder: Path) -> None:
        """Let the process compile kernels into a folder beside its questions, or load them, also after restarts."""
        self._kernels = folder
        self._announce_kernels()

    def _announce_kernels(self) -> None:
        if self._kernels is not None and self._process is not None:
            with suppress(OSError):  # it has ended; the next question starts another
                self._pipe("stdin").write(orjson.dumps({"kernels": str(self._kernels)}) + b"\n")

    def think(self, policy: str, view: Mapping[str, Any], seed: int, playouts: int = 0) -> Thought:
        """Ask a policy for an action, and return any answer; raise ``PolicyFailed`` without one."""
        return self._ask(self._question(policy, view, seed, playouts))

    def explain(self, policy: str, view: Mapping[str, Any], seed: int, playouts: int, also: Any = None) -> Thought:
        """Ask a policy for an action with its reason, and for its estimate of another action as well."""
        seconds = self._seconds * (_FOR_MOVE if also is None else _FOR_STUDY)
        explaining = {"seconds": seconds, "explain": True, "also": also}
        return self._ask(self._question(policy, view, seed, playouts) | explaining)

    def most_ms(self, playouts: int) -> int:
        """Return the most ms that a bot thinks with at most so many playouts, except for few moves."""
        return (int(1000 * self._seconds * _FOR_MOVE) if playouts else 0) + _BESIDE_SEARCH_MS

    def think_again(self, policy: str, view: Mapping[str, Any], seed: int, playouts: int, done: int) -> Thought:
        """Ask a policy an earlier question again; its search ends after as many playouts as then."""
        return self._ask(self._question(policy, view, seed, playouts) | {"seconds": None, "done": done})

    def replay(self, policy: str, deal: Mapping[str, Any], seed: int, playouts: int) -> tuple[int, ...]:
        """Let a policy finish a deal in every seat, and return the scores by seat (``workers.bots.replays``)."""
        question = {"policy": policy, "deal": deal, "seed": seed, "playouts": playouts, "most_listed": MOST_LISTED}
        return tuple(self._answered(question)["scores"])

    def _question(self, policy: str, view: Mapping[str, Any], seed: int, playouts: int) -> dict[str, Any]:
        question = {"policy": policy, "view": view, "seed": seed, "playouts": playouts, "done": None}
        return question | {"seconds": self._seconds * _FOR_MOVE, "explain": False, "also": None}

    def _ask(self, question: Mapping[str, Any]) -> Thought:
        began = time.perf_counter()
        try:
            with observability.span("policy", policy=question["policy"]):
                return _thought(self._answered(question))
        except PolicyFailed as failure:
            METRICS.count("policy_failures", failure.reason)
            raise
        finally:
            METRICS.time("thinking", time.perf_counter() - began, question["policy"])

    def _answered(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            self.start()
            self._pipe("stdin").write(orjson.dumps(question) + b"\n")
            answer = _read(self._read_line(self._seconds, f"no answer in {self._seconds:g} s"))
        except OSError as error:
            self._end()
            raise PolicyFailed("died", type(error).__name__) from error
        except BaseException:
            self._end()  # otherwise its answer would be taken for that to the next question
            raise
        if "error" in answer:
            raise PolicyFailed("raised", f"{answer['error']} at {answer['at']}")
        return answer

    def stop(self) -> None:
        self._end()

    def _read_line(self, seconds: float, otherwise: str) -> bytes:
        deadline, line, pipe = time.monotonic() + seconds, b"", self._pipe("stdout")
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                raise PolicyFailed("hung", otherwise)
            part = os.read(pipe.fileno(), 1 << 16)
            if not part:
                raise PolicyFailed("died", "its process ended")
            line += part
        return line

    def _pipe(self, name: str) -> IO[bytes]:
        return cast("IO[bytes]", getattr(self._process, name))

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for name in ("stdin", "stdout"):
                self._pipe(name).close()
            self._process = None


def _read(line: bytes) -> Mapping[str, Any]:
    try:
        answer = orjson.loads(line)
    except orjson.JSONDecodeError:
        answer = None
    if not isinstance(answer, dict):
        raise PolicyFailed("raised", "its answer is none")
    return answer


def _thought(answer: Mapping[str, Any]) -> Thought:
    """Read a thought: its number of playouts goes into a log, so it must be a number; the rules check the action."""
    if type(answer["playouts"]) is not int or not 0 <= answer["playouts"] <= MOST_PLAYOUTS:
        raise PolicyFailed("raised", "its number of playouts is none")
    try:
        estimates = tuple(Estimate(**each) for each in answer["estimates"])
        reason = Reason(**answer["reason"]) if answer["reason"] else None
    except TypeError as error:
        raise PolicyFailed("raised", "its estimates are none") from error
    return Thought(answer["action"], answer["playouts"], estimates, answer["measure"], reason)
