"""Values of keys as plain data that JSON can write, and back: no engine's own format is in a backup.

Bytes are written as text if they are UTF-8, else as ``{"b64": …}``.
"""

import base64
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, cast

from domain.serialization import Plain

_GONE = -2
"""What Redis says of the expiry of a key that is not there."""

Kind = Literal["string", "hash", "list", "zset", "stream"]


def packed(data: bytes) -> Plain:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(data).decode()}


def unpacked(written: Any) -> bytes:
    return written.encode() if isinstance(written, str) else base64.b64decode(written["b64"])


def ask(pipe: Any, key: str, kind: Kind) -> None:
    """Ask for a value and for its expiry: two commands."""
    match kind:
        case "string":
            pipe.get(key)
        case "hash":
            pipe.hgetall(key)
        case "list":
            pipe.lrange(key, 0, -1)
        case "zset":
            pipe.zrange(key, 0, -1, withscores=True)
        case "stream":
            pipe.xrange(key)
    pipe.pexpiretime(key)


_PLAIN: Mapping[Kind, Callable[[Any], Plain]] = {
    "string": packed,
    "hash": lambda found: [[packed(name), packed(value)] for name, value in found.items()],
    "list": lambda found: [packed(each) for each in found],
    "zset": lambda found: [[packed(member), score] for member, score in found],
    "stream": lambda found: [entry(*each) for each in found],
}


def entry(entry_id: bytes, fields: Mapping[bytes, bytes]) -> Plain:
    return [entry_id.decode(), [[packed(name), packed(value)] for name, value in fields.items()]]


def fields_of(written: Iterable[Any]) -> dict[Any, Any]:
    return {unpacked(name): unpacked(value) for name, value in written}


def line_of(key: str, kind: Kind, found: Any, expires: int) -> dict[str, Plain] | None:
    """Write what was found as a line; None if there is no such key. ``expires`` is in ms since 1970, or negative."""
    if (not found and found != b"") or expires == _GONE:
        return None
    line: dict[str, Plain] = {"key": key, "type": kind, "value": _PLAIN[kind](found)}
    return line | {"expires_at": expires} if expires > 0 else line


def put(pipe: Any, key: str, line: Mapping[str, Any]) -> None:
    """Write the value of a line under a key; lines of one key add up."""
    value, kind = line["value"], cast("Kind", line["type"])
    match kind:
        case "string":
            pipe.set(key, unpacked(value))
        case "hash":
            pipe.hset(key, mapping=fields_of(value))
        case "list":
            pipe.rpush(key, *map(unpacked, value))
        case "zset":
            pipe.zadd(key, {unpacked(member): score for member, score in value})
        case "stream":
            for entry_id, fields in value:
                pipe.xadd(key, fields_of(fields), id=entry_id)
    if "expires_at" in line:
        pipe.pexpireat(key, line["expires_at"])
