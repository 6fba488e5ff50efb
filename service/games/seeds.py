"""Seeds: what a player brings to a seat, so that the server alone does not decide the draws of the game."""

from dataclasses import dataclass

from domain.game.aggregate import Game
from service.common.errors import HeadChanged, HeadRequired, refusal


@dataclass(frozen=True, slots=True)
class Brought:
    """What a player brings to a seat: a seed for the draws, and the head of the log that they have seen.

    ``head`` is 64 hex digits, the hash of the last event. With it, nobody can change who sits where between what the
    player saw and the seed that they chose: a seed that was sent once is known, so it must not be used again. Instead
    of a seed, they can bring the commitment to one, in hex, and open it later.
    """

    client_seed: str | None = None
    head: str | None = None
    seed_commitment: str | None = None

    def check(self, game: Game) -> None:
        """Reject a seed that is bound to no head, and any head but that of the game."""
        if self.head is None and (self.client_seed, self.seed_commitment) != (None, None):
            raise HeadRequired("head-required", refusal("head-required"))
        if self.head not in (None, game.head):
            raise HeadChanged("head-changed", refusal("head-changed"))


NOTHING = Brought()
