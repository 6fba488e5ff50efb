"""Requests of a client with little patience."""

import http.client
from typing import Any

import orjson

PATIENCE_SECONDS = 5
CUT = (OSError, http.client.HTTPException, orjson.JSONDecodeError)
"""What a client sees if there is no answer, or half of one."""


class Caller:
    """One client with a connection of its own, which is replaced after each failure."""

    def __init__(self, port: int, token: str = "") -> None:
        self._port = port
        self._token = token
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, path: str, body: Any = None, key: str = "") -> tuple[int, Any]:
        """Post JSON, or (None) get; return the status and the parsed response. Raise one of ``CUT``."""
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self._token}"} if self._token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        connection = self._connection or http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_SECONDS)
        self._connection = None
        try:
            connection.request("GET" if body is None else "POST", path, body and orjson.dumps(body), headers)
            response = connection.getresponse()
            said = orjson.loads(response.read())
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return response.status, said
