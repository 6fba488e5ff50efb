"""Which notices are still news when a message is about to be sent, game by game, and what they say.

A turn that was played, an invitation that was taken and a proposal that was decided are out of date.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from domain.game.aggregate import Game
from domain.game.durations import instant
from domain.sentences.catalogue import Catalogue, catalogue, language_of
from domain.table import Seat
from service.accounts.players import Players
from service.common.errors import NotFound
from service.games.invitations.invitation_store import Invitations
from service.games.projections.naming import People
from service.games.projections.narrating import put_sentences
from service.games.reading import Reader
from service.games.repository import GameRepository
from service.inbox.notices import Kind, Notice
from service.notifications.content.choices import place_of
from service.store.event_store import NotServed


def words_for(language: str | None) -> Catalogue:
    return catalogue(__package__, language_of(language))


_URGENCY: Sequence[Kind] = (
    "deadline_near",
    "your_turn",
    "seeds_awaited",
    "invited",
    "proposal_made",
    "plan_dropped",
    "game_started",
    "game_ended",
)
"""The kinds in the order in which a message has them."""


def address_of(game: Game, site: str) -> str:
    """Return the address at which the web client shows a game; one that waits for players has a page of its own."""
    return f"{site}/#/{'waiting' if game.status == 'open' else 'game'}/{game.id}"


_TURNS: tuple[Kind, ...] = ("your_turn", "deadline_near")
MOST_TOLD = 20
"""The most events of one game that a mail tells."""


@dataclass(frozen=True, slots=True)
class GameNews:
    """What is news to a player of one game: at most one notice of each kind, the most urgent first."""

    game: Game
    player: str
    notices: Sequence[Notice]
    reader: Reader

    @property
    def kind(self) -> Kind:
        return self.notices[0].kind

    def title(self, words: Catalogue, names: Mapping[str, str]) -> str:
        """Name the game by its ruleset and the other people at the table."""
        others = dict.fromkeys(sitter.player for sitter in self.game.sitters if sitter and sitter.player)
        named = [names[each] for each in others if each in names and each != self.player]
        pattern = "game.title" if named else "game.title_alone"
        return words.say(pattern, ruleset=self.game.ruleset.name, others=", ".join(named))

    def sentences(self, words: Catalogue, names: Mapping[str, str], zone: str | None) -> list[str]:
        return [_sentence(each, words, names, zone) for each in self.notices]

    def people(self) -> set[str]:
        seated = {sitter.player for sitter in self.game.sitters if sitter and sitter.player}
        return seated | {by for each in self.notices if isinstance(by := each.data.get("by"), str)}

    def story(self, look_up: People, language: str) -> tuple[list[str], int]:
        """Say what happened since the player's last move, latest last, and how much more there was before.

        A mail passes through other hands, so it has only what anyone at the table saw.
        """
        seats = self.game.seats_of(self.player)
        if not seats or self.kind not in _TURNS:
            return [], 0
        since = self.reader.last_move(self.game, seats[0])
        after = max(since, self.game.version - MOST_TOLD)
        page = self.reader.events(self.game, None, after, MOST_TOLD)
        put_sentences(page["events"], self.game, look_up, language)
        return [event["sentence"]["text"] for event in page["events"]], after - since


class News:
    def __init__(
        self, repository: GameRepository, invitations: Invitations, players: Players, now: Callable[[], int]
    ) -> None:
        self._repository = repository
        self._reader = Reader(repository)
        self._invitations = invitations
        self._now = now
        self.players = players

    def of(self, player: str, notices: Iterable[Notice]) -> list[GameNews]:
        """Return what is still news of a player's notices; games that cannot be read are left out."""
        by_game: dict[str, dict[Kind, Notice]] = {}
        for each in notices:
            by_game.setdefault(each.game_id, {})[each.kind] = each
        found = (self._of_game(player, game_id, by_kind) for game_id, by_kind in by_game.items())
        return sorted(filter(None, found), key=lambda each: _URGENCY.index(each.kind))

    def names(self, news: Iterable[GameNews]) -> Mapping[str, str]:
        return self.players.names({player for each in news for player in each.people()})

    def _of_game(self, player: str, game_id: str, by_kind: dict[Kind, Notice]) -> GameNews | None:
        try:
            game = self._repository.fresh(game_id)
        except (NotFound, NotServed):
            return None
        kinds = [kind for kind in _URGENCY if kind in by_kind and self._is_true(game, player, by_kind[kind])]
        if "deadline_near" in kinds and "your_turn" in kinds:
            kinds.remove("your_turn")
        return GameNews(game, player, [by_kind[kind] for kind in kinds], self._reader) if kinds else None

    def _is_true(self, game: Game, player: str, notice: Notice) -> bool:
        match notice.kind:
            case "your_turn" | "deadline_near" | "plan_dropped":
                seat = cast("Seat", notice.data["seat"])
                is_pending = seat in game.pending and game.decision_id(seat) == notice.data.get("decision_id")
                return is_pending and seat in game.seats_of(player)
            case "seeds_awaited":
                return any(seat in game.unopened for seat in game.seats_of(player))
            case "proposal_made":
                open_to = {made.id: made.accepted for made in game.proposals}
                proposal, seats = notice.data["proposal"], game.seats_of(player)
                return proposal in open_to and any(seat not in open_to[cast("str", proposal)] for seat in seats)
            case "invited":
                made = self._invitations.of_game(game.id).get(cast("str", notice.data.get("invitation")))
                return made is not None and made.status == "open" and made.expires_at > self._now()
            case "game_started":
                return not game.is_over
            case "game_ended":
                return True


def _sentence(notice: Notice, words: Catalogue, names: Mapping[str, str], zone: str | None) -> str:
    """Say what a notice is about: until when, if it is of a turn with a deadline, or by whom, if they have a name."""
    deadline, by = notice.data.get("deadline"), names.get(str(notice.data.get("by")))
    if notice.kind in _TURNS and isinstance(deadline, str):
        return words.say(f"{notice.kind}.until", until=_local(deadline, zone))
    if by is not None:
        return words.say(f"{notice.kind}.by", by=by)
    return words.say(notice.kind)


def _local(moment: str, zone: str | None) -> str:
    """Write a point in time by the clock of a time zone, to the minute, and the name of the zone."""
    place = place_of(zone)
    here = datetime.fromtimestamp(instant(moment) / 1000, place)
    return f"{here:%Y-%m-%d %H:%M} ({place})"
