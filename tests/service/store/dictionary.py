"""The dictionary of compact entries, made from random games of the built-in rulesets; prints it.

python -m tests.service.store.dictionary > service/store/compact.dictionary

The one that is there must never change: entries were written with it, and need it to be read. A better one is for
another form of entries, beside ``service.store.compact``.
"""

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator

from domain.game import aggregate, history
from domain.laws import play
from domain.log.bot_moves import BotMove, Thinking
from domain.log.record import Record
from domain.registry import BUILT_IN
from service.store.compact import body_of

_SIZE = 7900
"""Bytes: with what deflate itself needs of its window of 8 KiB, a whole body can still refer to them."""

_LONGEST = 300
"""Bytes of a sample; what comes later in long bodies is mostly secrets, which nothing else is like."""

_SAMPLES = 2
"""Samples of each type of event; of the usual types, each ruleset has one more."""

_USUAL = 0.02


def logs() -> Iterator[list[Record]]:
    """Play a game of every ruleset with every number of seats, in which bots make every other move."""
    for ruleset in BUILT_IN:
        for seats in ruleset.seats:
            steps = [*play.starting(ruleset, seats, 1, {})]
            log, game, rng = play.log_of(steps), steps[-1].game, random.Random(1)
            while not game.is_over and len(log) < 400:
                seat = rng.choice(sorted(game.pending))
                action = rng.choice([*ruleset.legal_actions(game.state, seat)])
                thought = Thinking(rng.getrandbits(63), 0, "policy")
                by = BotMove(rng.choice(("greedy", "searcher")), 3, 0, thought) if seat % 2 else None
                records, game = history.record(game, aggregate.act(game, seat, action), game.at, "0" * 16, by=by)
                log += records
            yield log


def main() -> None:
    """Choose samples of all types, and print them, the usual ones last, where a reference to them is shortest."""
    bodies: defaultdict[str, list[bytes]] = defaultdict(list)
    extra: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
    counts: Counter[str] = Counter()
    rng = random.Random(1)
    for log in logs():
        for record in log:
            body = body_of(record)[:_LONGEST]
            counts[record.type] += 1
            bodies[record.type].append(body)
            extra[record.type][str(log[0].data["ruleset"])] = body
    usual = {kind for kind, count in counts.items() if count > _USUAL * counts.total()}
    chosen: list[bytes] = []
    for kind, _ in reversed(counts.most_common()):
        chosen += rng.sample(bodies[kind], min(_SAMPLES, len(bodies[kind])))
        chosen += extra[kind].values() if kind in usual else ()
    sys.stdout.buffer.write(b"".join(chosen)[-_SIZE:])


if __name__ == "__main__":
    main()
