"""The command ``plateau play``: a game against bots or people, in a terminal."""

import click
from click.core import ParameterSource

from domain.sentences.catalogue import languages
from service.cli.asking import asks_a_service, checked_url, reporting
from service.cli.client import Service
from service.cli.output import Command


def _pairs(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    for each in given:
        if not (each.partition("=")[0] and "=" in each):
            raise click.BadParameter(f"{each!r} is not NAME=VALUE, such as hands=8")
    return {name: text for name, _, text in (each.partition("=") for each in given)}


def _service_of(address: str, url: str, token: str | None) -> str:
    """Return the address of the service at which a link or a game is; ``url`` if it does not say so.

    A token goes only to a service that the player has named, and so does the secret of a link.
    """
    if not address.startswith(("http://", "https://")):
        return url
    place = address.partition("#")[0].partition("/v1/")[0].rstrip("/")
    checked_url(place)
    is_own = click.get_current_context().get_parameter_source("url") is not ParameterSource.DEFAULT
    if place != url.rstrip("/") and (is_own or token):
        raise click.UsageError(
            f"{address!r} belongs to the service at {place}, and your {'address' if is_own else 'token'} to the one at "
            f"{url}. Add --url {place} to play there" + (", and that service gets your token." if token else ".")
        )
    return place


@click.command(cls=Command)
@click.argument("game", required=False)
@click.option("--players", type=click.IntRange(min=1), metavar="NUMBER", help="Number of players, including you.")
@click.option("--bot", metavar="NAME", help="The bots for the other seats, such as greedy or searcher.")
@click.option(
    "--open",
    "open_seats",
    type=click.IntRange(min=0),
    default=0,
    metavar="NUMBER",
    help="Number of seats for other people, with a link for each.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    callback=_pairs,
    metavar="NAME=VALUE",
    help="An option of the rules, such as hands=8; can be repeated.",
)
@click.option(
    "--join",
    metavar="LINK|GAME",
    help="Take the seat that a link opens, or a free seat of a game; an address also names the service.",
)
@click.option("--sandbox", is_flag=True, help="Practise with /hint, which shows what a bot would do.")
@click.option("--name", help="Your name as a guest.")
@click.option(
    "--pace", type=click.IntRange(0, 10_000), metavar="MS", help="Milliseconds that bots wait before they move."
)
@click.option("--lang", "language", type=click.Choice(languages()), help="Language (default: that of the terminal).")
@click.option("--no-colour", "--no-color", "plain", is_flag=True, help="Without colours; NO_COLOR does the same.")
@asks_a_service
def play(  # noqa: PLR0913, PLR0917 - one for each option
    game: str | None,
    players: int | None,
    bot: str | None,
    open_seats: int,
    options: dict[str, str],
    join: str | None,
    name: str | None,
    pace: int | None,
    language: str | None,
    url: str,
    token: str | None,
    *,
    sandbox: bool,
    plain: bool,
) -> None:
    """Play in this terminal, against bots or people.

    GAME is a game to play, or the id of one in which you have a seat. Without it, plateau lists the games and asks
    what you would like to play.

    \b
      plateau play
      plateau play GAME --players 4 --bot searcher
      plateau play GAME --open 1 --option NAME=VALUE
      plateau play --join LINK
      PLATEAU_TOKEN=... plateau play gm_...

    Without a token, you play as a guest, and the command shows a token with which you can come back. Type a number, a
    card or a word of your choice; /help lists the commands. This command adds no seed to the deals: to commit to a
    seed, join on the web page or with a package.
    """  # noqa: D301 - \b keeps the lines of a paragraph apart
    from service.cli.play import evening  # noqa: PLC0415 - what draws takes a moment to load; other commands do without

    service = Service(_service_of(join or game or "", url, token), token)
    wish = evening.Wish(game, players, bot, open_seats, options, pace, sandbox)
    with reporting():
        evening.begin(service, wish, join=join, name=name, language=language, colours=not plain)
