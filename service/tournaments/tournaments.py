"""Tournaments as players and directors have them: create one, enter, withdraw, act as the director, and read."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson

from domain.events import Clock
from domain.game.durations import DAY, SECOND, instant, lasting, moment
from domain.game.seating import NewGame
from domain.registry import RULESETS
from domain.sentences.message import Number, Text
from domain.serialization import to_plain
from domain.tournaments import tournament
from domain.tournaments.events import Conditions, FinalStanding, TournamentCreated
from domain.tournaments.tournament import Decided, Tournament
from service.accounts.limits import Toll
from service.accounts.players import BOTS as PROGRAMS
from service.accounts.players import Caller, Key, Players
from service.bots import BOTS
from service.common.errors import Forbidden, NotFound, Unprocessable, key_reused, refusal
from service.games.access import check_bot_plays
from service.games.commit import TOURNAMENT, kept_under
from service.games.desk import Desk, first_answer
from service.store.codec import Answer, remembered
from service.store.event_store import Appended, EventStore, Remembered
from service.store.game_lists import GameLists, Part
from service.tournaments.resources import (
    EntrantResource,
    MyEntry,
    Phase,
    TournamentEventPage,
    TournamentResource,
    TournamentSummary,
)
from service.tournaments.store import TournamentStore

USUAL_DEALS, USUAL_BOT = 4, "greedy"
_STANDINGS_KEPT = 64
LONGEST_WAIT = 90 * DAY
"""How long before its start a tournament can be created, in ms."""


class Tournaments:
    """The tournaments of one store; a root of the log of heads is signed every ``heads_seconds``."""

    def __init__(self, desk: Desk, store: EventStore, players: Players, heads_seconds: int) -> None:
        self._desk = desk
        self._store = store
        self._players = players
        # Entries close so long before the start that a root is signed in between, which seals the first lots.
        self._ahead = 2 * heads_seconds * SECOND
        self._logs = TournamentStore(store)
        self._ranked: dict[tuple[str, int, str], Sequence[FinalStanding]] = {}

    # -- reading -------------------------------------------------------------------------------------------------------

    def page(self, after: str | None, limit: int) -> tuple[list[TournamentSummary], str | None]:
        """Return a page of the list, the last to start first, and the member to continue after."""
        tournaments, last = self._logs.page(after, limit)
        return [self._summary(one) for one in tournaments], last

    def find(self, tournament_id: str) -> Tournament:
        """Return a tournament; reject an unknown id."""
        one = self._logs.find(tournament_id) if tournament_id.startswith(TOURNAMENT) else None
        if one is None:
            raise NotFound("no-such-tournament", refusal("no-such-tournament"))
        return one

    def events(self, tournament_id: str, after: int, limit: int) -> TournamentEventPage:
        """Return a page of the log of a tournament."""
        events, following = self._logs.events(self.find(tournament_id), after, limit, everything=True)
        return {"events": events, "next": following}

    def resource(self, one: Tournament, player: str | None) -> TournamentResource:
        """Show a tournament to a player, or to anyone."""
        created = one.created
        standings = self._standings(one)
        everyone = [*(one.places[place] for place in one.present), *one.reserves, *(each.player for each in standings)]
        names = self._players.names(dict.fromkeys(everyone))
        return {
            **self._summary(one),
            "creator": created.creator,
            "options": dict(created.options),
            "deals": created.deals,
            "bot": created.bot,
            "auction": created.auction,
            "clock": to_plain(created.clock),
            "round_time": created.round_time,
            "entries_close": created.entries_close,
            "most": created.most,
            "conditions": to_plain(created.conditions),
            "closes": one.running.closes if one.running else None,
            "players": _named((one.places[place] for place in one.present), names),
            "reserves": _named(one.reserves, names),
            "standings": [{**asdict(each), "name": names.get(each.player)} for each in standings],  # type: ignore[typeddict-item]
            "ended": None if one.ended is None else {"how": one.ended.how, "reason": one.cancelled},
            "invitation": self._invitation(one) if created.conditions.invited and player == created.creator else None,
            "mine": None if player is None else self._mine(one, player),
        }

    def _standings(self, one: Tournament) -> Sequence[FinalStanding]:
        """Return the standings of a tournament, which take long for many rounds, so the latest ones are cached."""
        name = (one.id, one.version, one.head)
        standings = self._ranked.get(name)
        if standings is None:
            if len(self._ranked) >= _STANDINGS_KEPT:
                self._ranked.clear()
            standings = self._ranked[name] = tournament.standings(one)
        return standings

    def _summary(self, one: Tournament) -> TournamentSummary:
        created = one.created
        return {
            "id": one.id,
            "name": created.name,
            "ruleset": created.ruleset,
            "seats": created.seats,
            "rounds": created.rounds,
            "pairing": created.pairing,
            "status": self._phase(one),
            "starts": created.starts,
            "entrants": len(one.present),
            "round": len(one.paired),
        }

    def _phase(self, one: Tournament) -> Phase:
        if one.ended is not None:
            return "ended"
        if one.paired:
            return "running"
        return "open" if self._desk.now() < instant(one.created.entries_close) else "closed"

    def _mine(self, one: Tournament, player: str) -> MyEntry | None:
        played = one.running
        tables = [number for number, table in enumerate(played.tables) if player in table] if played else []
        if not one.has(player) and not tables:
            return None
        ids = self._logs.game_ids(one, played, tables[0]) if played and tables else []
        summaries = self._store.public_data(ids)
        game = next((each for each in ids if summaries[each] and summaries[each]["status"] == "active"), None)
        return {"reserve": player in one.reserves, "game": game}

    def _invitation(self, one: Tournament) -> str:
        """Return what players need to enter a tournament for those who are invited; only this store can derive it."""
        return self._store.derived_id("ti_", f"invitation {one.id}")

    # -- creating ------------------------------------------------------------------------------------------------------

    def create(self, me: Caller, posted: Mapping[str, Any], key: Key | None) -> tuple[str, Answer]:
        """Create a tournament, whose director is the caller; a key creates the same one, and only once."""
        new_id = f"{TOURNAMENT}{secrets.token_hex(10)}"
        if key is not None:
            new_id = self._store.derived_id(TOURNAMENT, kept_under(me, key))

        def decide(before: Tournament | None) -> Decided:
            if before is not None:
                raise key_reused()
            step = tournament.create(new_id, self._terms(me.player, posted))
            self._desk.limiter.pay(Toll([("new-tournaments", me.player)]), me.player, me.address, new_id, 1)
            return step

        return new_id, self._committed(me, key, new_id, decide)

    def _terms(self, creator: str, posted: Mapping[str, Any]) -> TournamentCreated:
        """Return the terms of a tournament; reject those with which no game or no round could be played."""
        ruleset, clock, seats = RULESETS[posted["ruleset"]], Clock(**posted["clock"]), posted["seats"]
        one_deal = ruleset.one_deal
        deals = posted.get("deals", USUAL_DEALS if one_deal else 0)
        bot = posted.get("bot", USUAL_BOT if one_deal else None)
        is_duel = deals == 0 and seats == 2
        if not (deals and posted["pairing"] == "lots" if one_deal else is_duel):
            raise Unprocessable("tournament-form", refusal("tournament-form"))
        auction = posted.get("auction")
        for each in filter(None, (bot, clock.bot, auction)):
            check_bot_plays(each, ruleset)
        if auction is not None and ruleset.is_auction is None:
            raise Unprocessable("no-auction", refusal("no-auction", game=Text(ruleset.name)))
        starts, now = posted["starts"], self._desk.now()
        if not now + self._ahead <= starts <= now + LONGEST_WAIT:
            bounds = {"least": Text(moment(now + self._ahead)), "most": Text(moment(now + LONGEST_WAIT))}
            raise Unprocessable("tournament-start", refusal("tournament-start", **bounds))
        chosen = {**posted["options"], **(one_deal or {})}
        options = ruleset.options.complete(chosen, seats) if seats in ruleset.seats else None
        self._desk.check(
            NewGame(
                id=TOURNAMENT,
                ruleset=ruleset,
                options=options,
                visibility="private",
                sandbox=False,
                creator=creator,
                sitters=(None,) * seats,
                clock=clock,
            )
        )
        return TournamentCreated(
            name=posted["name"],
            creator=creator,
            ruleset=ruleset.id,
            rules_version=ruleset.version,
            options=to_plain(options),
            seats=seats,
            deals=deals,
            rounds=posted["rounds"],
            pairing=posted["pairing"],
            bot=bot,
            bot_version=BOTS[bot].version if bot else None,
            clock=clock,
            round_time=lasting(posted["round_time"]),
            entries_close=moment(starts - self._ahead),
            starts=moment(starts),
            most=posted["most"],
            conditions=Conditions(posted["account_days"], posted["finished_games"], posted["invited"]),
            auction=auction,
        )

    # -- entering, and what the director does --------------------------------------------------------------------------

    def enter(self, me: Caller, tournament_id: str, invitation: str | None) -> TournamentResource:
        """Enter a player who meets the conditions; one who has entered stays as they are."""
        one = self.find(tournament_id)
        if not one.has(me.player):
            self._check_may_enter(one, me.player, invitation)
            by_address = [("joins-from-address", f"{me.address} {one.id}")] if me.address else []
            toll = Toll([("joins", f"{me.player} {one.id}"), *by_address])
            self._desk.limiter.pay(toll, me.player, me.address, one.id, 1)
        self._changed(me, None, one.id, lambda before: tournament.enter(before, me.player, self._desk.now()))
        return self.resource(self.find(one.id), me.player)

    def _check_may_enter(self, one: Tournament, player: str, invitation: str | None) -> None:
        conditions, account = one.created.conditions, self._players.find(player)
        if conditions.invited and not secrets.compare_digest(
            (invitation or "").encode(), self._invitation(one).encode()
        ):
            raise Forbidden("not-invited", refusal("not-invited"))
        least, days = conditions.finished_games, conditions.account_days
        is_old = account is not None and instant(account.created_at) + days * DAY <= self._desk.now()
        if player.startswith(PROGRAMS) or not is_old or (least and self._finished(player, least) < least):
            said = refusal("conditions-not-met", days=Number(days), games=Number(least))
            raise Forbidden("conditions-not-met", said)

    def _finished(self, player: str, most: int) -> int:
        """Count the finished games of a player that are no sandboxes, up to a number."""

        def counts(summary: bytes) -> bool:
            game = orjson.loads(summary)
            return bool(game["status"] == "finished" and not game["sandbox"])

        return len(GameLists(self._store).of_player(player, Part(limit=most, keep=counts)).games)

    def withdraw(self, me: Caller, tournament_id: str) -> None:
        """Withdraw the caller."""
        self._changed(me, None, tournament_id, lambda before: tournament.withdraw(before, me.player, self._desk.now()))

    def act(self, me: Caller, tournament_id: str, posted: Mapping[str, Any], key: Key | None) -> Answer:
        """Act as the director: adjust points, withdraw or substitute a player, or cancel it, for a reason."""
        if self.find(tournament_id).created.creator != me.player:
            raise Forbidden("not-the-director", refusal("not-the-director"))
        reason, player = posted["reason"], posted.get("player", "")

        def decide(before: Tournament) -> Decided:
            match posted["act"]:
                case "adjust":
                    return tournament.adjust(before, player, posted["points"], reason)
                case "withdraw":
                    return tournament.withdraw(before, player, self._desk.now(), reason)
                case "substitute":
                    return tournament.substitute(before, player, posted["by"], reason)
                case _:
                    return tournament.cancel(before, reason)

        return self._changed(me, key, tournament_id, decide)

    def _changed(
        self, me: Caller, key: Key | None, tournament_id: str, decide: Callable[[Tournament], Decided]
    ) -> Answer:
        first = self.find(tournament_id)
        return self._committed(me, key, tournament_id, lambda before: decide(before or first))

    def _committed(
        self, me: Caller, key: Key | None, tournament_id: str, decide: Callable[[Tournament | None], Decided]
    ) -> Answer:
        """Decide on the tournament as it is, and append it; a request that is repeated gets its first answer."""
        name = kept_under(me, key)
        earlier, _ = self._store.look_up(tournament_id, 0, name) if key else (None, ())
        while earlier is None:
            before = self._logs.find(tournament_id)
            step = decide(before)
            if not step[0]:
                return Answer(200, orjson.dumps(self.resource(step[1], me.player)))
            answer = Answer(201, orjson.dumps(self.resource(step[1], me.player)))
            stored = remembered(key.fingerprint, answer) if key else b""
            at = moment(self._desk.now())
            outcome = self._store.append(self._logs.append_for(before, step, at, request_key=name, answer=stored))
            if isinstance(outcome, Appended):
                return answer
            earlier = outcome if isinstance(outcome, Remembered) else None
        return first_answer(earlier, key)


def _named(players: Iterable[str], names: Mapping[str, str]) -> list[EntrantResource]:
    return [{"player": player, "name": names.get(player)} for player in players]
