"""The command ``plateau generate``: bots play games, and what they saw and did becomes a data set."""

import sys
from collections.abc import Sequence
from os import cpu_count
from pathlib import Path
from typing import cast

import click

from domain.errors import InvalidOptions
from domain.registry import RULESETS
from service.cli.exit_codes import ExitCode
from service.cli.output import Command, clean, fail
from workers.research.columns import COLUMNS, Rows
from workers.research.datasets import BotFailed, Recipe, games
from workers.research.entrants import Entrant, NoSuchBot, entrants, plays
from workers.research.files import NoSuchFormat, written
from workers.research.tables import NoSuchTable, read_options


@click.command(cls=Command)
@click.option("--ruleset", "ruleset_id", required=True, type=click.Choice(list(RULESETS)), help="The game.")
@click.option("--seats", type=int, help="Number of players. Default: the fewest that the rules allow.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--whole-games", is_flag=True, help="Play whole games instead of single hands.")
@click.option(
    "--bots",
    default="greedy",
    show_default=True,
    help="Names by seat, repeated as needed; searcher@500 sets the playouts, module:function is your own, "
    "of a package or of the current folder.",
)
@click.option("--games", "many", default=100, show_default=True, type=click.IntRange(min=1), help="Number of games.")
@click.option("--first", default=0, show_default=True, type=click.IntRange(min=0), help="Number of the first game.")
@click.option("--seed", default=1, show_default=True, help="All cards and all choices follow from it.")
@click.option(
    "--rows", default="decisions", show_default=True, type=click.Choice(list(COLUMNS)), help="Content of a row."
)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="File: .jsonl, .jsonl.gz or .parquet; it is replaced."
)
@click.option(
    "--processes", default=cpu_count() or 1, show_default=True, type=click.IntRange(min=1), help="Games in parallel."
)
def generate(  # noqa: PLR0913 - one for each switch
    ruleset_id: str,
    seats: int | None,
    options: Sequence[str],
    *,
    whole_games: bool,
    bots: str,
    many: int,
    first: int,
    seed: int,
    rows: str,
    out: Path,
    processes: int,
) -> None:
    """Run games of bots, and write their views and actions into a file.

    The same switches write the same file, byte by byte, with any number of processes. A game depends only on the seed
    and its number, so --first continues a data set in another file, or on another machine.
    """
    given = read_options(options)
    recipe = Recipe(ruleset_id, seats, given, whole_games, _bots(bots, ruleset_id), seed, cast("Rows", rows))
    _check(recipe)
    bar = click.progressbar(length=many, label="games", file=sys.stderr, show_pos=True)
    try:
        with written(out, recipe.rows) as write, bar:
            for each in games(recipe, range(first, first + many), min(processes, many)):
                write(each)
                bar.update(1)
    except (NoSuchFormat, OSError) as error:
        raise click.UsageError(str(error)) from error
    except BotFailed as error:
        fail(ExitCode.FAILED, clean(error))


def _bots(names: str, ruleset_id: str) -> tuple[Entrant, ...]:
    sys.path.append(str(Path.cwd()))  # which is not searched when a script is run by its name
    try:
        bots = entrants(names.split(","))
    except NoSuchBot as error:
        raise click.UsageError(str(error)) from error
    for bot in bots:
        if not plays(bot, ruleset_id):
            raise click.UsageError(f"{bot.name} does not play {ruleset_id}")
    return tuple(bots)


def _check(recipe: Recipe) -> None:
    try:
        _ = recipe.table
    except (NoSuchTable, InvalidOptions) as error:
        raise click.UsageError(str(error)) from error
