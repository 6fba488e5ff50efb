"""The audit of a tournament that has ended, from its log and those of its deal sets: lots, deals, points, standings."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from domain.audit.faults import Wrong, compare, value
from domain.chance import commitment
from domain.deal_sets import deal_set
from domain.deal_sets.deal_set import DealSet
from domain.deal_sets.events import SetCreated
from domain.game.durations import moment
from domain.log import chain
from domain.log.record import Shown
from domain.serialization import Plain, from_plain, to_plain
from domain.tournaments import tournament
from domain.tournaments.events import EVENTS, RoundClosed, RoundPaired, TournamentCreated, TournamentEnded
from domain.tournaments.tournament import Tournament

Logs = Mapping[str, Sequence[Shown]]
"""The events of each log, by its id."""

_PREFIX = "tn_"


def read(content: bytes) -> Logs | None:
    """Read pages of logs, one a line, as the service returns them; None if a file holds something else."""
    try:
        pages = [json.loads(line) for line in content.splitlines() if line.strip()]
        events = [event for page in pages for event in page["events"]]
        logs: dict[str, list[Shown]] = {str(event["game_id"]): [] for event in events}
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    for event in events:
        logs[str(event["game_id"])].append(event)
    return logs if any(name.startswith(_PREFIX) for name in logs) else None


@dataclass(frozen=True, slots=True)
class Checked:
    """What was checked: so many events, and what was not."""

    events: int
    unchecked: Sequence[str]


def check(logs: Logs) -> Checked:
    """Check the logs of tournaments, and of the sets that they name; raise ``Wrong``."""
    checked, unchecked = set[str](), list[str]()
    for name in logs:
        if name.startswith(_PREFIX):
            one = _checked(logs[name], logs)
            checked |= {name, *(paired.set for paired in one.paired)}
            unchecked += _unchecked(one)
    unchecked += [f"{name} was not checked: no tournament in the file names it" for name in logs if name not in checked]
    return Checked(sum(len(logs[name]) for name in checked), unchecked)


def _checked(events: Sequence[Shown], logs: Logs) -> Tournament:
    """Return a tournament after all events of its log; raise ``Wrong``."""
    _check_chain(events)
    one = Tournament(events[0]["game_id"], from_plain(TournamentCreated, events[0]["data"]))
    for event in events[1:]:
        cls = EVENTS.get(event["type"])
        if cls is None or cls is TournamentCreated:
            raise Wrong(event["version"], "/type", "an event of a tournament", value(event["type"]))
        happened: object = from_plain(cls, event["data"])
        expected = _expected(one, happened, event, logs)
        if expected is not None:
            compare(event["version"], "/data", to_plain(expected), event["data"])
        one = tournament.evolve(one, happened)
    return one


def _unchecked(one: Tournament) -> Iterator[str]:
    if one.ended is None:
        yield f"{one.id} has not ended"
    games = sum(len(table.games) for each in one.closed for table in each.tables)
    yield f"the roots that sealed the sets of {one.id} were not compared with the log of heads"
    yield f"the scores of its {games} games were not compared with the games, which can be verified one by one"


def _expected(before: Tournament, happened: object, event: Shown, logs: Logs) -> object:
    """Return what must have happened where that follows from the logs; None if players or a director decide it."""
    match happened:
        case RoundPaired(set=set_id):
            if set_id in {paired.set for paired in before.paired}:
                raise Wrong(event["version"], "/data/set", "a set of its own", set_id)
            return tournament.pair(before, _set_of(before, set_id, event, logs))[0][0]
        case RoundClosed():
            if before.running is None:
                raise Wrong(event["version"], "/type", "no end of a round, since none is played", value(event["type"]))
            _check_results(_set_of(before, before.running.set, event, logs), happened, event["version"])
            return tournament.close_round(before, happened.tables)[0][0]
        case TournamentEnded(how=how):
            return tournament.end(before, how)[0][0]
        case _:
            return None


def _set_of(before: Tournament, set_id: str, event: Shown, logs: Logs) -> DealSet:
    """Return the set of a round, whose log is whole, with the secret that it was committed to; raise ``Wrong``."""
    events = logs.get(set_id)
    if events is None:
        raise Wrong(event["version"], "/data/set", f"the log of {set_id} in the file", "nothing")
    _check_chain(events)
    one = DealSet(set_id, from_plain(SetCreated, events[0]["data"]))
    for each in events[1:]:
        cls = DealSet.EVENTS.get(each["type"])
        if cls is None or cls is SetCreated:
            raise Wrong(each["version"], f"{set_id}/type", "an event of a deal set", value(each["type"]))
        one = deal_set.evolve(one, from_plain(cls, each["data"]))
    _check_terms(before, one)
    if one.sealed is None or one.closed is None:
        raise Wrong(event["version"], f"{set_id}/type", "a set that has been sealed and closed", "one that is open")
    secret = one.created.secret
    compare(None, f"{set_id}/commitment", one.created.commitment, commitment(bytes.fromhex(secret)))
    compare(None, f"{set_id}/secret", secret, one.closed.secret)
    deals: list[Plain] = [commitment(one.deal_secret(number)) for number in range(1, one.created.deals + 1)]
    compare(None, f"{set_id}/deals", deals, one.sealed.deals)
    return one


def _check_terms(before: Tournament, one: DealSet) -> None:
    """Check that a set is that of a round: that which is played, or the next one."""
    created = before.created
    terms: dict[str, Plain] = {
        "ruleset": created.ruleset,
        "rules_version": created.rules_version,
        "options": to_plain(created.options),
        "seats": created.seats,
        "deals": created.deals,
        "bot": created.bot or "",
        "bot_version": created.bot_version or 0,
        "auction": created.auction,
        "tournament": before.id,
        "closes": moment(before.closes(len(before.closed) + 1)),
    }
    for name, expected in terms.items():
        compare(1, f"{one.id}/data/{name}", expected, to_plain(getattr(one.created, name)))


def _check_results(one: DealSet, closed: RoundClosed, version: int) -> None:
    written = chain.canonical({"set": one.id, "tables": to_plain(closed.tables)})
    found = one.closed.results if one.closed else None
    compare(version, f"{one.id}/results", sha256(written).hexdigest(), found)


def _check_chain(events: Sequence[Shown]) -> None:
    try:
        chain.verify(events)
    except chain.BrokenChain as broken:
        raise Wrong(broken.version, f"{events[0]['game_id']}/hash", "an unbroken chain", str(broken)) from broken
