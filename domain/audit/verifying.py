"""The audit of one bundle: everything that can be checked of it, and what could not be."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from domain import draws
from domain.audit import drawn, signed, structure
from domain.audit.bundle import SIGNED, Bundle
from domain.audit.faults import Fault, Wrong, compare, value
from domain.audit.replaying import replayed, replayed_deals
from domain.game.aggregate import Game
from domain.game.seeds import opens
from domain.log.record import Record, Shown
from domain.log.secrets import Secrets
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset
from domain.serialization import Plain, to_plain
from domain.table import Seat


@dataclass(frozen=True, slots=True)
class Known:
    """What a reader knows of a game from elsewhere.

    ``seeds`` are the seeds that they brought, by seat; ``seen`` are heads (version, hash) that they saw at any time,
    ``joined_after`` those that they saw before they joined with these seeds, and ``opened_after`` before they opened
    a seed.
    """

    seeds: tuple[tuple[Seat, str], ...] = ()
    seen: tuple[tuple[int, str], ...] = ()
    joined_after: tuple[tuple[int, str], ...] = ()
    opened_after: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        """Check that it is known whose join is meant; raise ``ValueError``."""
        if self.joined_after and not self.seeds:
            raise ValueError("a head seen before joining says nothing without the seed that was brought")


NOTHING = Known()


@dataclass(frozen=True, slots=True)
class Played:
    """A game after its last event, and all that was written on the way."""

    game: Game
    records: Sequence[Record]


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit found: the first fault, if there is one, and a sentence for each thing that was not checked.

    Of these, the sentences in ``unsigned`` are about what those who trust a signature could expect. ``notes`` are about
    what was signed, and by whose word. ``played`` is the game as it was played again,
    with its log as a store keeps it; None if the rules could not be asked.
    """

    game_id: str
    version: int
    fault: Fault | None
    unchecked: tuple[str, ...]
    notes: tuple[str, ...] = ()
    unsigned: tuple[str, ...] = ()
    played: Played | None = field(default=None, repr=False)


_Found: TypeAlias = str | signed.Said | Played
"""What a check yields: a sentence for what it did not check, what it found signed, or the game played again."""


def verify(bundle: Bundle, known: Known = NOTHING, trust: signed.Trust | None = None) -> Report:
    """Check everything in a bundle, and what is known from elsewhere; signatures only with ``trust``."""
    found: list[_Found] = []
    fault = None
    try:
        found += _checked(bundle, known, trust)
    except Wrong as wrong:
        fault = wrong.fault
    said = [each for each in found if isinstance(each, signed.Said)]
    unsigned, notes = (tuple(each.text for each in said if each.warning is kind) for kind in (True, False))
    others = tuple(each for each in found if isinstance(each, str))
    played = next((each for each in found if isinstance(each, Played)), None)
    game_id = value(bundle.header["game_id"]).strip('"')
    return Report(game_id, len(bundle.events), fault, unsigned + others, notes, unsigned, played)


def _checked(bundle: Bundle, known: Known, trust: signed.Trust | None) -> Iterator[_Found]:
    structure.check(bundle)
    yield from _signatures(bundle, trust)
    events = bundle.events
    yield from _left_out(events)
    _check_seeds(events, known)
    _check_heads(events, known.seen)
    _check_opened_after(events, known.opened_after)
    yield from _joined_after(events, known)
    for kind, count in bundle.others.items():
        yield f"{count} lines of the unknown kind {value(kind)} were not checked"
    secrets, is_over = structure.deals_revealed(events), structure.is_over(events)
    if is_over and structure.awaits_set(events):
        is_over = False
        yield "the set of its deal has not closed: its draws and the legality of its actions were not checked"
    elif is_over:
        secrets = structure.with_game_secret(secrets, structure.revealed(events), events[0]["data"])
    else:
        after = f" after version {secrets.revealed[-1]}" if secrets.revealed else ""
        yield f"the game is not over: its secret, its draws and the legality of its actions{after} were not checked"
    structure.check_openings(events, secrets, is_over=is_over)
    yield from _by_the_rules(bundle, RULESETS.get(bundle.header["ruleset"]), secrets, is_over=is_over)


def _signatures(bundle: Bundle, trust: signed.Trust | None) -> Iterator[_Found]:
    if trust is not None:
        yield from signed.check(bundle, trust)
    elif any(bundle.signed.get(kind) for kind in SIGNED):
        yield "its signatures were not checked"


