"""A game at the service: what it shows to the player, what can be done, and writes that act once."""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from service.cli.client import Refused, Service, Unreachable
from service.cli.output import clean
from service.cli.play.choosing import Choice, Labels
from service.cli.play.slots import Scalar, Slot, kinds_in, leaves_of, leaves_of_schema, named
from service.cli.play.words import Words

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 10.0


@dataclass(frozen=True)
class Table:
    """A game at one version, as the player sees it."""

    view: Any
    choice: Choice | None

    @property
    def scene(self) -> Any:
        return self.view["scene"]

    @property
    def version(self) -> int:
        return int(self.view["version"])

    @property
    def seat(self) -> int:
        return int(self.view["viewer"]["seat"] or 0)

    @property
    def status(self) -> str:
        return str(self.view["game"]["status"])

    @property
    def is_over(self) -> bool:
        return self.status in ("finished", "aborted")

    @property
    def decision(self) -> str | None:
        return self.view["decision"]["id"] if self.view.get("decision") else None

    @property
    def deadline(self) -> datetime | None:
        given = self.view["decision"]["deadline"] if self.decision else None
        return datetime.fromisoformat(given) if given else None

    @property
    def is_planned(self) -> bool:
        return bool(self.view.get("planned"))

    @property
    def is_awaited(self) -> bool:
        """Whether the game waits for the player, who otherwise can act but need not."""
        return self.choice is not None and self.view["viewer"]["seat"] in self.view["waiting_for"]


class Game:
    def __init__(self, service: Service, game_id: str, words: Words, unsent: Callable[[], None]) -> None:
        self.id = game_id
        self.words = words
        self.service = service
        self._path = f"/v1/games/{quote(game_id, safe='')}"
        self._unsent = unsent
        self._rulesets: dict[tuple[str, str], Any] = {}

    def read(self) -> Table:
        view = self._view()
        return table_of(view, self.ruleset(view["ruleset"]), self.words)

    def at(self, version: int, *, everything: bool) -> Any:
        """Read a view of an earlier version, with all that was hidden if the game is over."""
        return self._view(at=version, knowledge="full" if everything else None)

    def told(self, after: int | None) -> list[tuple[int, str]]:
        """List what happened after a version, or since the player's last move: versions and sentences."""
        start = {"since": "my-last-move"} if after is None else {"after": after}
        page = self._get("/events", **start, limit=1000)
        return [(event["version"], clean(event["sentence"]["text"])) for event in page["events"]]

    def log(self) -> Iterator[tuple[int, str]]:
        after = 0
        while page := self.told(after):
            if page[-1][0] <= after:
                raise self.service.strange("events without end")
            yield from page
            after = page[-1][0]

    def events_path(self) -> str:
        return f"{self._path}/events?limit=100&lang={self.words.language}"

    def phrases(self) -> Any:
        return self._get("/phrases")

    def ruleset(self, ruleset_id: str) -> Any:
        key = ruleset_id, self.words.language
        if key not in self._rulesets:
            self._rulesets[key] = read_ruleset(self.service, *key)
        return self._rulesets[key]

    def act(self, table: Table, action: Mapping[str, Any]) -> None:
        """Act, for the decision that the table shows."""
        self.write(f"actions?as={table.seat}", {**action, "decision_id": table.decision})

    def write(self, what: str, body: object) -> Any:
        """Send something that is to act once: with the same key until the service has answered."""
        key, pause, is_first = uuid.uuid4().hex, _FIRST_PAUSE, True
        while True:
            try:
                return self.service.ask("POST", f"{self._path}/{what}", body, key=key, language=self.words.language)
            except (Refused, Unreachable) as problem:
                if isinstance(problem, Refused) and not problem.passes:
                    raise
            if is_first:
                self._unsent()
            is_first = False
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def hint(self, seat: int, version: int | None = None) -> Any:
        at = "" if version is None else f"&at={version}"
        path = f"{self._path}/hints?as={seat}&lang={self.words.language}{at}"
        return self.service.ask("POST", path, {}, language=self.words.language)

    def plan(self, seat: int) -> Any:
        return self.service.ask("GET", self._plan_path(seat), language=self.words.language)

    def replan(self, seat: int, **changes: object) -> Any:
        """Change a part of a plan, also if another device changes it concurrently, and return the plan."""
        path, language = self._plan_path(seat), self.words.language
        while True:
            known, tag = self.service.tagged(path, language)
            plan = {"steps": known["steps"], "forced": known["forced"], **changes}
            try:
                return self.service.ask("PUT", path, plan, match=tag, language=language)
            except Refused as refusal:
                if refusal.code != "plan-changed":
                    raise

    def labels(self, table: Table) -> Labels:
        return _Labels(self.ruleset(table.view["ruleset"])["action_words"], table.scene, self.words)

    def _plan_path(self, seat: int) -> str:
        return f"{self._path}/plan?as={seat}"

    def _view(self, **query: object) -> Any:
        """Read a view with its scene, in which every seat has the name of its bot."""
        view = self._get("/view", **query, **{"with": "scene"})
        for shown in view["scene"]["seats"]:
            shown["bot"] = view["game"]["seats"][shown["seat"]]["bot"]
        return view

    def _get(self, what: str, **query: object) -> Any:
        given = {"lang": self.words.language} | {name: value for name, value in query.items() if value is not None}
        return self.service.ask("GET", f"{self._path}{what}?{urlencode(given)}", language=self.words.language)


