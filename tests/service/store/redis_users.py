"""The users in ``redis-users.acl``, with the rights that the service asks for at its start and no others.

A file of users has no comments; docs/operations/store.md explains it.

``python -m tests.service.store.redis_users`` writes the file.
"""

from collections.abc import Iterable

import redis

from service.store.redis.redis_rights import GAMES, QUEUE, WEB
from tests.support.server import ROOT, RealServer

FILE = ROOT / "docs/redis-users.acl"
WEB_USER, WORKER_USER = "plateau-web", "plateau-worker"

_FIGURES = ("+info", "%R~{jobs}:*", "%R~rq:queue*")
"""What a web process asks for where it is allowed: whether the server keeps what it gets, and what /metrics shows."""


def written() -> str:
    """Return the text of the file."""
    rights = {WEB_USER: (*WEB, *_FIGURES), WORKER_USER: (*GAMES, *QUEUE)}
    users = [
        f"user {name} on >{name}-password -@all {' '.join(dict.fromkeys(each))}\n" for name, each in rights.items()
    ]
    return "".join(["user default off\n", *users])


ASKED_WHERE_ALLOWED = {"client|setinfo", "info", "config|get"}
"""What the client library and the check try: a refusal does no harm."""


def restricted(server: RealServer, name: str, needs: Iterable[str]) -> str:
    """Return the address for a new user who can do what is needed and no more."""
    with redis.Redis.from_url(server.url) as client:
        client.execute_command("ACL", "SETUSER", name, "reset", "on", ">hush-hush", *needs)
    return server.url.replace("redis://", f"redis://{name}:hush-hush@")


def refused(server: RealServer) -> list[tuple[str, str]]:
    """What the server has refused so far: why, and what."""
    with redis.Redis.from_url(server.url, decode_responses=True) as client:
        entries = [(entry["reason"], entry["object"]) for entry in client.acl_log()]
    return [each for each in entries if each[1] not in ASKED_WHERE_ALLOWED]


if __name__ == "__main__":
    FILE.write_text(written())
