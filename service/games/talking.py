"""Talking: the set phrases that players can say, when they can say them, and the phrases of a game.

A phrase is not an event of the game: it is stored beside the log, for a time. There is no free text, so nothing needs
to be translated or moderated. A phrase at a chosen moment of a hand could disclose cards to a partner, so while a game
is running, its ruleset decides from what a spectator sees whether players can talk.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Literal, TypeAlias, cast

import orjson

from domain.errors import WrongMoment, wrong_moment
from domain.game.aggregate import Game
from domain.game.durations import moment
from domain.sentences.catalogue import catalogue, words_of_all_games
from domain.sentences.message import Message
from domain.table import Seat
from service.accounts.limits import Toll, Unlimited
from service.accounts.players import Caller, Key
from service.common.errors import WORDS, AtVersion
from service.games.access import playing_seat
from service.games.commit import kept_under
from service.games.desk import first_answer
from service.games.phrases import (
    PHRASES,
    Phrase,
    PhraseAnswer,
    PhraseAtTable,
    PhraseChoice,
    PhraseMenu,
    SaidPhrase,
)
from service.games.repository import GameRepository
from service.store import keys
from service.store.codec import Answer, remembered
from service.store.event_store import EventStore, Remembered
from service.store.scripts import script

MOST_KEPT = 50
"""How many phrases of a game are kept."""
KEPT_MS = 30 * 24 * 3600 * 1000
"""For how long after the last phrase Redis keeps the phrases of a game."""

Silence: TypeAlias = Literal["silence-in-play", "silence-aborted"]


@dataclass(frozen=True, slots=True)
class Said:
    """A phrase that a player said at a seat, as it is stored."""

    id: str
    seat: Seat
    player: str
    phrase: Phrase
    at: str
    request: str = ""
    """The name of the request, "" without a key."""
    fingerprint: str = ""


def silence(game: Game) -> Silence | None:
    """Return why no player can talk in a game now; None if they can."""
    if game.status in ("open", "finished"):
        return None
    if game.status == "aborted":
        return "silence-aborted"
    return None if game.ruleset.can_talk(game.options, game.ruleset.project(game.state, None)) else "silence-in-play"


def check_can_talk(game: Game) -> None:
    why = silence(game)
    if why is not None:
        raise wrong_moment(why, WORDS)


def choices(language: str) -> list[PhraseChoice]:
    return [{"phrase": each, "text": _words(f"phrase.{each}", language)} for each in PHRASES]


def _words(message: str, language: str) -> str:
    return words_of_all_games(language).sentence(Message(message))


class PhraseStore:
    def __init__(self, store: EventStore) -> None:
        self._redis, self._shards = store.client, store.all_shards
        self._script = script(store.client, __name__, "add_phrase")

    def read(self, game_id: str) -> Sequence[bytes]:
        return cast("list[bytes]", self._redis.lrange(self._shards.keys_of(game_id).phrases, 0, -1))

    def write(self, game_id: str, version: int, last: bytes, cursor: str, said: bytes) -> Literal["written", "moved"]:
        """Store a phrase, unless the game or its phrases have changed since it was checked.

        That was at a ``version`` of the game and after the ``last`` phrase, which is b"" if there is none. Followers of
        the phrases get the ``cursor``.
        """
        game, channel = self._shards.keys_of(game_id), keys.topic(topic_of(game_id))
        args: list[str | bytes | int] = [version, last, said, MOST_KEPT, KEPT_MS, channel, cursor, game_id]
        reply = self._script(keys=[game.events, game.phrases, game.shard.archived], args=args)
        return cast("Literal['written', 'moved']", reply.decode())

    def read_all(self, game_ids: Iterable[str]) -> Mapping[str, Sequence[bytes]]:
        wanted = list(game_ids)
        pipe = self._redis.pipeline(transaction=False)
        for game_id in wanted:
            pipe.lrange(self._shards.keys_of(game_id).phrases, 0, -1)
        return dict(zip(wanted, pipe.execute(), strict=True))

    def remove(self, said: Iterable[tuple[str, bytes]]) -> None:
        pipe = self._redis.pipeline(transaction=False)
        for game_id, each in said:
            pipe.lrem(self._shards.keys_of(game_id).phrases, 0, cast("str", each))
        pipe.execute()


def topic_of(game_id: str) -> str:
    """Return the topic of what is said in a game; its cursors are the ids of phrases."""
    return f"phrases:{game_id}"


class Talking:
    """Handle the phrases in all games of one store; ``now`` returns the time in ms since 1970."""

    def __init__(self, repository: GameRepository, now: Callable[[], int], limiter: Unlimited | None = None) -> None:
        self._repository = repository
        self._store = PhraseStore(repository.store)
        self._now = now
        self._limiter = limiter or Unlimited()

    def say(self, game: Game, caller: Caller, wanted: Seat | None, phrase: Phrase, key: Key | None) -> Answer:
        """Say a phrase at a seat of the caller's, exactly once, and return the response.

        A key is remembered for as long as the phrase is stored.
        """
        request, at, is_charged = kept_under(caller, key), self._now(), False
        while True:
            kept, game = self._repository.looked_up(game, request)
            known = self._store.read(game.id)
            kept = kept or _first(request, game, known)
            if kept is not None:
                return first_answer(kept, key)
            try:
                seat = playing_seat(game, caller, wanted)
                check_can_talk(game)
            except WrongMoment as refusal:
                raise AtVersion(refusal, game) from refusal
            if not is_charged:
                self._limiter.charge(toll(game, caller), caller.player, game.id)
                is_charged = True
            number = _id(game.id, seat, phrase, at)
            said = Said(number, seat, caller.player, phrase, moment(at), request, key.fingerprint if key else "")
            written = orjson.dumps(asdict(said))
            last = known[-1] if known else b""
            if written in known or self._store.write(game.id, game.version, last, said.id, written) == "written":
                return _answer(game, said)

    def show(self, game: Game, language: str) -> PhraseMenu:
        why = silence(game)
        return {
            "game_id": game.id,
            "phrases": self.heard(game, "", language),
            "choices": choices(language),
            "silence": None if why is None else catalogue(WORDS, language).sentence(Message(f"moment.{why}")),
        }

    def heard(self, game: Game, after: str, language: str) -> list[SaidPhrase]:
        """Return the phrases of seated players after a given one, or all stored phrases if that one is gone.

        Phrases of players who have left, and of aborted games, are not shown.
        """
        if game.status == "aborted":
            return []
        said = [_read(each) for each in self._store.read(game.id)]
        since = next((number for number, each in enumerate(said, 1) if each.id == after), 0)
        return [
            _shown(each, language)
            for each in said[since:]
            if (sitter := game.sitters[each.seat]) is not None and sitter.player == each.player
        ]

    def said_by(self, player: str, games: Iterable[str], language: str) -> list[PhraseAtTable]:
        said = ((game_id, _read(each)) for game_id, each in self._kept_of(player, games))
        return [{"game_id": game_id, **_shown(each, language)} for game_id, each in said]

    def forget(self, player: str, games: Iterable[str]) -> None:
        self._store.remove(self._kept_of(player, games))

    def _kept_of(self, player: str, games: Iterable[str]) -> list[tuple[str, bytes]]:
        found = ((game_id, each) for game_id, said in self._store.read_all(games).items() for each in said)
        return [(game_id, each) for game_id, each in found if _read(each).player == player]


def toll(game: Game, caller: Caller) -> Toll:
    return Toll(rates=[("phrases", f"{caller.player} {game.id}")])


def _id(game_id: str, seat: Seat, phrase: Phrase, at: int) -> str:
    """Return the id of a phrase; it is the same if a lost reply makes a client send it again."""
    return f"ph_{sha256(f'{game_id} {seat} {phrase} {at}'.encode()).hexdigest()[:12]}"


def _read(kept: bytes) -> Said:
    return Said(**orjson.loads(kept))


def _first(request: str, game: Game, known: Sequence[bytes]) -> Remembered | None:
    """Return the response to a phrase that a request has said before, if the phrase is still stored."""
    said = (each for each in map(_read, known) if request and each.request == request)
    return next((Remembered(remembered(each.fingerprint, _answer(game, each))) for each in said), None)


def _answer(game: Game, said: Said) -> Answer:
    shown: PhraseAnswer = {
        "game_id": game.id,
        "id": said.id,
        "seat": said.seat,
        "phrase": said.phrase,
        "at": said.at,
    }
    return Answer(201, orjson.dumps(shown))


def _shown(said: Said, language: str) -> SaidPhrase:
    text = _words(f"phrase.{said.phrase}", language)
    return {"id": said.id, "seat": said.seat, "phrase": said.phrase, "text": text, "at": said.at}
