"""A typed client for Plateau, a server for turn-based games with hidden information.

`Client` is a player on a server, `Table` one game. What they send and return are the TypedDicts of
`plateau_client.types`.
"""

from plateau_client.client import Client
from plateau_client.connection import new_key
from plateau_client.problems import NotFixed, PlateauError, RateLimited, Refused, Unavailable, WentBack, WrongMoment
from plateau_client.table import Table
from plateau_client.types import Action, Event, GameInput, Notice, View

__all__ = [
    "Action",
    "Client",
    "Event",
    "GameInput",
    "NotFixed",
    "Notice",
    "PlateauError",
    "RateLimited",
    "Refused",
    "Table",
    "Unavailable",
    "View",
    "WentBack",
    "WrongMoment",
    "new_key",
]
