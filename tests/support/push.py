"""A browser that is subscribed to push messages: it has keys, and decrypts with them, from the receiver's side."""

import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service.notifications.push.encryption import from_base64url, to_base64url


class Browser:
    """A browser with a key pair and a secret."""

    def __init__(self, key: ec.EllipticCurvePrivateKey | None = None, auth: bytes | None = None) -> None:
        self._key = key or ec.generate_private_key(ec.SECP256R1())
        self.auth = auth or secrets.token_bytes(16)
        self.public = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint: str) -> dict[str, object]:
        """What a browser's page sends to the service."""
        return {"endpoint": endpoint, "keys": {"p256dh": to_base64url(self.public), "auth": to_base64url(self.auth)}}

    def decrypted(self, body: bytes) -> bytes:
        """Read a message: a salt, the size of records, the sender's key, and one record (RFC 8188 and 8291)."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        ikm = HKDF(SHA256(), 32, self.auth, b"WebPush: info\x00" + self.public + sender).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(ikm)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(ikm)
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\x00")
        assert padded.endswith(b"\x02")
        return padded[:-1]


@dataclass
class PushService:
    """What the service got: the path, the headers and the body of each message; and the status that it responds.

    ``next`` holds the statuses of the next responses, before those with ``status``.
    """

    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    status: int = 201
    next: list[int] = field(default_factory=list)
    port: int = 0

    def endpoint(self, browser: str = "browser") -> str:
        """Where a browser gets its messages."""
        return f"http://127.0.0.1:{self.port}/push/{browser}"


@contextmanager
def push_service() -> Iterator[PushService]:
    """Run a push service on any port."""
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(service.next.pop(0) if service.next else service.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()


def stated(header: str):
    """Return the claims of a statement and the key, after checking the signature."""
    token, key = (part.partition("=")[2] for part in header.removeprefix("vapid ").split(", "))
    signed, _, signature = token.rpartition(".")
    raw = from_base64url(signature)
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(key))
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    point.verify(der, signed.encode(), ec.ECDSA(SHA256()))
    head, claims = (json.loads(from_base64url(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    return claims, key
