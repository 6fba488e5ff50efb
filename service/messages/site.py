"""Where the service is, for links in messages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Site:
    """The address at which players reach the service."""

    address: str

    def to_game(self, game_id: str) -> str:
        """Return the address at which the web client shows a game to whoever is signed in there."""
        return f"{self.address}/#/game/{game_id}"
