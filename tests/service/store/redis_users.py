"""The users in ``redis-users.acl``, with the rights that the service asks for at its start and no others.

A file of users has no comments; docs/operations/store.md explains it.

``python -m tests.service.store.redis_users`` writes the file.
"""

import re
from collections.abc import Iterable, Iterator

import redis

from service.store.redis.redis_needs import GAMES, QUEUE, WEB
from tests.support.server import ROOT, RealServer

FILE = ROOT / "docs/redis-users.acl"
WEB_USER, WORKER_USER = "plateau-web", "plateau-worker"

_CHANNEL_COMMANDS = {"SUBSCRIBE", "UNSUBSCRIBE", "PUBLISH"}
_WITH_SUBCOMMANDS = {"CLIENT", "CLUSTER", "SCRIPT", "XGROUP", "XINFO"}
_READING = {"GET", "GETRANGE", "XRANGE", "XREVRANGE", "ZCOUNT", "ZREVRANGEBYSCORE", "HLEN", "LLEN", "ZCARD"}
"""Commands that only read, as far as some family of keys is only read."""
_FIGURES = ("INFO", "HLEN {jobs}:line", "ZCARD {jobs}:line:x", "LLEN rq:queue:plateau")
"""What a web process asks for where it is allowed: whether the server keeps what it gets, and what /metrics shows."""


def rules(needs: Iterable[str]) -> list[str]:
    """Return the rules that permit these commands, each with its families of keys or its channel, and nothing else."""
    every = [need.split() for need in needs]
    read_only = {family for family in _families(every) if family not in _families(_writing(every))}
    found = [rule for words in every for rule in _rules(words, read_only)]
    return ["-@all", *dict.fromkeys(found)]


def _rules(words: list[str], read_only: set[str]) -> Iterator[str]:
    command, *rest = words
    yield (f"+{command}|{rest[0]}" if command in _WITH_SUBCOMMANDS else f"+{command}").lower()
    for name in (word for word in rest if ":" in word):
        if command in _CHANNEL_COMMANDS:
            yield f"&{re.sub(':x$', ':*', name)}"
        else:
            yield f"%R~{_family(name)}" if _family(name) in read_only else f"~{_family(name)}"


def _writing(every: list[list[str]]) -> list[list[str]]:
    return [words for words in every if words[0] not in _READING]


def _families(every: list[list[str]]) -> set[str]:
    return {_family(word) for words in every if words[0] not in _CHANNEL_COMMANDS for word in words if ":" in word}


def _family(name: str) -> str:
    """Return the pattern of the family of a key, for every shard or player; the log of heads and RQ have several."""
    if name.startswith(("{heads}:", "rq:queue:")):
        return ":".join(name.split(":")[:2]) + "*"
    return re.sub("s00|pl_x", lambda tag: f"{tag[0].rstrip('0x')}*", name.partition(":")[0]) + ":*"


def written() -> str:
    """Return the text of the file."""
    needs = {WEB_USER: (*WEB, *_FIGURES), WORKER_USER: (*GAMES, *QUEUE)}
    users = [f"user {name} on >{name}-password {' '.join(rules(each))}\n" for name, each in needs.items()]
    return "".join(["user default off\n", *users])


if __name__ == "__main__":
    FILE.write_text(written())


ASKED_WHERE_ALLOWED = {"client|setinfo", "info", "config|get"}
"""What the client library and the check try: a refusal does no harm."""


def restricted(server: RealServer, name: str, needs: Iterable[str]) -> str:
    """Return the address for a new user who can do what is needed and no more."""
    with redis.Redis.from_url(server.url) as client:
        client.execute_command("ACL", "SETUSER", name, "reset", "on", ">hush-hush", *rules(needs))
    return server.url.replace("redis://", f"redis://{name}:hush-hush@")


def refused(server: RealServer) -> list[tuple[str, str]]:
    """What the server has refused so far: why, and what."""
    with redis.Redis.from_url(server.url, decode_responses=True) as client:
        entries = [(entry["reason"], entry["object"]) for entry in client.acl_log()]
    return [each for each in entries if each[1] not in ASKED_WHERE_ALLOWED]
