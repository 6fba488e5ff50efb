"""Play a game of Le Plateau against two bots, at random, with the package plateau-client.

pip install ./api_spec/clients/python
python examples/player.py [URL]
"""

import random
import sys

from plateau_client import Action, Client, PlateauError, Table, View


def choose(table: Table, view: View) -> Action:
    """Choose at random. Put your own ideas here: view["state"] is all that you are allowed to know."""
    return random.choice(table.choices(view))


def main(url: str = "http://127.0.0.1:8000") -> None:
    """Create a player and a game, and play to the end."""
    with Client.guest(url, "Ada") as ada:
        table = ada.create({"ruleset": "le-plateau", "seats": [{"player": "me"}, {"bot": "random"}, {"bot": "random"}]})
        print(f"The game: {url}/v1/games/{table.id}/board.svg")
        for view in table.turns():
            answer = table.act(choose(table, view), view)
            print(answer["version"], *(event["type"] for event in answer["events"]))
        print("The end:", table.game()["outcome"])


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except PlateauError as error:
        sys.exit(str(error))
