"""The events that every game has, as messages."""

import re
from math import ceil

from domain.events import TAKE_BACK
from domain.sentences.message import AtSeat, Items, Message, Number, Parameter, Player
from domain.sentences.telling import Teller, Tellers, Told, actor, if_shown, number, player, says, seat, text

_UNITS = ("weeks", "days", "hours", "minutes", "seconds")
_DURATION = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?")


def _duration(key: str) -> Teller:
    """Read an ISO 8601 duration, as a list of amounts."""

    def read(event: Told) -> Message:
        found = _DURATION.fullmatch(event.data[key])
        amounts = zip(_UNITS, found.groups(default="0"), strict=True) if found else ()
        parts = [Message(unit, {"count": Number(ceil(float(amount)))}) for unit, amount in amounts if float(amount)]
        return Message("duration", {"parts": Items(tuple(parts))})

    return read


def _created(event: Told) -> Message:
    creator, seats = Player(event.data["creator"]), Number(event.data["seats"])
    fork = event.data.get("forked_from")
    if fork is not None:
        return Message("game_created.fork", {"creator": creator, "version": Number(fork["version"])})
    is_rematch, is_sandbox = event.data.get("rematch_of") is not None, event.data["sandbox"]
    form = ".rematch" if is_rematch else ".sandbox" if is_sandbox else ""
    return Message(f"game_created{form}", {"creator": creator, "seats": seats})


def _finished(event: Told) -> Message:
    winners = event.data["outcome"]["winners"]
    if len(winners) == len(event.data["outcome"]["scores"]):
        return Message("game_finished.shared")
    listed = Items(tuple(map(AtSeat, winners)))
    return Message("game_finished", {"winners": listed, "count": Number(len(winners))})


def _proposed(event: Told) -> Message:
    """Tell a proposal; the kinds that a ruleset adds have entries in its own catalogues."""
    kind = event.data["kind"]
    said: dict[str, Parameter] = {"player": actor(event)}
    if kind == "pause":
        said["duration"] = _duration("duration")(event)
    if kind == TAKE_BACK:
        said["version"] = Number(event.data["to_version"])
    return Message(f"proposal_made.{kind}", said)


def _seeds_closed(event: Told) -> Message:
    missing = Items(tuple(map(AtSeat, event.data["missing"])))
    return Message("seeds_closed.missing", {"missing": missing}) if missing.value else Message("seeds_closed")


def _timed_out(event: Told) -> Message:
    """Say what happens to a seat whose time is up, if no bot moves for it."""
    by = "loss" if event.data.get("by") == "loss" else "resign"
    return Message(f"turn_timed_out.{by}", {"player": actor(event)})


TELLERS: Tellers = {
    "game_created": _created,
    "seat_taken": says("seat_taken", player=player("player")),
    "seat_left": says("seat_left", player=player("player")),
    "bot_seated": says("bot_seated", player=actor),
    "seeds_awaited": lambda event: Message("seeds_awaited", {"seats": Items(tuple(map(AtSeat, event.data["seats"])))}),
    "seed_opened": says("seed_opened", player=actor),
    "seeds_closed": _seeds_closed,
    "game_started": says("game_started"),
    "proposal_made": _proposed,
    "vote_cast": says("vote_cast.{accept}", player=actor),
    "proposal_closed": if_shown("reason", says("proposal_closed.lapsed.{reason}"), says("proposal_closed.{result}")),
    "taken_back": says("taken_back", version=number("to_version")),
    "turn_timed_out": if_shown("bot", says("turn_timed_out.bot", player=actor), _timed_out),
    "timeout_claimed": says("timeout_claimed", player=actor, late=seat("late")),
    "time_credited": says("time_credited"),
    "game_paused": says("game_paused", duration=_duration("duration")),
    "game_resumed": says("game_resumed.{reason}"),
    "secret_revealed": says("secret_revealed", deal=number("deal")),
    "operator_acted": says("operator_acted.{act}", reason=text("reason")),
    "game_finished": _finished,
    "game_aborted": says("game_aborted.{reason}"),
}
