"""Parameters that operations share, as the spec describes them."""

from typing import Any

from domain.registry import RULESETS
from service.games.desk import STATUSES
from service.games.representations import MOST_IN_PAGE

Parameter = dict[str, Any]


def _query(name: str, description: str, **schema: Any) -> Parameter:
    return {"name": name, "in": "query", "description": description, "schema": schema}


def _header(name: str, description: str, **schema: Any) -> Parameter:
    return {"name": name, "in": "header", "description": description, "schema": schema}


_WHOLE = {"type": "integer", "minimum": 1, "maximum": 10**9}

IDEMPOTENCY_KEY = _header(
    "Idempotency-Key",
    "A key of your own: the same request with the same key is done once, and answered alike.",
    type="string",
    minLength=1,
    maxLength=128,
    pattern="^[ -~]+$",
)
IF_MATCH = _header(
    "If-Match", "The version you decided on, in quotes; any other is refused.", type="string", pattern='^"[0-9]{1,12}"$'
)
IF_NONE_MATCH = _header("If-None-Match", "The ETag you have; 304 if nothing has changed.", type="string")
AS_SEAT = _query("as", "Which of your seats, if you hold several (sandbox).", type="integer", minimum=0, maximum=11)
AS_VIEWER = _query(
    "as",
    "A seat, or 'spectator'; by default your own seat (of several in a sandbox: in a view the one to act, in events "
    "the lowest), else a spectator. Another's seat only once the game is over.",
    type="string",
    pattern="^(?:[0-9]|1[01]|spectator)$",
)
AT = _query("at", "A version to look back to.", **_WHOLE)
AFTER = _query("after", "The version to go on after.", type="integer", minimum=0, maximum=10**9, default=0)
EVENTS_LIMIT = _query("limit", "At most so many events.", type="integer", minimum=1, maximum=1000, default=100)
LIMIT = _query("limit", "At most so many items.", type="integer", minimum=1, maximum=100, default=50)
LEGAL_ACTIONS_LIMIT = _query(
    "limit", "At most so many actions.", type="integer", minimum=1, maximum=MOST_IN_PAGE, default=MOST_IN_PAGE
)
CURSOR = _query("cursor", "The next_cursor of the page before.", type="string")
DRY_RUN = _query("dry_run", "Only say whether the action would be accepted.", enum=["true", "false"], type="string")
EXPORT_FORMATS = ("text",)
EXPORT_FORMAT = {
    **_query("format", "The form of the export.", enum=list(EXPORT_FORMATS), type="string"),
    "required": True,
}
GAME_STATUS = _query("status", "Only games of this status.", enum=list(STATUSES), type="string")
RULESET = _query("ruleset", "Only games of this ruleset.", enum=list(RULESETS), type="string")
TO_ACT = _query(
    "to_act", "Only games in which it is your turn, the most urgent first.", enum=["true", "false"], type="string"
)
OPEN = _query("open", "Only games with an open seat.", enum=["true", "false"], type="string")
