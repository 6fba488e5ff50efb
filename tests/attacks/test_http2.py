"""HTTP/2 is disabled: each stream whose client was gone held a thread until the service was restarted."""

from tests.attacks.raw_sockets import HEALTHY_SECONDS, SLOW, healthy_within, is_closed
from tests.support.server import wait_until


def test_http_2_is_refused(service, connect):
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
    headers = b"\x00\x00\x03\x01\x04\x00\x00\x00\x01\x83\x86\x84"  # POST /, without a body, left open
    attackers = [connect(preface + headers) for _ in range(SLOW)]
    wait_until(lambda: all(map(is_closed, attackers)), "the connections to be closed")
    assert healthy_within(service) < HEALTHY_SECONDS