def _by_the_rules(bundle: Bundle, ruleset: AnyRuleset | None, secrets: Secrets, *, is_over: bool) -> Iterator[_Found]:
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
    version = structure.unmarked(bundle.events, ruleset)
    if version is not None:
        yield (
            f"version {version}: a bot did this, and the log does not say what with, as in logs from before that was "
            "noted: the moves of bots up to the first that is noted were not checked"
        )
    if is_over:
        records: list[Record] = []
        game = replayed(bundle.events, secrets, records.extend)
        _check_draws(bundle, game, len(bundle.events))
        yield Played(game, records)
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
            data = _unmasked(game, event)
            draws.check(game.draws.of_deal(game.secrets.deal_of(event["version"])), draw, data)
        except draws.WrongDraw as error:
            raise Wrong(event["version"], "/data", f"the draw {draw.label} {draw.number}", str(error)) from error
    if len(bundle.draws) > len(stated):
        raise Wrong(None, f"draw {len(stated) + 1}", "nothing", value(bundle.draws[len(stated)]))


def _unmasked(game: Game, event: Shown) -> Mapping[str, Plain]:
    """Return the data of an event as it was drawn: in a deal of a set, without the mask of the table."""
    if not game.mask or game.unmasked is None:
        data: Mapping[str, Plain] = event["data"]
        return data
    cls = game.ruleset.events[event["type"]]
    drawn_event = next(each for each in game.unmasked.events if type(each) is cls)
    plain: Mapping[str, Plain] = to_plain(drawn_event)
    return plain


def _left_out(events: Sequence[Shown]) -> Iterator[str]:
    """Check each opened seed against its commitment, and name those that were left out."""
    for event in events:
        if event["type"] == "seed_opened":
            join = _last_join(events[: event["version"]], event["seat"])
            seed, committed = event["data"].get("client_seed"), join["data"].get("seed_commitment") if join else None
            if join is None or not opens(seed, committed, join["game_id"], join["data"].get("player")):
                expected = f"a seed with the commitment {value(committed)}"
                raise Wrong(event["version"], "/data/client_seed", expected, value(seed))
        elif event["type"] == "seeds_closed":
            missing = event["data"].get("missing")
            for seat in missing if isinstance(missing, list) else ():
                yield (
                    f"version {event['version']}: the seed of seat {value(seat)} was left out: its player did not open "
                    "it, or the server did not take it"
                )


def _check_seeds(events: Sequence[Shown], known: Known) -> None:
    """Compare the seeds that a player brought with those in the log, or with the commitments and what was opened."""
    for seat, seed in known.seeds:
        join = _last_join(events, seat)
        if join is None:
            raise Wrong(None, f"seat {seat}", "a seat that was taken", "nobody")
        committed = join["data"].get("seed_commitment")
        if committed is None:
            compare(join["version"], "/data/client_seed", seed, join["data"].get("client_seed"))
        elif not opens(seed, committed, join["game_id"], join["data"].get("player")):
            raise Wrong(join["version"], "/data/seed_commitment", "the commitment to your seed", value(committed))


def _check_heads(events: Sequence[Shown], heads: Sequence[tuple[int, str]]) -> None:
    for version, head in heads:
        if not 0 < version <= len(events):
            raise Wrong(version, "/hash", head, "nothing")
        compare(version, "/hash", head, events[version - 1]["hash"])


def _check_opened_after(events: Sequence[Shown], heads: Sequence[tuple[int, str]]) -> None:
    """Check that every seed was fixed in the log that a player saw before opening theirs."""
    _check_heads(events, heads)
    awaited = next((event["version"] for event in events if event["type"] == "seeds_awaited"), None)
    for version, _ in heads:
        if awaited is None or version < awaited:
            found = "none" if awaited is None else f"it at version {awaited}"
            raise Wrong(version, "/version", "seeds_awaited at this version or before it", found)


def _joined_after(events: Sequence[Shown], known: Known) -> Iterator[str]:
    """Check that the heads seen before joining are in the log before it, and name who sat down in between.

    They can have known a seed that was brought, but not one that was committed to.
    """
    _check_heads(events, known.joined_after)
    own = [join for seat, _ in known.seeds if (join := _last_join(events, seat)) is not None]
    for join in own if not known.joined_after else ():
        if join["data"].get("joined_after") is None and "seed_commitment" not in join["data"]:
            yield (
                f"version {join['version']} ({join['type']}) does not say what was seen before the join: whether it "
                "was held back was not checked"
            )
    joined = max((join["version"] for join in own), default=0)
    is_open = any(join["version"] == joined and "seed_commitment" not in join["data"] for join in own)
    for version, _ in known.joined_after:
        if version >= joined:
            raise Wrong(joined, "/version", f"a join after version {version}", f"the last one at {joined}")
        for event in events[version : joined - 1] if is_open else ():
            yield (
                f"version {event['version']} ({event['type']}) came between the head seen and the join: its author "
                "can have known the seed; it can also be lawful, so the log alone does not show whether the join "
                "was held back"
            )


def _last_join(events: Sequence[Shown], seat: Seat) -> Shown | None:
    changes = [event for event in events if event["type"] in {"seat_taken", "seat_left"} and event["seat"] == seat]
    return changes[-1] if changes and changes[-1]["type"] == "seat_taken" else None
