"""The servers of the tests come back at their address, or say why not."""

import socket
import sys
from pathlib import Path

import pytest

from tests.support.processes import free_port
from tests.support.server import RealServer


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels do not let one process hold a port for another")
def test_nobody_gets_the_port_of_a_server_that_is_down(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path, tcp=True)
    server.kill()
    port = int(server.url.rpartition(":")[2].partition("/")[0])
    with socket.socket() as other, pytest.raises(OSError, match="Address already in use"):
        other.bind(("127.0.0.1", port))
    assert port not in {free_port() for _ in range(50)}
    server.restart()
    server.stop()


def test_a_server_that_does_not_start_is_reported_with_the_end_of_its_log(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"ended at its start; .*server\.log ends:(.|\n)*Bad directive"):
        RealServer.start("valkey", tmp_path, tcp=True, extra=("--no-such-thing", "1"))
