"""Where the service is, for links in messages."""

from dataclasses import dataclass

from domain.game.aggregate import Game


@dataclass(frozen=True, slots=True)
class Site:
    """The address at which players reach the service."""

    address: str

    def to_game(self, game: Game) -> str:
        """Return the address at which the web client shows a game; one that waits for players has a page of its own."""
        return f"{self.address}/#/{'waiting' if game.status == 'open' else 'game'}/{game.id}"
