"""Before a game: which one, with whom, and who plays."""

import re
import shlex
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import orjson

from domain.game.durations import lasting
from service.cli.client import Service
from service.cli.output import clean
from service.cli.play.game import read_ruleset
from service.cli.play.inputs import Interrupted
from service.cli.play.screen import Paragraph, Screen
from service.cli.play.words import Words

USUAL_BOT = "greedy"
_GAME_ID = re.compile(r"gm_[A-Za-z0-9_-]{1,64}")
_TOKEN = re.compile(r"plt_[A-Za-z0-9_-]{1,128}")
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,128}")
_USUAL_PLAYERS = 4
_DAILY = "/v1/daily/"


@dataclass(frozen=True)
class Wish:
    """What the player has said about the game so far; None is to be asked."""

    ruleset: str | None = None
    players: int | None = None
    bot: str | None = None
    open_seats: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    pace: int | None = None
    sandbox: bool = False


class Host:
    def __init__(self, service: Service, screen: Screen, words: Words, name: str | None) -> None:
        self.service = service
        self._screen = screen
        self._words = words
        self._name = name or words("guest")
        self.made_guest = False

    def create(self, wish: Wish) -> str:
        ruleset_id = wish.ruleset or self._asked_ruleset()
        if ruleset_id.startswith(_DAILY):
            self.sign_in()
            return self._plain(self._ask("POST", f"{ruleset_id}/deals", {})["id"], _GAME_ID)
        asks = wish.ruleset is None
        ruleset = read_ruleset(self.service, ruleset_id, self._words.language)
        players = wish.players or self._players(ruleset, asks=asks, least=1 + wish.open_seats)
        bots = players - 1 - wish.open_seats
        bot = wish.bot or (self._asked_bot(ruleset_id) if asks and bots else _usual(ruleset))
        seats = [{"player": "me"}, *[{"bot": bot}] * bots, *[{"open": True}] * wish.open_seats]
        body: dict[str, Any] = {"ruleset": ruleset_id, "seats": seats, "options": _options(ruleset, players, wish)}
        if wish.sandbox:
            body["sandbox"] = True
        if wish.pace is not None:
            body["bot_pace"] = lasting(wish.pace)
        self.sign_in()
        game_id = self._plain(self._ask("POST", "/v1/games", body)["id"], _GAME_ID)
        for _ in range(wish.open_seats):
            self._invite(game_id)
        return game_id

    def join(self, target: str) -> str:
        self.sign_in()
        last = last_of(target)
        if last.startswith("gm_"):
            self._ask("POST", f"/v1/games/{quote(last, safe='')}/seats", {})
            return last
        seat = self._ask("POST", f"/v1/invitations/{quote(last, safe='')}/seat", {})
        return self._plain(seat["game_id"], _GAME_ID)

    def sign_in(self) -> None:
        if self.service.token is None:
            made = self._ask("POST", "/v1/players", {"name": self._name})
            self.service = Service(self.service.url, self._plain(made["token"], _TOKEN))
            self.made_guest = True

    def _ask(self, method: str, path: str, body: object) -> Any:
        shows_a_secret = path == "/v1/players" or path.endswith("/invitations")
        key = None if shows_a_secret else uuid.uuid4().hex
        return self.service.ask(method, path, body, key=key, language=self._words.language)

    def _invite(self, game_id: str) -> None:
        made = self._ask("POST", f"/v1/games/{game_id}/invitations", {"link": True})
        secret = self._plain(made["url"].rpartition("/")[2], _SECRET)
        self._screen.say(self._words("invite"))
        self._screen.print_line(f"  {self.service.url.rstrip('/')}/#/join/{secret}")
        self._screen.print_line(f"  {shlex.join(['plateau', 'play', '--url', self.service.url, '--join', secret])}")

    def _plain(self, text: object, form: re.Pattern[str]) -> str:
        """Return what the service sent if it has the form: the player is to paste it, so a shell reads it."""
        if not isinstance(text, str) or not form.fullmatch(text):
            raise self.service.strange("something other than an id, a token or a link")
        return text

    # -- questions ------------------------------------------------------------------------------------------------

    def _asked_ruleset(self) -> str:
        page = self.service.ask("GET", f"/v1/rulesets?lang={self._words.language}")
        items = [(each["id"], f"{clean(each['name'])}: {clean(each['summary'])}") for each in page["items"]]
        return self._chosen(self._words("game"), [*self._daily(dict(items)), *items], 0)

    def _daily(self, games: Mapping[str, str]) -> Sequence[tuple[str, str]]:
        """Return the sets of the day of which the player has not finished all deals, by their paths."""
        return [
            (f"{_DAILY}{each['ruleset']}/{each['date']}", self._words("daily", game=name, deals=left))
            for each in self.service.ask("GET", "/v1/daily")["items"]
            if (name := games.get(each["ruleset"], "").partition(":")[0])
            and (left := each["deals"] - (each["mine"] or {"finished": 0})["finished"])
        ]

    def _players(self, ruleset: Any, *, asks: bool, least: int) -> int:
        fewest, most = max(ruleset["players"]["min"], least), ruleset["players"]["max"]
        usual = int(min(max(_USUAL_PLAYERS, fewest), most))
        if not asks or fewest == most:
            return usual
        question = self._words("ask.players", least=fewest, most=most)
        return int(self._answer(question, lambda text: text.isdecimal() and fewest <= int(text) <= most, str(usual)))

    def _asked_bot(self, ruleset_id: str) -> str:
        page = self.service.ask("GET", f"/v1/bots?lang={self._words.language}")
        bots = [each for each in page["items"] if ruleset_id in each["rulesets"]]
        items = [(each["name"], f"{clean(each['title'])}: {clean(each['summary'])}") for each in bots]
        names = [name for name, _ in items]
        return self._chosen(self._words("ask.bot"), items, names.index(USUAL_BOT) if USUAL_BOT in names else 0)

    def _chosen(self, question: str, items: Sequence[tuple[str, str]], usual: int) -> str:
        self._screen.say(question, "bold")
        for number, (_, says) in enumerate(items, 1):
            self._screen.show(Paragraph(says, mark=f" {number} "))
        keys = {str(number): name for number, (name, _) in enumerate(items, 1)} | {name: name for name, _ in items}
        return keys[self._answer("", keys.__contains__, str(usual + 1))]

    def _answer(self, question: str, fits: Callable[[str], bool], usual: str) -> str:
        if question:
            self._screen.say(question, "bold")
        while True:
            found = self._screen.ask("> ", lambda _: self._words("ask.default", what=usual))
            text = "" if isinstance(found, Interrupted) else found.strip()
            if fits(text or usual):
                return text or usual
            self._screen.say(self._words("ask.key"))


def _usual(ruleset: Any) -> str:
    names = [each["name"] for each in ruleset["bots"]]
    return USUAL_BOT if USUAL_BOT in names else str(names[0])


def _options(ruleset: Any, players: int, wish: Wish) -> dict[str, Any]:
    """Read the values of options as the service lists them; what it does not list, it judges itself."""
    choices = ruleset["choices"].get(str(players), {})
    return {name: _value(text, (choices.get(name) or {}).get("values") or ()) for name, text in wish.options.items()}


def _value(text: str, values: Sequence[Any]) -> Any:
    for value in values:
        if text == value or text == orjson.dumps(value).decode():
            return value
    try:
        return orjson.loads(text)
    except ValueError:
        return text


def is_game(target: str) -> bool:
    return target.startswith("gm_") or "/" in target


def last_of(target: str) -> str:
    return target.rstrip("/").rpartition("/")[2]
