"""A grammar of HTTP requests, and the ways to break them.

A request is made well formed, in parts; then some of ``BREAKS`` are applied to it. ``conversation`` is what is sent
over one connection: one broken request or several, or bytes of another protocol.
"""

import random
import re
from collections.abc import Callable, Sequence

HTTP2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"

Parts = dict[str, bytes]
Break = Callable[[Parts, random.Random], None]


_WHOLE = b'{"name": "Eve"}'
_LENGTH, _CHUNKED = b"Content-Length: 15\r\n", b"Transfer-Encoding: chunked\r\n"
_IN_CHUNKS = b"F\r\n" + _WHOLE
_TORN: Sequence[tuple[bytes, bytes]] = [
    (_LENGTH, _WHOLE[:-1]),
    *((_CHUNKED, _IN_CHUNKS + more) for more in (b"", b"\r\n", b"\r\n0\r\n")),
    *((_LENGTH + _CHUNKED, body) for body in (_WHOLE[:-1], _IN_CHUNKS, _IN_CHUNKS + b"\r\n")),
    *((_CHUNKED + _LENGTH, body) for body in (_WHOLE[:-1], _IN_CHUNKS, _IN_CHUNKS + b"\r\n")),
]


def torn(token: str) -> Sequence[bytes]:
    """Create requests whose body never arrives whole: by its length, by its chunks, and with both announced.

    None of them must do anything, so none must succeed.
    """
    head = f"PATCH /v1/me HTTP/1.1\r\nHost: plateau\r\nAuthorization: Bearer {token}\r\n".encode()
    head += b"Content-Type: application/json\r\n"
    return [head + framing + b"\r\n" + body for framing, body in _TORN]


# -- well-formed requests -------------------------------------------------------------------------------------------


def request(rng: random.Random, token: str, game: str) -> Parts:
    """Make a request that is well formed, in parts: method, target, version, headers, body."""
    method, target, body = rng.choice(
        [
            (b"GET", b"/healthz", b""),
            (b"GET", f"/v1/games/{game}/view".encode(), b""),
            (b"GET", f"/v1/games/{game}/events?after=1&limit=2".encode(), b""),
            (b"GET", b"/v1/rulesets", b""),
            (b"HEAD", b"/healthz", b""),
            (b"POST", b"/v1/players", b'{"name": "Eve"}'),
            (b"POST", f"/v1/games/{game}/actions?dry_run=true".encode(), b'{"type": "pass"}'),
            (b"PATCH", b"/v1/me", b'{"name": "Eve"}'),
            (b"OPTIONS", b"*", b""),
        ]
    )
    headers = b"Host: plateau\r\nAuthorization: Bearer " + token.encode() + b"\r\n"
    headers += b"Connection: close\r\n" * (rng.random() < 0.7)
    if body and rng.random() < 0.5:
        headers += b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        body = chunked(body, rng)
    elif body:
        headers += b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(body)
    parts = {"method": method, "target": target, "version": b"HTTP/1.1", "headers": headers}
    return {**parts, "end": b"\r\n", "body": body}


def chunked(body: bytes, rng: random.Random) -> bytes:
    """Write a body in chunks."""
    cut = rng.randrange(1, len(body))
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:cut], body[cut:])) + b"0\r\n\r\n"


def written(parts: Parts) -> bytes:
    """Write a request."""
    line = b" ".join([parts["method"], parts["target"], parts["version"]])
    return line + b"\r\n" + parts["headers"] + parts["end"] + parts["body"]


# -- how to break them ----------------------------------------------------------------------------------------------


def _replaced(part: str, *values: bytes) -> Break:
    def breaks(parts: Parts, rng: random.Random) -> None:
        parts[part] = rng.choice(values)

    return breaks


def _more_headers(*lines: bytes) -> Break:
    def breaks(parts: Parts, rng: random.Random) -> None:
        line = rng.choice(lines) + b"\r\n"
        parts["headers"] = line + parts["headers"] if rng.random() < 0.5 else parts["headers"] + line

    return breaks


def _length(parts: Parts, rng: random.Random) -> None:
    """Announce a length other than the body's, or in an unusual form."""
    length = rng.choice([*b"0|1|-1|+5|0x5|5 5|5,5||1e2|65537".split(b"|"), b"9" * 30, b"\xd9\xa5"])
    without = re.sub(rb"Content-Length: \d+\r\n", b"", parts["headers"])
    parts["headers"] = without + b"Content-Length: " + length + b"\r\n"


