"""``plateau rerun`` makes the moves of bots in a finished game again; ``analyse`` says which moves cost most.

``luck`` replays its deals.
"""

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import orjson

from domain.game import history
from domain.game.luck import REPLAYS
from domain.sentences.catalogue import ORIGINAL, languages
from domain.table import MOST_SEATS
from service.bots import BOTS, adviser_of, replayer_of
from service.cli.asking import asks_about_a_game, reporting
from service.cli.client import Service
from service.cli.exit_codes import ExitCode
from service.cli.output import Command, clean, fail, say
from service.games.advice.resources import Luck, bot_in_advice, luck_resource, move_in_words
from service.games.projections.naming import nameplates
from workers.analysing import Decision, decisions, studied
from workers.luck import deals_of, replayed, replays
from workers.policy_process import PolicyFailed, PolicyProcess
from workers.repeating import NotRepeatable, Repeated, records_of, repeated

_PATIENCE = 600.0
"""Seconds for a move: no player waits for it, and this machine can be slower than the one that it was made on."""
_LEVELS = [name for name, bot in BOTS.items() if bot.playouts]


@click.command(cls=Command)
@asks_about_a_game
@click.argument("version", type=click.IntRange(min=1), required=False)
def rerun(game_id: str, version: int | None, url: str, token: str | None, viewer: str | None) -> None:
    """Recompute all bot moves of a finished game and compare them with the log.

    GAME_ID is the id of a game, or a file with its export in the format `audit`. VERSION is that of an event with
    which the move of a bot begins; without it, all moves of bots are recomputed. Each bot gets the same input as
    before: the view of its seat at that moment, its seed, and the number of playouts.
    """
    with reporting():
        audit = _audit_of(game_id, url, token, viewer)
    process = PolicyProcess(_PATIENCE)
    found: list[Repeated] = []
    try:
        for move in repeated(audit, process, version):
            found.append(move)
            say(_rerun_line(move))
    except NotRepeatable as reason:
        fail(ExitCode.NOT_REPEATABLE, clean(reason))
    finally:
        process.stop()
    differ = [move for move in found if move.is_known and move.fault]
    unknown = [move for move in found if not move.is_known]
    say(f"moves made again: {len(found) - len(unknown)}, of which differ: {len(differ)}")
    if differ or unknown:
        sys.exit(ExitCode.DIFFERS if differ else ExitCode.NOT_REPEATABLE)


def _audit_of(game: str, url: str, token: str | None, viewer: str | None) -> Any:
    if not Path(game).is_file():
        service = Service(url, token)
        try:
            return orjson.loads(service.export(game, viewer, "audit", ""))
        except ValueError:
            raise service.strange("something other than JSON") from None
    try:
        return orjson.loads(Path(game).read_bytes())
    except (OSError, ValueError):
        fail(ExitCode.USAGE, f"{clean(game)} is not JSON, or cannot be read")


def _rerun_line(move: Repeated) -> str:
    searched = f", {move.by.thought.done} of {move.by.playouts} playouts" if move.by.playouts else ""
    chosen = "" if move.action is None else f" {orjson.dumps(move.action).decode()}"
    verdict = f" DIFFERS: {move.fault}" if move.is_known and move.fault else f" ({move.fault})" if move.fault else ""
    return f"{move.version:>5}  seat {move.seat + 1}  {move.by.name} {move.by.version}{searched}:{chosen}{verdict}"


