"""The audit of one bundle: everything that can be checked of it, and what could not be."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from domain import draws
from domain.audit import drawn, structure
from domain.audit.bundle import Bundle
from domain.audit.faults import Fault, Wrong, compare, value
from domain.audit.replaying import replayed, replayed_deals
from domain.game.aggregate import Game
from domain.log.record import Shown
from domain.log.secrets import Secrets
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.table import Seat


@dataclass(frozen=True, slots=True)
class Known:
    """What somebody knows of a game from elsewhere.

    ``seeds`` are the seeds that they brought, by seat; ``seen`` are heads (version, hash) that they saw at any time,
    and ``joined_after`` those that they saw before they joined.
    """

    seeds: tuple[tuple[Seat, str], ...] = ()
    seen: tuple[tuple[int, str], ...] = ()
    joined_after: tuple[tuple[int, str], ...] = ()


NOTHING = Known()


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit found: the first fault, if there is one, and a sentence for each thing that was not checked."""

    game_id: str
    version: int
    fault: Fault | None
    unchecked: tuple[str, ...]


def verify(bundle: Bundle, known: Known = NOTHING) -> Report:
    """Check everything in a bundle, and what is known from elsewhere."""
    unchecked: list[str] = []
    fault = None
    try:
        unchecked += _checked(bundle, known)
    except Wrong as wrong:
        fault = wrong.fault
    return Report(value(bundle.header["game_id"]).strip('"'), len(bundle.events), fault, tuple(unchecked))


def _checked(bundle: Bundle, known: Known) -> Iterator[str]:
    structure.check(bundle)
    events = bundle.events
    _check_seeds(events, known)
    _check_heads(events, known.seen)
    yield from _joined_after(events, known)
    for kind, count in bundle.others.items():
        yield f"{count} lines of the unknown kind {value(kind)} were not checked"
    secrets, is_over = structure.deals_revealed(events), structure.is_over(events)
    if is_over:
        secrets = structure.with_game_secret(secrets, structure.revealed(events))
    else:
        after = f" after version {secrets.revealed[-1]}" if secrets.revealed else ""
        yield f"the game is not over: its secret, its draws and the legality of its actions{after} were not checked"
    structure.check_openings(events, secrets, is_over=is_over)
    yield from _by_the_rules(bundle, RULESETS.get(bundle.header["ruleset"]), secrets, is_over=is_over)


def _by_the_rules(bundle: Bundle, ruleset: AnyRuleset | None, secrets: Secrets, *, is_over: bool) -> Iterator[str]:
    if ruleset is None:
        yield f"the ruleset {value(bundle.header['ruleset'])} is not installed: draws and legality were not checked"
        return
    if bundle.header["rules_version"] != ruleset.version:
        yield (
            f"the game follows version {value(bundle.header['rules_version'])} of the rules, and {ruleset.version} is "
            "installed: seals, draws and legality were not checked"
        )
        return
    structure.check_sealed(bundle.events, ruleset)
    if is_over:
        game = replayed(bundle.events, secrets)
        _check_draws(bundle, game, len(bundle.events))
    elif secrets.revealed:
        game = replayed_deals(bundle.events, secrets)
        _check_draws(bundle, game, secrets.revealed[-1])
    else:
        return
    if game.forked_from is not None:
        yield (
            f"the game is a fork of {game.forked_from.game_id}: the {game.forked_from.events} events that it repeats "
            "were not compared with that game"
        )


def _check_draws(bundle: Bundle, game: Game, until: int) -> None:
    """Compare the draws that the bundle states, and make those up to a version again."""
    stated = [*drawn.draws(game.ruleset, game.options, len(game.sitters), bundle.events)]
    for place, (event, draw) in enumerate(stated):
        found = bundle.draws[place] if place < len(bundle.draws) else None
        compare(event["version"], f"draw {place + 1}", drawn.as_data(event["version"], draw), found)
        if event["version"] > until:
            continue
        try:
            draws.check(game.draws.of_deal(game.secrets.deal_of(event["version"])), draw, event["data"])
        except draws.WrongDraw as error:
            raise Wrong(event["version"], "/data", f"the draw {draw.label} {draw.number}", str(error)) from error
    if len(bundle.draws) > len(stated):
        raise Wrong(None, f"draw {len(stated) + 1}", "nothing", value(bundle.draws[len(stated)]))


def _check_seeds(events: Sequence[Shown], known: Known) -> None:
    for seat, seed in known.seeds:
        join = _last_join(events, seat)
        if join is None:
            raise Wrong(None, f"seat {seat}", "a seat that was taken", "nobody")
        compare(join["version"], "/data/client_seed", seed, join["data"].get("client_seed"))


def _check_heads(events: Sequence[Shown], heads: Sequence[tuple[int, str]]) -> None:
    for version, head in heads:
        if not 0 < version <= len(events):
            raise Wrong(version, "/hash", head, "nothing")
        compare(version, "/hash", head, events[version - 1]["hash"])


def _joined_after(events: Sequence[Shown], known: Known) -> Iterator[str]:
    """Check that the heads seen before joining are in the log before it, and name who sat down in between."""
    _check_heads(events, known.joined_after)
    seats = [seat for seat, _ in known.seeds] or [event["seat"] for event in events if event["type"] == "seat_taken"]
    joins = [join["version"] for seat in seats if (join := _last_join(events, seat)) is not None]
    for version, _ in known.joined_after:
        joined = max(joins, default=0)
        if version >= joined:
            raise Wrong(joined, "/version", f"a join after version {version}", f"the last one at {joined}")
        for event in events[version : joined - 1]:
            yield (
                f"version {event['version']} ({event['type']}) came between the head seen and the join: whoever made "
                "it can have known the seed"
            )


def _last_join(events: Sequence[Shown], seat: Seat) -> Shown | None:
    changes = [event for event in events if event["type"] in {"seat_taken", "seat_left"} and event["seat"] == seat]
    return changes[-1] if changes and changes[-1]["type"] == "seat_taken" else None
