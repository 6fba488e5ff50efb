"""A store of format 1 is read: its logs fold and verify, show what they showed, and their games are played on.

The declaration of every event fits all logs that were ever written.
"""

import random
from collections.abc import Iterator
from typing import Any

import fakeredis
import orjson
import pytest

from domain import field_types as ft
from domain.events import EVENTS
from domain.log import chain
from domain.log.chain import THOUGHT
from domain.registry import BUILT_IN, RULESETS
from service.accounts.players import GUEST_SCOPES, Caller
from service.cli.exit_codes import ExitCode
from service.cli.verify import verdict_of
from service.games.commands import Act, bot_caller
from service.games.projections import representations
from service.games.store_audit import StoreAudit
from service.store.codec import record_of
from service.store.event_store import EventStore
from service.store.keys import GameKeys
from tests.recorded.record import Recorded, digest, recording
from tests.support.bundles import noted
from tests.support.wiring import Games

ACTIONS = 12


@pytest.fixture
def store() -> Iterator[EventStore]:
    """An empty store."""
    with fakeredis.FakeRedis(server=fakeredis.FakeServer()) as client:
        yield EventStore(client)


@pytest.fixture
def games(store: EventStore) -> Games:
    """A service on the store."""
    return Games(store)


def keep(store: EventStore, recorded: Recorded) -> None:
    """Put the log of a game into the store, byte for byte as the service wrote it."""
    log = GameKeys(recorded.game, store.shard(recorded.game)).events
    for entry_id, entry in recorded.stored():
        store.client.xadd(log, {"e": entry}, id=entry_id)


def viewers(recorded: Recorded) -> Iterator[tuple[str, Caller | None, int | None]]:
    """List the viewers of a recording: their name in it, who they are, and their seat."""
    yield "nobody", None, None
    for seat, player in recorded.players.items():
        yield seat, Caller(player, frozenset(GUEST_SCOPES)), int(seat)


def test_events_are_shown_as_they_were(store: EventStore, games: Games) -> None:
    for recorded in recording():
        keep(store, recorded)
        for name, caller, seat in viewers(recorded):
            page = games.events(recorded.game, caller, seat, 0, 10_000)["events"]
            shown = orjson.loads(orjson.dumps(page))
            assert [digest(event) for event in shown] == recorded.shown[name]
            chain.verify(shown)


def test_views_are_shown_as_they_were(store: EventStore, games: Games) -> None:
    for recorded in recording():
        keep(store, recorded)
        for name, caller, seat in viewers(recorded):
            game, viewer = games.look(recorded.game, caller, seat, None)
            now = orjson.loads(orjson.dumps(representations.view(game, viewer)))
            lacks = [*lacking(without_names(recorded.views[name]), now)]
            assert not lacks, (recorded.ruleset, name, lacks)


def test_logs_are_legal(store: EventStore, games: Games) -> None:
    for recorded in recording():
        keep(store, recorded)
        report = StoreAudit(store).check(recorded.game)
        assert report.fault is None, report
        rules, today = recorded.views["nobody"]["game"]["rules_version"], RULESETS[recorded.ruleset].version
        said = f'version {rules} of the rules of "{recorded.ruleset}" is not installed: legality was not checked'
        assert list(report.unchecked) == ([] if rules == today else [said])
        verdict = verdict_of(recorded.game, report)
        assert verdict.code == (ExitCode.INCOMPLETE if report.unchecked else ExitCode.DONE)
        assert (f"{recorded.game}: warning: {said}" in verdict.lines) is (rules != today)


def test_games_are_played_on(store: EventStore, games: Games) -> None:
    dice = random.Random(1)
    running = [each for each in recording() if each.views["nobody"]["game"]["status"] == "active"]
    assert {each.ruleset for each in running} == {"le-plateau", "plateau", "french-tarot", "plute"}
    for recorded in running:
        keep(store, recorded)
        for _ in range(ACTIONS):
            game = games.current(recorded.game)
            seat = min(game.pending)
            action = dice.choice(list(game.ruleset.legal_actions(game.state, seat)))
            sitter = game.sitters[seat]
            caller = Caller(sitter.player, frozenset(GUEST_SCOPES)) if sitter and sitter.player else bot_caller(seat)
            by = noted(game, seat, sitter.bot) if sitter and sitter.bot else None
            games.do(game.id, Act(caller=caller, seat=seat, action=action, by_bot=by))
        assert StoreAudit(store).check(recorded.game).fault is None


def without_names(view: Any) -> Any:
    """Return a view without the names of players, which are beside the log and not recorded."""
    seats = [{key: value for key, value in seat.items() if key != "name"} for seat in view["game"]["seats"]]
    return view | {"game": view["game"] | {"seats": seats}}


def lacking(then: Any, now: Any, at: str = "") -> Iterator[str]:
    """Name what was shown then, and is not shown now, or not as it was; what is new is not of interest."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key, value in then.items():
            if key not in now:
                yield f"{at}/{key} is gone"
            else:
                yield from lacking(value, now[key], f"{at}/{key}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for index, pair in enumerate(zip(then, now, strict=True)):
            yield from lacking(*pair, f"{at}/{index}")
    elif then != now:
        yield f"{at} was {then!r:.80} and is {now!r:.80}"


def recorded() -> Iterator[tuple[str, type, set[str]]]:
    """Return, for each recorded event, its type, its class of today, and the fields that it has."""
    rulesets = {ruleset.id: ruleset for ruleset in BUILT_IN}
    for game in recording():
        classes = {**EVENTS, **rulesets[game.ruleset].events}
        for entry_id, entry in game.stored():
            record = record_of(game.game, entry_id, {b"e": entry})
            of_hidden = {pointer.split("/")[1] for pointer in record.hidden if pointer != THOUGHT}
            seat = set() if record.seat is None else {"seat"}
            yield record.type, classes[record.type], {*record.data, *of_hidden, *seat}


def test_no_field_was_removed_or_renamed_and_every_later_one_can_be_left_out() -> None:
    for name, cls, has in recorded():
        declared = {field.key: field for field in ft.fields_of(cls)}
        assert has <= declared.keys(), f"{name}: a field is gone: {has - declared.keys()}"
        lacks = {key for key, field in declared.items() if key not in has and not field.omittable}
        assert not lacks, f"{name}: fields that later releases added are not Omittable: {lacks}"


def test_the_events_that_every_game_has_are_recorded_but_for_a_few() -> None:
    found = {cls for _, cls, _ in recorded()}
    missing = {name for name, cls in EVENTS.items() if cls not in found}
    assert missing == {
        "seeds_awaited", "seed_opened", "seeds_closed", "timeout_claimed", "time_credited", "operator_acted",
    }  # fmt: skip
