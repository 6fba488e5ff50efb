"""How many events a second ``plateau verify`` checks, in one process, and how large bundles are.

    python -m bench.verify [games] [--quick]

Whole random games are verified from their bundles, as files have them: parsed, their chains and seals checked, and
played again by the rules. Beside it stands the chain with its seals alone, which says nothing of the rules. The sizes
are those of whole games, plain and as gzip packs them.
"""

import gzip

import orjson

from bench.replay import timed
from bench.sizes import size
from domain.audit.bundle import Bundle, lines, read
from domain.audit.verifying import verify
from domain.laws.play import log_of, random_game
from domain.log import chain
from domain.registry import RULESETS
from service.games.projections.auditing import audit

TABLES = (("le-plateau", 4), ("plateau", 2), ("french-tarot", 4), ("plute", 6))


def bundles(ruleset_id: str, seats: int, games: int) -> list[bytes]:
    """Play random games, and return their bundles."""
    written = []
    for seed in range(games):
        steps = [*random_game(RULESETS[ruleset_id], seats, seed, {})]
        game = steps[-1].game
        parts = lines(audit(game, None, log_of(steps)), game.rules_version)
        written.append(b"".join(orjson.dumps(part) + b"\n" for part in parts))
    return written


def checked(written: list[bytes]) -> None:
    """Verify bundles; end if one of these honest games does not verify."""
    for text in written:
        report = verify(read(text))
        if report.fault or report.unchecked:
            raise SystemExit(f"{report.game_id} does not verify: {report}")


def chained(parsed: list[Bundle]) -> None:
    """Check the chains and seals alone."""
    for each in parsed:
        chain.verify(each.events)


def packed(written: list[bytes]) -> int:
    """Return the size in bytes of bundles that are packed one by one."""
    return sum(len(gzip.compress(each, mtime=0)) for each in written)


def main() -> None:
    """Measure, and print the figures."""
    games, times = size(0, 5, 1), size(1, 3, 1)
    for ruleset_id, seats in TABLES:
        written = bundles(ruleset_id, seats, games)
        parsed = [read(text) for text in written]
        events = sum(len(each.events) for each in parsed)
        whole, alone = timed(lambda: checked(written), times), timed(lambda: chained(parsed), times)  # noqa: B023
        print(
            f"{ruleset_id} {seats} {1000 * events / whole:8.0f} events/s  chain alone {1000 * events / alone:8.0f} "
            f"events/s  ratio {whole / alone:.1f}  {sum(map(len, written)) / events:.0f} bytes an event  "
            f"bundle {sum(map(len, written)) / games / 1e3:.0f} kB, packed {packed(written) / games / 1e3:.0f} kB"
        )


if __name__ == "__main__":
    main()
