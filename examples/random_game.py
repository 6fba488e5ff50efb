"""Play a whole game of Le Plateau over REST, with every seat choosing at random: a small client to learn from.

    python examples/random_game.py --seats 4 --seed 7

The client creates a player for each seat, creates and joins a game, and plays until the game is over. It shows
progress, and at the end the board and the scores. It does not know the rules: the server lists each seat's legal
actions, and the ruleset draws its own board.
"""

import argparse
import random
import sys
from typing import Any

import httpx

from domain.registry import RULESETS
from domain.serialization import from_plain

Json = dict[str, Any]


class Player:
    """A player on a server: their name, and a client that sends their token."""

    def __init__(self, url: str, name: str) -> None:
        self.name = name
        self.http = httpx.Client(base_url=url, timeout=30)
        made = self.call("POST", "/v1/players", {"name": name})
        self.id = made["id"]
        self.http.headers["Authorization"] = f"Bearer {made['token']}"

    def call(self, method: str, path: str, body: Json | None = None, headers: dict[str, str] | None = None) -> Json:
        """Send a request and return the response; an error ends the program with the server's message."""
        response = self.http.request(method, path, json=body, headers=headers)
        answer: Json = response.json()
        if response.is_error:
            sys.exit(f"{method} {path}: {response.status_code} {answer.get('detail')}")
        return answer


def play(players: list[Player], rng: random.Random, options: Json) -> tuple[str, Json]:
    """Play one game to its end, and return its id and the last view."""
    creator, *others = players
    seats = [{"player": "me"}, *({"open": True} for _ in others)]
    game = creator.call("POST", "/v1/games", {"ruleset": "le-plateau", "seats": seats, "options": options})
    for player in others:
        player.call("POST", f"/v1/games/{game['id']}/seats", {"client_seed": f"{player.name}'s seed"})
    view = creator.call("GET", f"/v1/games/{game['id']}/view")
    while view["game"]["status"] == "active":
        view = players[view["to_act"][0]].call("GET", f"/v1/games/{game['id']}/view")
        act(players[view["viewer"]["seat"]], view, rng)
        view = creator.call("GET", f"/v1/games/{game['id']}/view")
        show_progress(view)
    return game["id"], view


def act(player: Player, view: Json, rng: random.Random) -> None:
    """Choose a legal action; If-Match ensures that the server judges it at the version of the view."""
    game = f"/v1/games/{view['game']['id']}"
    number = rng.randrange(view["legal_actions"]["count"])
    listed = view["legal_actions"]["actions"]
    action = fetched(player, game, number) if listed is None else listed[number]
    player.call("POST", f"{game}/actions", action, {"If-Match": f'"{view["version"]}"'})


def fetched(player: Player, game: str, number: int) -> Json:
    """Return a legal action by its number in the list, which comes in pages; in Le Plateau there are at most two."""
    page = player.call("GET", f"{game}/legal-actions")
    while number >= len(page["actions"]):
        number -= len(page["actions"])
        page = player.call("GET", f"{game}/legal-actions?cursor={page['next_cursor']}")
    action: Json = page["actions"][number]
    return action


def show_progress(view: Json) -> None:
    """Rewrite one line on a terminal."""
    if not sys.stderr.isatty():
        return
    state = view["state"]
    tricks = f"trick {len(state['tricks']):2}" if state["phase"] == "play" else state["phase"]
    done = f"hand {state['hand_number']}/{state['hands_total']}"
    sys.stderr.write(f"\r{done}  {tricks:10}  version {view['version']:4}  scores {state['scores']}   ")
    sys.stderr.flush()


def main() -> None:
    """Read the command line, play, and show the result."""
    parser = argparse.ArgumentParser(description="Play a whole game of Le Plateau, with every seat playing at random.")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="address of the server (%(default)s)")
    parser.add_argument("--seats", type=int, default=4, choices=range(2, 7), help="number of players (%(default)s)")
    parser.add_argument("--hands", type=int, help="hands to play: a multiple of the seats (default: one for each seat)")
    parser.add_argument("--option", action="append", default=[], help="an option of the game, such as deck=full")
    parser.add_argument("--seed", type=int, default=1, help="seed of the choices, not of the deal (%(default)s)")
    given = parser.parse_args()
    players = [Player(given.url, name) for name in ("Ada", "Ben", "Cleo", "Dov", "Eve", "Finn")[: given.seats]]
    options: Json = dict(option.split("=") for option in given.option)
    if given.hands:
        options["hands"] = given.hands
    game, view = play(players, random.Random(given.seed), options)
    print(f"\nGame {game} is over. The last hand:\n")
    ruleset = RULESETS[view["game"]["ruleset"]]
    print(ruleset.presentation.text(from_plain(ruleset.view, view["state"])))
    for player, score in zip(players, view["state"]["scores"], strict=True):
        print(f"  {player.name:5} {score:5}")


if __name__ == "__main__":
    try:
        main()
    except httpx.TransportError as error:
        sys.exit(f"The server does not answer ({error}). To start it: make run")
