"""Why the service refuses a request, beside what the rules say (``domain``): few classes, stable codes.

``service.api.errors`` is the one table that turns each into an HTTP answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.game.aggregate import Game


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a request: a JSON pointer into its body (or ``?name`` for a parameter), a code, and why."""

    pointer: str
    code: str
    message: str


class Refusal(Exception):
    """A refusal with a stable code and a message that says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


_MOST_FAULTS = 50


class Malformed(Refusal):
    """The request is not of the documented form; its first fifty faults are listed."""

    def __init__(self, faults: Sequence[Fault], code: str = "malformed") -> None:
        more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
        super().__init__(code, "; ".join(fault.message for fault in faults[:3]) + more)
        self.faults = tuple(faults[:_MOST_FAULTS])


class Unauthenticated(Refusal):
    """No token where one is needed, or one that opens nothing."""


class Forbidden(Refusal):
    """The caller is known, and is not allowed to do this."""


class NotFound(Refusal):
    """The thing does not exist, or the caller cannot know of it."""


class NotAcceptable(Refusal):
    """No form of the answer that the caller would take."""


class Stale(Refusal):
    """The request was made for a version, or a decision, that has passed; ``after`` is where to read on."""

    def __init__(self, code: str, message: str, after: int) -> None:
        super().__init__(code, message)
        self.after = after


class Unprocessable(Refusal):
    """Well formed, and cannot be done as it stands."""


class Limited(Refusal):
    """A limit is reached: ``most`` in the ``bucket`` within ``period`` seconds (None: at once); try again ``after``."""

    def __init__(self, bucket: str, message: str, most: int, period: int | None, after: int) -> None:
        super().__init__("limit-reached", message)
        self.bucket = bucket
        self.most = most
        self.period = period
        self.after = after


class AtVersion(Exception):
    """A refusal, with the game that refused: the answer carries its version, since the caller can see the game."""

    def __init__(self, refusal: Exception, game: Game) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.game_id = game.id
        self.version = game.version


def no_such_game() -> NotFound:
    """Refuse a game that does not exist exactly as one that the caller may not see."""
    return NotFound("no-such-game", "there is no such game, or it is not yours to see")
