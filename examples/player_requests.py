"""Play a game of Le Plateau against two bots, at random, with nothing but the library requests.

python examples/player_requests.py [URL] [SECONDS]
"""

import random
import sys
import time
import uuid

import requests


def main(url: str = "http://127.0.0.1:8000", seconds: str = "1") -> None:
    """Create a player and a game, and play to the end."""
    http = requests.Session()
    http.hooks["response"] = [lambda response, **_: response.raise_for_status()]
    player = http.post(f"{url}/v1/players", json={"name": "Ada"}).json()
    http.headers["Authorization"] = f"Bearer {player['token']}"
    new = {"ruleset": "le-plateau", "seats": [{"player": "me"}, {"bot": "random"}, {"bot": "random"}]}
    game = f"{url}/v1/games/{http.post(f'{url}/v1/games', json=new).json()['id']}"
    tag = ""
    while True:
        response = http.get(f"{game}/view", headers={"If-None-Match": tag})
        tag = response.headers["ETag"]
        view = {} if response.status_code == 304 else response.json()
        if view and view["game"]["outcome"]:
            print("The end:", view["game"]["outcome"])
            return
        if "legal_actions" in view:
            legal = http.get(f"{game}/legal-actions").json()["actions"]
            action = random.choice(legal) | {"decision_id": view["decision"]["id"]}
            http.post(f"{game}/actions", json=action, headers={"Idempotency-Key": uuid.uuid4().hex})
            print(view["version"], action["type"])
        else:
            time.sleep(float(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
