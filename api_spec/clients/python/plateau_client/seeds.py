"""Seeds that players commit to when they join, and open once every seat is taken."""

import hashlib
import json
import re
import secrets
from collections.abc import Collection, Mapping, Sequence

from plateau_client.problems import NotFixed
from plateau_client.types import Event, GameAtVersion

_SURE = re.compile("[ -~]{1,64}")
"""Seeds that every version of the service accepts."""


def new_seed() -> str:
    """Draw a seed that cannot be guessed from its commitment."""
    return secrets.token_hex(16)


def commitment_to(seed: str, game_id: str, player: str) -> str:
    """Return a player's commitment to a seed for a game: a SHA-256, in hex.

    The service sees the seed only when it is opened: raise ``ValueError`` for a seed that it might reject then.
    """
    if not _SURE.fullmatch(seed):
        raise ValueError("a seed to commit to has 1 to 64 characters of ASCII, from the space to ~")
    return hashlib.sha256(_canonical(["seed", game_id, player, seed])).hexdigest()


def to_open(game: GameAtVersion, log: Sequence[Event], player: str, known: Collection[str]) -> Mapping[int, str]:
    """Return the commitments to the seeds that a player can safely open, by seat.

    ``log`` has the events up to the version of the game, ``known`` the commitments to the seeds that the player has.
    Raise ``NotFixed`` unless the log is whole up to the head, all seats are taken in it, and the commitments in seats
    of the player are known.
    """
    _check_chain(game, log)
    found: dict[int, str] = {}
    taken = _taken(log)
    for seat in game["seeds_awaited"]["seats"] if "seeds_awaited" in game else []:
        holder, commitment = taken.get(seat, ("", None))
        if commitment in known:
            found[seat] = str(commitment)
        elif holder == player:
            raise NotFixed(f"its log has another commitment than yours in seat {seat}: {commitment}")
    return found


def _check_chain(game: GameAtVersion, log: Sequence[Event]) -> None:
    head = "0" * 64
    for version, event in enumerate(log, 1):
        head = hashlib.sha256(
            head.encode() + _canonical({part: event.get(part) for part in _chained(event)})
        ).hexdigest()
        if (event["version"], event["game_id"], event["hash"]) != (version, game["id"], head):
            raise NotFixed(f"its log is broken at version {version}")
    if (len(log), head) != (game["version"], game["head"]):
        raise NotFixed(f"its log does not lead to version {game['version']} with the head {game['head']}")


def _chained(event: Event) -> Sequence[str]:
    every = ("at", "bot", "data", "game_id", "sealed", "seat", "type", "version")
    return [part for part in every if part in event]


def _taken(log: Sequence[Event]) -> Mapping[int, tuple[str, str | None]]:
    """Return the players by seat, and their commitments, when the log began to wait for seeds."""
    taken: dict[int, tuple[str, str | None]] = {}
    for event in log:
        if event["type"] == "seeds_awaited":
            if [*sorted(taken)] == [*range(_seats(log))]:
                return taken
            break
        if event["type"] == "seat_taken":
            taken[event["seat"]] = event["data"]["player"], event["data"].get("seed_commitment")
        elif event["type"] == "bot_seated":
            taken[event["seat"]] = "", None
        elif event["type"] == "seat_left":
            taken.pop(event["seat"], None)
    raise NotFixed("its log does not say that seeds are awaited and all seats taken")


def _seats(log: Sequence[Event]) -> int:
    first = log[0]
    return first["data"]["seats"] if first["type"] == "game_created" else 0


def _canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
