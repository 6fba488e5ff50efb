"""A bot of your own, over the ordinary API: anyone who invites it to a game has an opponent, at random so far.

pip install ./api_spec/clients/python
python examples/bot.py [URL]
"""

import os
import random
import sys

from plateau_client import Action, Client, PlateauError, Table, View

OPERATOR = "Ben, ben@example.org"  # who runs the bot, which everyone can see


def choose(table: Table, view: View) -> Action:
    """Choose at random. Put your own ideas here: view["state"] is all that the bot is allowed to know."""
    return random.choice(table.choices(view))


def main(url: str = "http://127.0.0.1:8000") -> None:
    """Join every game that the bot is invited to, and play in all of them, until you stop it."""
    token = os.environ.get("BOT_TOKEN")
    with Client(url, token) if token else Client.guest(url, "Fortuna", operator=OPERATOR) as bot:
        print(f"Invite {bot.me()['id']}. To be the same bot again, set BOT_TOKEN={bot.token}", flush=True)
        for notice in bot.follow():
            table = bot.table(notice["game_id"])
            try:
                if notice["type"] == "invited":
                    table.join()
                while "legal_actions" in (view := table.view()):
                    table.act(choose(table, view), view)
            except PlateauError as error:  # such as a game that is over, or a seat that another player has taken
                print(f"{table.id}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
