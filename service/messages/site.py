"""Where the service is, for links in messages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Site:
    """The address at which players reach the service."""

    address: str

    def to_game(self, game_id: str) -> str:
        """Return the address at which a browser shows a game."""
        return f"{self.address}/v1/games/{game_id}/board.svg"
