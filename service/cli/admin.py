"""The command ``plateau admin``: what operators do to games that are stuck, and how they get the token for it."""

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import click

from domain.deal_sets import deal_set
from domain.errors import WrongMoment
from domain.serialization import Plain
from domain.table import MOST_SEATS
from service.accounts.admin_log import Entry
from service.accounts.players import Players, Scope
from service.bots import BOTS
from service.cli.asking import asks_a_service, reporting
from service.cli.client import Service
from service.cli.exit_codes import ExitCode
from service.cli.output import Group, clean, fail, say
from service.common import wall_clock
from service.config.settings import Settings
from service.deal_sets.store import SetStore
from service.runtime.running_store import running_store
from service.store.event_store import EventStore

_REASON = click.option(
    "--reason", required=True, metavar="TEXT", help="The reason, which everyone can read in the game's log."
)


@click.group(cls=Group)
def admin() -> None:
    """End a game that is stuck, replace a player by a bot, void a deal of a set, or list such acts.

    These commands use a running service, and need a token of the scope admin, best in PLATEAU_TOKEN. The commands
    'token', which makes one, and 'void-deal' work on the host alone.
    """


@admin.command()
@click.argument("game_id")
@_REASON
@asks_a_service
def abort(game_id: str, reason: str, url: str, token: str | None) -> None:
    """End a game without a result, and reveal everything hidden in it."""
    _act(Service(url, token), game_id, {"act": "abort", "reason": reason})


@admin.command()
@click.argument("game_id")
@click.argument("seat", type=click.IntRange(0, MOST_SEATS - 1))
@click.option("--bot", type=click.Choice([*BOTS]), required=True, help="The bot that takes the seat.")
@_REASON
@asks_a_service
def replace(game_id: str, seat: int, bot: str, reason: str, url: str, token: str | None) -> None:
    """Replace the player on a SEAT, counted from 0, by a bot for the rest of the game."""
    _act(Service(url, token), game_id, {"act": "replace", "seat": seat, "bot": bot, "reason": reason})


@admin.command()
@click.option("--limit", type=click.IntRange(1, 100), default=50, show_default=True, help="Maximum number of entries.")
@asks_a_service
def log(limit: int, url: str, token: str | None) -> None:
    """Print the requests of operators, newest first: the time, the player, and the act."""
    with reporting():
        for entry in Service(url, token).ask("GET", f"/v1/admin/log?limit={limit}")["items"]:
            say(_line(entry))


@admin.command()
@click.argument("player")
@click.option("--label", default="operator", show_default=True, metavar="TEXT", help="The name of the token.")
@click.option(
    "--scope",
    type=click.Choice(["admin", "tournaments"]),
    default="admin",
    show_default=True,
    help="What the token allows: the commands of operators, or directing tournaments.",
)
def token(player: str, label: str, scope: Scope) -> None:
    """Give the player with this id a token of the scope admin or tournaments, and print it.

    This writes directly to the store, so it needs REDIS_URL or the data folder (PLATEAU_DATA) of the running service.
    The player sees the token in the list of their tokens, and can revoke it there.
    """
    settings = Settings.from_environment(os.environ)
    with running_store(settings) as client:
        players = Players(client, wall_clock.now, settings.limits["tokens"])
        players.admin_log.add(Entry(act="token", player=player))
        made = players.create_token(player, (scope,) if scope == "admin" else ("games:read", scope), label)
    if made is None:
        fail(ExitCode.REFUSED, f"there is no player {clean(player)}; POST /v1/players makes one, and shows the id")
    say(made[1])


@admin.command(name="void-deal")
@click.argument("set_id")
@click.argument("number", type=click.IntRange(1))
@click.option("--reason", required=True, metavar="TEXT", help="The reason, which everyone can read in the set's log.")
def void_deal(set_id: str, number: int, reason: str) -> None:
    """Take a deal, by its NUMBER from 1 on, out of a set that has not closed. No player can open it; it does not count.

    This writes directly to the store, so it needs REDIS_URL or the data folder (PLATEAU_DATA) of the running service.
    """
    with running_store(Settings.from_environment(os.environ)) as client:
        sets = SetStore(EventStore(client))
        try:
            while (found := sets.find(set_id)) is not None:
                if sets.write(found, deal_set.void(found, number, reason), wall_clock.now()):
                    say(f"Deal {number} of {set_id} does not count any more.")
                    return
        except WrongMoment as refused:
            fail(ExitCode.REFUSED, str(refused))
    fail(ExitCode.REFUSED, f"there is no set {clean(set_id)}; GET /v1/daily shows the ids of those that are open")


def _act(service: Service, game_id: str, act: Mapping[str, Plain]) -> None:
    with reporting():
        done = service.ask("POST", f"/v1/admin/games/{quote(game_id, safe='')}/acts", act)
        say(f"{done['game_id']} is {done['status']}, at version {done['version']}.")


def _line(entry: Mapping[str, Any]) -> str:
    told = [f"{name} {entry[name]}" for name in ("game_id", "seat", "bot", "player") if entry[name] is not None]
    reason = f": {entry['reason']}" if entry["reason"] else ""
    return f"{entry['at'][:10]} {entry['at'][11:19]}  {entry['by'] or 'host'}  {entry['act']} {', '.join(told)}{reason}"
