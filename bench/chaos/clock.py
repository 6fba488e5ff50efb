"""A clock that can jump: that of the processes of the service, which are told of a skew by a shared file."""

import struct
from pathlib import Path

_SECONDS = struct.Struct("d")

_SITE = """
import datetime, mmap, os, struct, time
with open(os.environ["CHAOS_SKEW"], "rb") as file:
    skew = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
read, real_time, real = struct.Struct("d").unpack_from, time.time, datetime.datetime
class Skewed(real):
    @classmethod
    def now(cls, tz=None):
        return real.now(tz) + datetime.timedelta(seconds=read(skew)[0])
time.time = lambda: real_time() + read(skew)[0]
datetime.datetime = Skewed
"""
"""What each process runs first: Python's own clocks are off by what the file says at that moment."""


class HostClock:
    """The clock of one host; ``env`` lets processes go by it."""

    def __init__(self, folder: Path) -> None:
        site = folder / "clock"
        site.mkdir()
        (site / "sitecustomize.py").write_text(_SITE)
        self._skew = site / "skew"
        self._skew.write_bytes(_SECONDS.pack(0.0))
        self.env = {"PYTHONPATH": str(site), "CHAOS_SKEW": str(self._skew)}

    def jump(self, seconds: float) -> None:
        """Be off by so many seconds from now on."""
        with self._skew.open("r+b") as file:
            file.write(_SECONDS.pack(seconds))