def table_of(view: Any, ruleset: Any, words: Words) -> Table:
    """Return the table that a view with its scene shows, by what the service says of the ruleset.

    Nothing is left to decide in a turn that the player's plan plays.
    """
    if view.get("planned"):
        view = {**view, "decision": None, "legal_actions": None}
    legal = view.get("legal_actions")
    if not legal:
        return Table(view, None)
    kinds = kinds_in(ruleset["actions"])
    if legal["actions"] is None:
        leaves = leaves_of_schema(legal["schema"], kinds)
    else:
        leaves = leaves_of(legal["actions"], kinds, legal["says"])
    return Table(view, Choice.among(leaves, _Labels(ruleset["action_words"], view["scene"], words)))


def read_ruleset(service: Service, ruleset_id: str, language: str) -> Any:
    return service.ask("GET", f"/v1/rulesets/{quote(ruleset_id, safe='')}?lang={language}", language=language)


class _Labels:
    def __init__(self, action_words: Mapping[str, Any], scene: Any, words: Words) -> None:
        self._fields = action_words
        things = [thing for row in scene["rows"] for thing in row["things"]]
        self._things = {each["pick"]: clean(each["name"]) for each in [*things, *scene["rows"]] if each["pick"]}
        self._seats = {
            each["pick"]: clean(each["name"] or words("seat", number=each["seat"] + 1)) for each in scene["seats"]
        }

    def __call__(self, action_type: str | None, slot: Slot, value: Scalar) -> str:
        pick = f"{slot.kind}:{value}"
        if pick in self._seats:
            return self._seats[pick]
        if pick in self._things:
            return f"{value} {self._things[pick]}"
        known = self._fields.get("type" if slot.path == "type" else named(action_type, slot.path), {}).get("values", {})
        said = str(known.get(_plain(value), ""))
        return f"{value} {said}" if said and isinstance(value, str) and len(value) == 1 else said or str(value)

    def part(self, action_type: str | None, slot: Slot) -> str:
        path = "type" if slot.path == "type" else named(action_type, slot.path)
        return str(self._fields.get(path, {}).get("name", path))

    def whole(self, action: Mapping[str, Any]) -> str:
        said = str(self._fields.get("type", {}).get("values", {}).get(action["type"], action["type"]))
        values = [each for name, value in action.items() if name != "type" for each in _written(value)]
        return f"{said}: {' '.join(values)}" if values else said


def _plain(value: Scalar) -> str:
    return (
        {True: "true", False: "false", None: "null"}[value] if value is None or isinstance(value, bool) else str(value)
    )


def _written(value: Any) -> Sequence[str]:
    if isinstance(value, Mapping):
        return [" ".join(each for part in value.values() for each in _written(part))]
    return [each for part in value for each in _written(part)] if isinstance(value, list) else [str(value)]
