"""The available bots: their names in the interface, what they do and play, and where their policies are.

A policy is named by module and function. It lives where it can import neither the store nor any other part of the
service.
"""

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from zlib import crc32

from domain.registry import BUILT_IN, GROUP_OF_BOTS, RULESETS
from domain.sentences.catalogue import catalogue, home_of, languages
from domain.sentences.message import Message, Number


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot: a sentence about it, its policy, and the ids of the rulesets that it plays, None for all of them.

    A search does at most ``playouts``. ``version`` rises with every change that can change a move. ``title`` is what
    people call it. The words of both are those of ``package``.
    """

    summary: Message | str
    policy: str
    rulesets: frozenset[str] | None = None
    playouts: int = 0
    version: int = 1
    title: Message | str = ""
    package: str = "service"

    def about(self, language: str) -> str:
        """Return the sentence about the bot in a language; one without a translation is as it is."""
        return self._said(self.summary, language)

    def called(self, language: str) -> str:
        """Return the title of the bot in a language; one without a translation is as it is."""
        return self._said(self.title, language)

    def plays(self, ruleset_id: str) -> bool:
        """Return whether the bot plays a ruleset."""
        return self.rulesets is None or ruleset_id in self.rulesets

    def _said(self, words: Message | str, language: str) -> str:
        return words if isinstance(words, str) else catalogue(self.package, language).sentence(words)


_NAME = re.compile("[a-z][a-z0-9-]{0,39}\\.[a-z][a-z0-9-]{0,39}")
_LARGEST = 2**31 - 1
_log = logging.getLogger(__name__)


RANDOM = "random"
"""The bot that plays every ruleset, and makes any move that another bot fails to make."""

_POLICIES: Mapping[str, tuple[str, int, str, str]] = {
    "greedy-novice": ("workers.bots.novice:think", 3, "bot.greedy-novice", "bot.title.novice"),
    "greedy": ("workers.bots.greedy:think", 2, "bot.greedy", "bot.title.greedy"),
    "searcher-club": ("workers.bots.searcher:think", 5, "bot.searcher", "bot.title.club"),
    "searcher": ("workers.bots.searcher:think", 5, "bot.searcher", "bot.title.expert"),
}
"""The policies of this project for its own games, each with its version, and what it is called."""


def ours() -> Iterator[tuple[str, Bot]]:
    """Yield the bots of this project by name, the weakest first; ``bots.json`` of a game lists those that play it."""
    yield RANDOM, Bot(Message("bot.random"), "workers.bots.uniform:think", title=Message("bot.title.random"))
    games = {ruleset.id: levels(ruleset.package) for ruleset in BUILT_IN}
    for name, (policy, version, summary, title) in _POLICIES.items():
        playing = {game: listed[name] for game, listed in games.items() if name in listed}
        (playouts,) = {*playing.values()}
        about = Message(summary, {"playouts": Number(playouts)} if playouts else {})
        yield name, Bot(about, policy, frozenset(playing), playouts, version, Message(title))


def outside(found: Iterable[EntryPoint]) -> Mapping[str, Bot]:
    """Return the bots of installed packages; they are named ``ruleset.bot``, and their policies loaded only to think.

    An entry with another name, or for a ruleset that is not here, is left out, and a line in the log says so. A bot has
    its words in the package that its policy is in: ``bot.<name>`` the sentence about it, ``bot.title.<name>`` the
    title. The levels of a package come last, in the order of its ``bots.json``.
    """
    bots = dict[str, tuple[int, Bot]]()
    for point in sorted(found, key=lambda point: point.name):
        package = f"{point.dist.name} {point.dist.version}" if point.dist else point.module
        if _NAME.fullmatch(point.name) and point.name.partition(".")[0] in RULESETS:
            try:
                bots[point.name] = _from(point, package)
            except ValueError as error:
                _log.warning("%s offers a bot that cannot be used: %s: %s", package, point.name, error)
        else:
            _log.warning("%s offers a bot that cannot be used: %s", package, point.name)
    _warn_of_levels_without_a_bot(bots)
    return {name: bot for name, (_, bot) in sorted(bots.items(), key=lambda item: item[1][0])}


def _warn_of_levels_without_a_bot(bots: Mapping[str, tuple[int, Bot]]) -> None:
    offered: dict[str, set[str]] = {}
    for full_name, (_, bot) in bots.items():
        if bot.package:
            offered.setdefault(bot.package, set()).add(full_name.partition(".")[2])
    for package, names in offered.items():
        if unknown := [name for name in levels(package) if name not in names]:
            _log.warning("bots.json of %s lists levels that no usable bot has: %s", package, ", ".join(unknown))


def levels(package: str) -> Mapping[str, int]:
    """Return the levels of a package, the weakest first: the names of its bots, and how many playouts each has.

    They are in its file ``bots.json``; without one, it has none. Raise ``ValueError`` if the file is malformed.
    """
    file = files(package) / "bots.json"
    if not file.is_file():
        return {}
    try:
        found = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"bots.json of {package}: {error}") from error
    if not isinstance(found, dict) or not all(type(each) is int and 0 <= each <= _LARGEST for each in found.values()):
        raise ValueError(f"bots.json of {package}: it must hold a number of playouts, 0 or more, by the name of a bot")
    return found


def _from(point: EntryPoint, package: str) -> tuple[int, Bot]:
    """Return the bot of an entry point with its place among the levels of its package, 0 for none.

    Raise ``ValueError`` if a file of its package cannot be read.
    """
    ruleset, _, name = point.name.partition(".")
    summary, title, home = Message(f"bot.{name}"), Message(f"bot.title.{name}"), home_of(point.module)
    known, *_ = [catalogue(home, language) for language in languages()] if home else [()]
    playouts = levels(home) if home else {}
    place = [*playouts].index(name) + 1 if name in playouts else 0
    return place, Bot(
        summary if summary.id in known else f"From the package {package}.",
        point.value,
        frozenset({ruleset}),
        playouts.get(name, 0),
        version=crc32(package.encode()) & _LARGEST,
        title=title if title.id in known else "",
        package=home or "",
    )


BOTS: Mapping[str, Bot] = {
    **dict(ours()),
    **outside(entry_points(group=GROUP_OF_BOTS)),
}
"""The bots that play some ruleset, by name."""


ADVISER = "searcher"
"""The bot that gives hints and analyses games, where it plays the ruleset."""


REPLAYER = "greedy-novice"
"""The bot that replays deals, where it plays the ruleset: ``greedy`` alone would mostly replay a deal the same way."""


def adviser_of(ruleset_id: str) -> str | None:
    """Return the bot that advises in a ruleset, in place of ``ADVISER`` the last that is listed; None for none."""
    able = _able(ruleset_id)
    return ADVISER if ADVISER in able else next(reversed(able), None)


def replayer_of(ruleset_id: str) -> str | None:
    """Return the bot that replays the deals of a ruleset, in place of ``REPLAYER`` the first listed; None for none."""
    able = _able(ruleset_id)
    return REPLAYER if REPLAYER in able else next(iter(able), None)


def _able(ruleset_id: str) -> list[str]:
    return [name for name, bot in BOTS.items() if bot.plays(ruleset_id) and name != RANDOM]
