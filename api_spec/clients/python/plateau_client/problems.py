"""Errors: every error of this package is a PlateauError."""

from plateau_client.types import Problem


class PlateauError(Exception):
    """The service did not carry out the request. `code` is stable, `detail` is for people.

    `after` is the number of seconds to wait before a repetition, 0 if the service named none.
    """

    def __init__(self, problem: Problem, after: float = 0.0) -> None:
        super().__init__(f"{problem['detail']} ({problem['code']})")
        self.problem = problem
        self.after = after

    @property
    def status(self) -> int:
        """The HTTP status, 0 if there was no response."""
        return self.problem["status"]

    @property
    def code(self) -> str:
        """The error, as a word for programs: ``not-your-turn``, ``seat-taken``."""
        return self.problem["code"]

    @property
    def detail(self) -> str:
        """The error and the remedy, as a sentence."""
        return self.problem["detail"]

    @property
    def pointer(self) -> str | None:
        """The JSON pointer to the first fault in the body of the request; None if the fault is elsewhere."""
        faults = self.problem.get("errors")
        return faults[0]["pointer"] if faults else None


class Refused(PlateauError):
    """The service rejected the request, and nothing has changed."""


class WrongMoment(Refused):
    """The request came too early or too late: it is not your turn, the seat is taken, the game has moved on."""


class WentBack(Refused):
    """The service does not have a version that it has shown to you: its log has lost the end.

    `problem` has the current `game_version` and `head`. Keep your receipts, which prove the lost events.
    """


class RateLimited(Refused):
    """A limit is reached."""


class Unavailable(PlateauError):
    """The service failed or did not respond, so a write that cannot be repeated may or may not have taken effect."""


class NotFixed(PlateauError):
    """The service requests a seed, but its log does not prove that all seeds are fixed; yours was not sent."""

    def __init__(self, why: str) -> None:
        detail = f"The service asks for your seed, but {why}. The seed was not sent."
        title, code = "Seeds are not fixed", "seeds-not-fixed"
        super().__init__(
            {"type": "about:blank", "title": title, "status": 0, "detail": detail, "instance": "", "code": code}
        )


def error_of(problem: Problem, after: float = 0.0) -> PlateauError:
    """Return the error for a problem."""
    status = problem["status"]
    if problem["code"] == "game-went-back":
        return WentBack(problem, after)
    kinds = {409: WrongMoment, 412: WrongMoment, 429: RateLimited}
    return kinds.get(status, Refused if 400 <= status < 500 else Unavailable)(problem, after)