@click.command(cls=Command)
@asks_about_a_game
@click.option("--level", type=click.Choice(_LEVELS), help="The bot to ask; by default the one that gives hints.")
@click.option(
    "--playouts", type=click.IntRange(1, 1_000_000), help="Maximum number of playouts, instead of the bot's own."
)
@click.option(
    "--seat",
    "seats",
    type=click.IntRange(0, MOST_SEATS - 1),
    multiple=True,
    help="Only moves of this seat, counted from 0 as in the interface.",
)
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="Number of moves to show.")
@click.option("--lang", type=click.Choice([*languages()]), default=ORIGINAL, show_default=True, help="The language.")
def analyse(  # noqa: PLR0913 - the options of the command
    *,
    game_id: str,
    url: str,
    token: str | None,
    viewer: str | None,
    level: str | None,
    playouts: int | None,
    seats: Collection[int],
    top: int,
    lang: str,
) -> None:
    """Show the moves of a finished game that cost most, what a bot would have done, and why.

    GAME_ID is the id of a game, or a file with its export in the format `audit`. The bot gets the view that the seat
    had at each decision. The cost of a move is the difference between the bot's estimates of the best action and of
    the move, with the standard error.
    """
    with reporting():
        audit = _audit_of(game_id, url, token, viewer)
    process = PolicyProcess(_PATIENCE)
    try:
        wanted = [each for each in decisions(records_of(audit)) if not seats or each.seat in seats]
        name = _bot(wanted, level)
        found, failed = _studied(wanted, lambda each: studied(each, name, process, playouts))
    except NotRepeatable as reason:
        fail(ExitCode.NOT_REPEATABLE, clean(reason))
    finally:
        process.stop()
    for line in _told(wanted, found, top, lang):
        say(line)
    if failed:
        fail(ExitCode.BOT_FAILED, f"the bot failed at {failed} decisions")


def _bot(wanted: Sequence[Decision], level: str | None) -> str:
    """Return the bot to ask about decisions, which are all of one game."""
    ruleset = wanted[0].game.ruleset.id if wanted else ""
    name = level or adviser_of(ruleset)
    if wanted and (name is None or not BOTS[name].plays(ruleset)):
        raise NotRepeatable(f"no such bot plays {ruleset}")
    return name or ""


def _studied(
    wanted: Sequence[Decision], study: Callable[[Decision], dict[str, Any] | None]
) -> tuple[list[dict[str, Any]], int]:
    found, failed = [], 0
    with click.progressbar(wanted, label="decisions", file=sys.stderr, show_pos=True) as bar:
        for decision in bar:
            try:
                move = study(decision)
            except PolicyFailed:
                failed += 1
            else:
                found += [move] if move else []
    return found, failed


def _told(wanted: Sequence[Decision], found: Sequence[dict[str, Any]], top: int, lang: str) -> Iterator[str]:
    costly = sorted((move for move in found if move["cost"] > 0), key=lambda move: (-move["cost"], move["version"]))
    for move in costly[:top]:
        game = wanted[0].game
        first, *rest = move_in_words(move, game, nameplates(game, lambda _: {}), lang)
        yield from (first, *(f"    {line}" for line in rest), "")
    yield f"decisions: {len(wanted)}, searched: {len(found)}, of which another action was better: {len(costly)}"


@click.command(cls=Command)
@asks_about_a_game
def luck(game_id: str, url: str, token: str | None, viewer: str | None) -> None:
    """Show what the deals of a finished game were worth to each seat, beside what it scored.

    GAME_ID is the id of a game, or a file with its export in the format `audit`. A bot replays each deal in every seat.
    Its seeds follow from the secret of the deal, so the numbers are those of the service.
    """
    with reporting():
        audit = _audit_of(game_id, url, token, viewer)
    process = PolicyProcess(_PATIENCE)
    try:
        records = records_of(audit)
        wanted, game = [*replays(records)], history.fold(records)
        name = replayer_of(game.ruleset.id)
        if name is None or game.ruleset.deal_scores is None:
            raise NotRepeatable(f"no bot replays the deals of {game.ruleset.id}")
        with click.progressbar(wanted, label="replays", file=sys.stderr, show_pos=True) as bar:
            scores = [replayed(each, name, process) for each in bar]
    except NotRepeatable as reason:
        fail(ExitCode.NOT_REPEATABLE, clean(reason))
    except PolicyFailed as failure:
        fail(ExitCode.BOT_FAILED, clean(failure))
    finally:
        process.stop()
    whole = {"all": len(wanted), "bot": bot_in_advice(name), **deals_of(wanted)}
    shown = luck_resource(game, Luck(whole, dict(enumerate(map(list, scores)))))
    say(f"{REPLAYS} replays of each deal by {name} {BOTS[name].version}")
    for deal in shown["deals"]:
        say(f"Deal {deal['number']}")
        for seat, score in enumerate(deal["score"]):
            baseline, error = deal["baseline"][seat] / 1000, deal["error"][seat] / 1000
            play = f"{score - baseline:>+8.1f} play, ± {error:.1f}"
            say(f"    seat {seat + 1}: {score:>5} = {baseline:>+8.1f} deal {play}")
