"""The command ``plateau analyse``: which moves of a finished game cost most, and what a bot would have done."""

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import click

from domain.sentences.catalogue import ORIGINAL, languages
from domain.table import MOST_SEATS
from service.bots import BOTS, adviser_of
from service.cli.asking import asks_about_a_game, reporting
from service.cli.output import say
from service.cli.rerun import NOT_REPEATABLE, PATIENCE, audit_of
from service.games.advice.resources import move_in_words
from service.games.projections.naming import nameplates
from workers.analysing import Decision, decisions, studied
from workers.policy_process import PolicyFailed, PolicyProcess
from workers.repeating import NotRepeatable, records_of

_FAILED = 4
_LEVELS = [name for name, bot in BOTS.items() if bot.playouts]

_OPTIONS: Sequence[Callable[[Any], Any]] = (
    click.option("--level", type=click.Choice(_LEVELS), help="The bot to ask; by default the one that gives hints."),
    click.option(
        "--playouts", type=click.IntRange(1, 1_000_000), help="At most so many, not as many as the bot's own."
    ),
    click.option(
        "--seat",
        "seats",
        type=click.IntRange(0, MOST_SEATS - 1),
        multiple=True,
        help="Only moves of this seat, counted from 0 as in the interface.",
    ),
    click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many moves to show."),
    click.option(
        "--lang", type=click.Choice([*languages()]), default=ORIGINAL, show_default=True, help="The language."
    ),
)


def _with_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for declare in reversed(_OPTIONS):
        command = declare(command)
    return command


@click.command()
@asks_about_a_game
@_with_options
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
    """Show which moves of a finished game cost most, what a bot would have done, and why.

    GAME_ID is the id of a game, or a file with its export in the format `audit`. The bot gets the view that the seat
    had at each decision. A move costs as much as the bot expects more of the best action, with the standard error.

    Exit codes: 0 every decision was studied, 1 the service rejected the request, 2 wrong usage, 3 the service cannot
    be reached, 4 the bot failed at a decision, 5 the game cannot be analysed here: it is not over, its log does not
    verify, its rules are not installed in this version, or no such bot plays it.
    """
    with reporting():
        audit = audit_of(game_id, url, token, viewer)
    process = PolicyProcess(PATIENCE)
    try:
        wanted = [each for each in decisions(records_of(audit)) if not seats or each.seat in seats]
        name = _bot(wanted, level)
        found, failed = _studied(wanted, lambda each: studied(each, name, process, playouts))
    except NotRepeatable as reason:
        say(f"plateau: {reason}", err=True)
        sys.exit(NOT_REPEATABLE)
    finally:
        process.stop()
    for line in _told(wanted, found, top, lang):
        say(line)
    if failed:
        say(f"plateau: the bot failed at {failed} decisions", err=True)
        sys.exit(_FAILED)


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
    """Study decisions, with a progress bar; return what was found, and at how many the bot failed."""
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
    """Tell the moves that cost most, and how many decisions there were."""
    costly = sorted((move for move in found if move["cost"] > 0), key=lambda move: (-move["cost"], move["version"]))
    for move in costly[:top]:
        game = wanted[0].game
        first, *rest = move_in_words(move, game, nameplates(game, lambda _: {}), lang)
        yield from (first, *(f"    {line}" for line in rest), "")
    yield f"decisions: {len(wanted)}, searched: {len(found)}, of which another action was better: {len(costly)}"
