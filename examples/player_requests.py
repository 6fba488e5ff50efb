"""Play a game of Le Plateau against two bots, at random, with nothing but the library requests.

python examples/player_requests.py [URL]
"""

import random
import sys
import uuid

import requests


def main(url: str = "http://127.0.0.1:8000") -> None:
    """Create a player and a game, and play to the end."""
    http = requests.Session()
    http.hooks["response"] = [lambda response, **_: response.raise_for_status()]
    player = http.post(f"{url}/v1/players", json={"name": "Ada"}).json()
    http.headers["Authorization"] = f"Bearer {player['token']}"
    new = {"ruleset": "le-plateau", "seats": [{"player": "me"}, {"bot": "random"}, {"bot": "random"}]}
    game = f"{url}/v1/games/{http.post(f'{url}/v1/games', json=new).json()['id']}"
    while True:
        view = http.get(f"{game}/view").json()
        if view["game"]["outcome"]:
            print("The end:", view["game"]["outcome"])
            return
        if "legal_actions" in view:
            legal = http.get(f"{game}/legal-actions").json()["actions"]
            action = random.choice(legal) | {"decision_id": view["decision"]["id"]}
            http.post(f"{game}/actions", json=action, headers={"Idempotency-Key": uuid.uuid4().hex})
            print(view["version"], action["type"])
        else:
            http.get(f"{game}/events", params={"after": view["version"], "wait": 25})


if __name__ == "__main__":
    main(*sys.argv[1:])
