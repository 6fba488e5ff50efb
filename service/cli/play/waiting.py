"""What a game waits for, and until when, in the line below what is typed."""

from service.cli.play.drawing import seat_name
from service.cli.play.game import Table
from service.cli.play.words import Words
from service.common.wall_clock import now_ms

_SOON_MS = 3_600_000


def until(table: Table, words: Words) -> str:
    """Say when the player's time is up, if that is soon."""
    deadline = table.deadline
    if deadline is None or deadline.timestamp() * 1000 - now_ms() > _SOON_MS:
        return ""
    until_then = words("until", when=deadline.astimezone().strftime("%H:%M:%S"))
    return f"{until_then} · "


def waiting(table: Table, words: Words) -> str:
    if table.is_over:
        return words("over.hint")
    if table.is_planned:
        return words("plan.plays")
    seeds = table.view["game"].get("seeds_awaited")
    if table.status == "open" and not seeds:
        seats = table.view["game"]["seats"]
        return words("waiting.players", count=sum(not each["player"] and not each["bot"] for each in seats))
    of = seeds["seats"] if seeds else table.view["waiting_for"]
    awaited = [seat_name(each, words) for each in table.scene["seats"] if each["seat"] in of]
    return words("waiting.seeds" if seeds else "waiting", names=", ".join(awaited))
