"""Play a league: ``make league ARGS="--bots greedy,random --ruleset plute --deals 100 --seed 1"``.

Every pair of bots plays the same deals at every table that fits. Results go into a file as they come; the same command
goes on where it stopped, and other commands can add to the file. The table of all of it is printed, or put into a page.
Beside the page, a file keeps what each duel came to, and all of that is in the table: ``--deals 0`` makes it again.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from itertools import combinations
from os import cpu_count
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bench.league import report, results, summaries
from bench.league.duels import Duel, deal
from bench.league.summaries import Summary
from bench.league.tables import Table, tables
from domain.errors import InvalidOptions
from domain.registry import RULESETS
from workers.bots import compiled, warming
from workers.research.entrants import Entrant, NoSuchBot, entrants, plays


@click.command(help=__doc__)
@click.option("--bots", default="greedy,random", show_default=True, help="Names; searcher@500 sets the playouts.")
@click.option("--ruleset", "rulesets", multiple=True, type=click.Choice(list(RULESETS)), help="Default: all.")
@click.option("--seats", multiple=True, type=int, help="Numbers of players. Default: all.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--whole-games", is_flag=True, help="Play whole games where a deal is usually a single hand.")
@click.option("--deals", default=100, show_default=True, help="Deals of each pair at each table.")
@click.option("--seed", default=1, show_default=True, help="All deals and all choices follow from it.")
@click.option(
    "--results", "file", default=Path("league.jsonl"), type=Path, show_default=True, help="A file to go on with."
)
@click.option("--processes", default=cpu_count() or 1, show_default=True, help="How many deals are played at once.")
@click.option("--compiled", "compiles", is_flag=True, help="Compile the bots with numba; their moves are the same.")
@click.option(
    "--write", "page", type=Path, help=f"A page to put the table into, between {report.BEGIN} and {report.END}."
)
def main(  # noqa: PLR0913 - one for each switch
    bots: str,
    rulesets: Sequence[str],
    seats: Sequence[int],
    options: Sequence[str],
    *,
    whole_games: bool,
    deals: int,
    seed: int,
    file: Path,
    processes: int,
    compiles: bool,
    page: Path | None,
) -> None:
    """Play what is missing, and show the table."""
    try:
        who = entrants(bots.split(","))
        where = tables(rulesets or RULESETS, seats, options, whole=whole_games)
        duels = list(_duels(who, where, seed))
    except (NoSuchBot, InvalidOptions) as error:
        raise click.UsageError(str(error)) from error
    if not duels:
        raise click.UsageError("no two of these bots play a game that is asked for")
    if compiles and not compiled.is_installed():
        raise click.UsageError("--compiled needs numba: pip install '.[fast-bots]'")
    _play(duels, deals, file, processes, compiles=compiles)
    found = summaries.summed(results.read(file))
    if page is None:
        print(report.markdown([*found.values()]))
    else:
        _publish(page, found)


def _duels(who: Sequence[Entrant], where: Sequence[Table], seed: int) -> Iterator[Duel]:
    """List every pair of bots at every table; options that do not fit are rejected before anything is played."""
    for table in where:
        assert table.complete_options
        able = [bot for bot in who if plays(bot, table.ruleset_id)]
        yield from (Duel(table, one, other, seed) for one, other in combinations(able, 2))


def _play(duels: Sequence[Duel], deals: int, file: Path, processes: int, *, compiles: bool) -> None:
    """Play the deals that the file does not have, and show how far it is."""
    done = results.read(file)
    missing = [(duel, number) for number in range(deals) for duel in duels if number not in done.get(duel.key, {})]
    columns = TextColumn("league"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=Console(stderr=True))
    with (
        bar,
        results.opened(file) as output,
        TemporaryDirectory() as folder,
        ProcessPoolExecutor(processes, initializer=partial(_compile, Path(folder)) if compiles else None) as pool,
    ):
        task = bar.add_task("league", total=len(missing))
        running = [pool.submit(deal, duel, number) for duel, number in missing]
        try:
            for finished in as_completed(running):
                results.write(output, finished.result())
                bar.advance(task)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _publish(page: Path, found: Mapping[str, Summary]) -> None:
    """Put the table into a page, with all that is kept beside it, which is kept with what was found."""
    kept = page.with_name(f"{page.stem}-duels.jsonl")
    both = summaries.merged(summaries.read(kept), found)
    report.put_into(page, report.markdown([*both.values()]))
    summaries.write(kept, report.in_order([*both.values()]))


def _compile(folder: Path) -> None:
    """Have a process play with compiled kernels; the first one compiles for all."""
    warming.place_of(folder)
    compiled.warm(folder)


if __name__ == "__main__":
    main()
