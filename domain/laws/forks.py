"""A fork begins at the position that its maker knows, depends on nothing else, and can be played to its end."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.chance import Chance
from domain.game import aggregate, history, seating
from domain.game.aggregate import Game
from domain.game.forks import Position, decision_at, position
from domain.laws.law import of_games, some
from domain.laws.moments import of_every_kind
from domain.laws.play import Step, Table, log_of, played, secret_of, written
from domain.log.record import Record, Writer, visible
from domain.serialization import Plain, from_plain
from domain.table import EVERYTHING, Viewer
from domain.texts import document

FORKS = 1
_ID = "gm_fork"


class _Fork(NamedTuple):
    """A fork and its log, beside the game up to the position where it begins."""

    steps: Sequence[Step]
    position: Position
    game: Game
    log: Sequence[Record]


def _forks(table: Table, seed: int) -> Iterator[_Fork]:
    """Fork a random game at some of its decisions, for some viewers, and for those who know everything."""
    steps = played(table, seed)
    rng = random.Random(f"forks {table} {seed}")
    for number in [place + 1 for place in some(rng, of_every_kind(rng, steps), FORKS)]:
        viewers: tuple[Viewer, ...] = (*rng.sample(range(table.seats), 2), None, EVERYTHING)
        for viewer in viewers:
            log = log_of(steps[:number])
            at = position(log, decision_at(log, steps[number - 1].game.version), viewer)
            yield _Fork(steps[:number], at, *_made(at, secret_of(-1)))


def _made(at: Position, secret: bytes) -> tuple[Game, Sequence[Record]]:
    game, seats = at.game, len(at.game.sitters)
    new = seating.NewGame(
        id=_ID,
        ruleset=game.ruleset,
        options=game.options,
        visibility="private",
        sandbox=True,
        creator="pl_0",
        sitters=("pl_0",) * seats,
        forked_from=at.origin,
        story=tuple(at.story(Chance(secret, _ID, (None,) * seats))),
    )
    step = written(None, None, None, seating.create(new, secret))
    return step.game, step.records


@of_games(2)
def a_fork_shows_its_maker_what_the_game_did(table: Table, seed: int) -> None:
    """The view, who can act and how, and every event up to there; and it is the fold of its log."""
    for steps, at, fork, log in _forks(table, seed):
        game, ruleset = steps[-1].game, table.ruleset
        assert ruleset.project(fork.state, at.viewer) == ruleset.project(game.state, at.viewer)
        assert fork.pending.keys() == game.pending.keys()
        assert fork.waiting_for == game.waiting_for
        if isinstance(at.viewer, int):
            legal = [each.ruleset.legal_actions(each.state, at.viewer) for each in (fork, game)]
            assert list(legal[0]) == list(legal[1])
        assert _told(log, fork, at.viewer) == _told(log_of(steps), game, at.viewer)
        assert history.fold(log) == fork
        if at.viewer == EVERYTHING:
            assert fork.state == game.state


def _told(log: Sequence[Record], game: Game, viewer: Viewer) -> list[dict[str, Plain]]:
    """Return what the events of the ruleset say to a viewer, whatever the game."""
    seat, everything = (None, True) if viewer == EVERYTHING else (viewer, False)
    seen = [visible(record, game.secrets, seat, everything=everything) for record in log]
    kept = [{key: event[key] for key in ("type", "seat", "data")} for event in seen]
    hidden = [{"sealed": [*event["sealed"]], "salts": [*event["salts"]]} for event in seen]
    return [one | other for one, other in zip(kept, hidden, strict=True) if one["type"] in game.ruleset.events]


@of_games(2)
def a_fork_is_the_same_in_every_world_that_looks_the_same(table: Table, seed: int) -> None:
    """Another fork, with another secret, is such a world: it takes the place of the true one."""
    for steps, at, _, log in _forks(table, seed):
        if at.viewer != EVERYTHING:
            elsewhere = _in_the_world_of(steps, _made(at, secret_of(-2))[1])
            there = position(elsewhere, decision_at(elsewhere, at.game.version), at.viewer)
            assert there.origin == at.origin
            assert list(_made(there, secret_of(-1))[1]) == list(log)


def _in_the_world_of(steps: Sequence[Step], log: Sequence[Record]) -> list[Record]:
    """Write a game again with the hidden parts that the events of the ruleset have in another log."""
    ruleset = steps[-1].game.ruleset
    told: Iterator[object] = (
        from_plain(ruleset.events[one.type], one.whole_data()) for one in log if one.type in ruleset.events
    )
    of_the_ruleset = {*ruleset.events.values()}
    secrets, rewritten = steps[-1].game.secrets, list[Record]()
    for step in steps:
        writer = Writer(secrets, len(rewritten), rewritten[-1].hash if rewritten else "")
        events = [next(told) if type(event) in of_the_ruleset else event for event in step.events]
        rewritten += writer.write(history.named(ruleset, events), step.game.at, step.records[0].request)
    return rewritten


@of_games(2)
def a_fork_is_played_to_its_end_and_reads_back(table: Table, seed: int) -> None:
    """Its past was legal by the rules, and its draws since then are its own."""
    rng = random.Random(f"playing on {table} {seed}")
    for _, _, fork, log in some(rng, list(_forks(table, seed)), 3):
        records, game = list(log), fork
        while not game.is_over:
            seat = rng.choice(sorted(game.pending))
            action = rng.choice(game.ruleset.legal_actions(game.state, seat))
            step = written(game, seat, action, aggregate.act(game, seat, action))
            records, game = [*records, *step.records], step.game
        assert history.fold(records) == game
        if table.ruleset.notation is not None:
            reading = document.read(document.write([visible(r, game.secrets, None, everything=True) for r in records]))
            assert reading.outcome == game.outcome
            assert reading.header.fork == game.forked_from