def _framing(parts: Parts, rng: random.Random) -> None:
    """Announce the length of the body in two ways, or in an unknown one."""
    coding = rng.choice(
        b"chunked|xchunked|chunked, identity|identity, chunked| chunked|\x0bchunked|chunked\x00|gzip|".split(b"|")
    )
    parts["headers"] += b"Transfer-Encoding:" + coding + b"\r\nContent-Length: 4\r\n"
    parts["body"] = rng.choice(
        [b"4\r\n{}{}\r\n0\r\n\r\n", b"{}{}", b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"]
    )


def _chunks(parts: Parts, rng: random.Random) -> None:
    """Break the chunks of a body."""
    parts["headers"] = b"Host: plateau\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    parts["method"], parts["target"] = b"POST", b"/v1/players"
    size = rng.choice([*b"5|F|-5|0x5|5;a=b|5 | 5|g||00000005|5\x00".split(b"|"), b"f" * 16, b"f" * 40])
    end = rng.choice([b"\r\n", b"\n", b"\r", b"\r\r\n", b""])
    last = rng.choice(
        [b"0\r\n\r\n", b"0\r\nX: y\r\n\r\n", b"0\r\n" + b"X: y\r\n" * 2000 + b"\r\n", b"0", b"", b"\r\n", b"1\r\n"]
    )
    parts["body"] = size + end + b'{"a":' + rng.choice([b"\r\n", b"\n", b"", b"XX"]) + last


def _noise(parts: Parts, rng: random.Random) -> None:
    """Put bytes at random into one part."""
    name = rng.choice([name for name in parts if parts[name]] or ["method"])
    place = rng.randrange(len(parts[name]) + 1)
    noise = rng.choice([b"\x00", b"\xff", b"\r", b"\n", b"\t", b" ", b":", b"%", b"\x1b[2J", rng.randbytes(8)])
    parts[name] = parts[name][:place] + noise + parts[name][place + rng.randrange(2) :]


BREAKS: Sequence[Break] = (
    _replaced("method", b"get", b"GE T", b"", b"G\x00T", b"X" * 20, b"X" * 20_000, "ГЕТ".encode(),
        b"CONNECT", b"TRACE", b"POST"),
    _replaced(
        "target", b"/%00", b"/%", b"/%zz", b"//", b"/../../etc/passwd", b"http://evil/healthz", b"*", b"",
        b"healthz", b"/\xff",
        b"/a b", b"/#x", b"/" + b"a" * 20_000, b"/?" + b"&" * 5000, b"/v1/games/" + b"%F0%9F%82%A1" * 50,
        b"/v1/games?limit=" + b"9" * 5000,
    ),
    _replaced("version", b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/9.9", b"http/1.1", b"HTTP/1.1 x", b"",
        b"HTTP/" + b"1" * 5000),
    _replaced("headers", b"", b"X" * 70_000 + b"\r\n", b"X: y\r\n" * 5000, b"Host: a\r\nHost: b\r\n",
        b"Host: a\nX: b\r\r\n", b"Host\r\n"),
    _replaced("end", b"\n", b"\r", b"", b"\r\n\r\n", b"\x00\r\n"),
    _more_headers(
        b"Expect: 100-continue", b"Expect: nonsense", b"Upgrade: h2c", b"Upgrade: websocket",
        b"Connection: Upgrade, HTTP2-Settings",
        b"Connection: close, keep-alive", b"Connection: \x00", b"X : y", b" X: y", b": y", b"X\x00: y",
        b"X: \x00", b"X: \xff", b"X:\r\n y",
        b"Host: \x00", b"Authorization: Bearer " + b"x" * 60_000, b"Authorization: \xe9",
        b"Accept: " + b"a/b," * 5000,
        b"If-Match: " + b'"' * 3000, b"If-None-Match: W/\x22" + b"1" * 6000, b"Cookie: " + b"a=b;" * 4000,
        b"Content-Encoding: gzip",
        b"Content-Type: application/json; charset=\xff", b"Idempotency-Key: " + b"k" * 10_000,
        b"X-Forwarded-For: " + b"1," * 9000,
        b"Range: bytes=0-,0-,0-", b"Transfer-Encoding: chunked", b"Content-Length: 5", b"TE: trailers, \x00",
    ),
    _length, _framing, _chunks, _noise,
)  # fmt: skip


def conversation(rng: random.Random, token: str, game: str) -> bytes:
    """Make what is sent over one connection."""
    whole = rng.random()
    if whole < 0.05:
        tls, blank = b"\x16\x03\x01\x02\x00\x01", b"\r\n" * 2000
        return rng.choice([HTTP2, HTTP2 + _SETTINGS, HTTP2 + _SETTINGS + rng.randbytes(200), tls, blank])
    if whole < 0.1:
        return rng.randbytes(rng.randrange(1, 3000))
    sent = b""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 20])):
        parts = request(rng, token, game)
        for breaks in rng.sample(BREAKS, rng.choice([0, 1, 1, 1, 2, 3])):
            breaks(parts, rng)
        sent += written(parts)
    return sent[: rng.randrange(1, len(sent) + 1)] if rng.random() < 0.1 else sent
