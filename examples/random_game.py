"""Play a whole game of Le Plateau over REST, with every seat choosing at random: a table of players to learn from.

    make example ARGS="--seats 4 --seed 7"

It creates a player for each seat, creates and joins a game, and plays until the game is over. It shows progress, and at
the end the game as text and the scores. It does not know the rules: the server lists each seat's legal actions.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from plateau_client import Client, PlateauError, Table, Unavailable, View
from plateau_client.types import LePlateauOptionsInput, SeatInput

NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eve", "Finn")


def seated(players: Sequence[Client], options: LePlateauOptionsInput) -> list[Table]:
    """Create a game, let all players join, and return the table as each of them sees it."""
    creator, *others = players
    seats: list[SeatInput] = [{"player": "me"}]
    seats += [{"open": True}] * len(others)
    game_id = creator.create({"ruleset": "le-plateau", "seats": seats, "options": options}).id
    tables = [player.table(game_id) for player in players]
    for seat, table in enumerate(tables[1:], 1):
        table.join(seat, committed=True)
    for table in tables:
        table.open_seeds()
    return tables


def play(tables: Sequence[Table], rng: random.Random) -> View:
    """Play to the end, always for the seat whose turn it is; return the last view."""
    view = tables[0].view()
    while view["game"]["status"] == "active":
        table = tables[view["to_act"][0]]
        mine = table.view()
        if choices := table.choices(mine):  # there are none if the turn has passed since
            table.act(rng.choice(choices), mine)
        view = tables[0].view()
        show_progress(view)
    return view


def show_progress(view: View) -> None:
    """Rewrite one line on a terminal."""
    if view["ruleset"] != "le-plateau" or view["state"] is None or not sys.stderr.isatty():
        return
    state = view["state"]
    tricks = f"trick {len(state['tricks']):2}" if state["phase"] == "play" else state["phase"]
    done = f"hand {state['hand_number']}/{state['hands_total']}"
    sys.stderr.write(f"\r{done}  {tricks:10}  version {view['version']:4}  scores {state['scores']}   ")
    sys.stderr.flush()


def parsed() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Play a whole game of Le Plateau, with every seat playing at random.")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="address of the server (%(default)s)")
    parser.add_argument("--seats", type=int, default=4, choices=range(2, 7), help="number of players (%(default)s)")
    parser.add_argument("--hands", type=int, help="hands to play: a multiple of the seats (default: one for each seat)")
    parser.add_argument("--option", action="append", default=[], help="an option of the game, such as deck=full")
    parser.add_argument("--seed", type=int, default=1, help="seed of the choices, not of the deal (%(default)s)")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="save a picture of the last hand")
    return parser.parse_args()


def main() -> None:
    """Play, and show the result."""
    given = parsed()
    options = dict(option.split("=") for option in given.option) | ({"hands": given.hands} if given.hands else {})
    players = [Client.guest(given.url, name) for name in NAMES[: given.seats]]
    tables = seated(players, cast("LePlateauOptionsInput", options))  # the server checks them
    outcome = play(tables, random.Random(given.seed))["game"]["outcome"]
    print(f"\nGame {tables[0].id} is over. Every deal, as text:\n")
    print(tables[0].text())
    if given.svg:
        given.svg.write_text(tables[0].picture())
    for name, score in zip(NAMES, outcome["scores"] if outcome else (), strict=False):
        print(f"  {name:5} {score:5}")


if __name__ == "__main__":
    try:
        main()
    except Unavailable as error:
        sys.exit(f"The server does not respond ({error.detail}). To start it: make run")
    except PlateauError as error:
        sys.exit(str(error))
