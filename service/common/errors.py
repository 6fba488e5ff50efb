"""Why the service rejects a request, apart from the rules (``domain``): few classes, stable codes.

The table in ``service.api.http.errors`` turns each into an HTTP response.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType
from typing import Any

from domain.errors import Reason, Rejected
from domain.game.aggregate import Game
from domain.sentences.message import Message, Number, Parameter, Text


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a request: a JSON pointer into its body (or ``?name`` for a parameter), a code, and the reason."""

    pointer: str
    code: str
    message: Reason


WORDS = "service"
"""The package with the words of the service's own refusals."""


class Refusal(Rejected):
    """A refusal with a stable code and a message that says what to do."""

    facts: Mapping[str, Any] = MappingProxyType({})
    """What a program can use beside these."""

    def __init__(self, code: str, said: Reason) -> None:
        super().__init__(code, said, WORDS)


def refusal(message_id: str, /, **parameters: Parameter) -> Message:
    """Return why the service refuses something, in the words of ``refusal.<message_id>``."""
    return Message(f"refusal.{message_id}", parameters)


MOST_FAULTS = 50
_MOST_SAID = 3


class Malformed(Refusal):
    """The request does not have the documented form; its first fifty faults are listed."""

    def __init__(self, faults: Sequence[Fault], code: str = "malformed") -> None:
        said = reduce(_and, (_part(fault.message) for fault in faults[:_MOST_SAID]))
        if len(faults) > _MOST_SAID:
            said = Message("fault.and-more", {"faults": said, "count": Number(len(faults) - _MOST_SAID)})
        super().__init__(code, said if isinstance(said, Message) else said.value)
        self.faults = tuple(faults[:MOST_FAULTS])


def _part(said: Reason) -> Message | Text:
    return Text(said) if isinstance(said, str) else said


def _and(first: Message | Text, following: Message | Text) -> Message | Text:
    return Message("fault.more", {"first": first, "next": following})


class Unauthenticated(Refusal):
    """A token is missing where one is needed, or is not valid."""


class Forbidden(Refusal):
    """The caller is known, but not allowed to do this."""


class NotFound(Refusal):
    """The thing does not exist, or the caller is not allowed to know that it does."""


class Ambiguous(Refusal):
    """A name does not determine a player; ``candidates`` are id, name and time of creation of those it can mean."""

    def __init__(self, message: Message, candidates: Sequence[tuple[str, str, str]]) -> None:
        super().__init__("name-ambiguous", message)
        self.candidates = candidates


class NotAcceptable(Refusal):
    """The client accepts none of the available formats."""


class Stale(Refusal):
    """The request was made for an outdated version or decision; ``after`` is the version to read on from."""

    def __init__(self, code: str, message: Message, after: int) -> None:
        super().__init__(code, message)
        self.after = after


class WentBack(Stale):
    """The request names a version that the game does not have yet: its log has lost it, or nobody has ever seen it."""

    def __init__(self, game: Game, held: int) -> None:
        said = refusal("game-went-back", version=Number(game.version), held=Number(held))
        super().__init__("game-went-back", said, game.version)
        self.game_id = game.id
        self.facts = {"game_version": game.version, "head": game.head}


def check_reached(game: Game, held: int) -> None:
    """Reject a version that a game has not reached."""
    if held > game.version:
        raise WentBack(game, held)


class PlanReplaced(Refusal):
    """The request was made for another plan than the one that there is."""


class HeadRequired(Refusal):
    """A seed was brought without the head of the log that it is chosen for."""


class HeadChanged(Refusal):
    """The log has another head than the one that the request was made for."""


class Unprocessable(Refusal):
    """The request is well formed, but cannot be carried out as it stands."""


def key_reused() -> Unprocessable:
    """Return the refusal of an idempotency key that was used for another request."""
    return Unprocessable("key-reused", refusal("key-reused"))


class Limited(Refusal):
    """A limit is reached: ``most`` in the ``bucket`` within ``period`` seconds (None: at once); try again ``after``."""

    def __init__(self, bucket: str, message: Message, most: int, period: int | None, after: int) -> None:
        super().__init__("limit-reached", message)
        self.bucket = bucket
        self.most = most
        self.period = period
        self.after = after


class Unanswered(Refusal):
    """The workers have not answered in time; the same request can be sent again."""


class AtVersion(Exception):
    """A refusal, with the game that refused: the response carries its version, since the caller can see the game."""

    def __init__(self, refusal: Exception, game: Game) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.game_id = game.id
        self.version = game.version


def no_such_player() -> NotFound:
    """Reject a player who does not exist."""
    return NotFound("no-such-player", refusal("no-such-player"))


def no_such_game() -> NotFound:
    """Reject a game that does not exist exactly as one that the caller is not allowed to see."""
    return NotFound("no-such-game", refusal("no-such-game"))
