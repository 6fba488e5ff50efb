"""Receive webhooks: verify each message, handle it once, and print it.

    pip install standardwebhooks
    WEBHOOK_SECRET=whsec_… python webhook_receiver.py 9000

Put a reverse proxy with TLS in front of it. With PLATEAU_ALLOW_UNSAFE_WEBHOOKS=1, a service on the same machine can
send to http://127.0.0.1:9000/ directly.
"""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

VERIFIER = Webhook(os.environ["WEBHOOK_SECRET"])
SEEN: dict[str, None] = {}  # a receiver that must not forget keeps this in a database


class Receiver(BaseHTTPRequestHandler):
    """Respond with 204 as soon as a message is verified; everything else is a failure, and is sent again."""

    def do_POST(self) -> None:
        """Take a message."""
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 65_536))
        try:
            message = VERIFIER.verify(body, dict(self.headers))
        except WebhookVerificationError as error:
            self.send_error(400, str(error))
            return
        self.send_response(204)
        self.end_headers()
        if self.headers["webhook-id"] not in SEEN:
            SEEN[self.headers["webhook-id"]] = None
            print(message["timestamp"], message["type"], message["data"], flush=True)

    def log_message(self, *_: Any) -> None:
        """Print nothing but messages."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 9000), Receiver)
    print(f"Receiving on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
