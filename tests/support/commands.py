"""How the tests run `plateau` in their own process, and ask a service for what its commands then show."""

from typing import Any

import httpx
from click.testing import CliRunner, Result

from service.cli.main import main
from service.cli.verify import forget_store
from tests.support.server import PATIENCE

UNSET = dict.fromkeys(("PLATEAU_TOKEN", "PLATEAU_URL", "PLATEAU_PORT", "PLATEAU_DATA", "PLATEAU_ARCHIVE", "REDIS_URL"))


def plateau(*words: object, given: str | bytes | None = None, **env: object) -> Result:
    """Run a command as a new process does: with these settings alone."""
    forget_store()
    settings = UNSET | {name: str(value) for name, value in env.items()}
    run = CliRunner().invoke(main, [*map(str, words)], input=given, env=settings)
    assert run.exception is None or isinstance(run.exception, SystemExit), run.exception
    return run


class Player(httpx.Client):
    """A player at a service, who sends a token with each request and keeps no connection open between two."""

    def __init__(self, url: str, name: str = "Ada") -> None:
        self.token = httpx.post(f"{url}/v1/players", json={"name": name}).json()["token"]
        headers = {"Authorization": f"Bearer {self.token}"}
        super().__init__(
            base_url=url, headers=headers, timeout=PATIENCE, limits=httpx.Limits(max_keepalive_connections=0)
        )

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return the JSON of a response, which must be a success."""
        return self.request(method, path, json=body).raise_for_status().json()

    def begin(self, *seats: dict[str, Any], **wish: Any) -> str:
        """Create a game, of Le Plateau unless another ruleset is named; return its id."""
        game_id: str = self.ask("POST", "/v1/games", {"ruleset": "le-plateau", "seats": seats, **wish})["id"]
        return game_id
