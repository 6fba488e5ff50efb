"""A clock that can jump: that of the processes of the service, which read a skew from a shared file."""

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
"""Code that each process runs first: it adds the current skew in the file to Python's clocks."""


class HostClock:
    """The clock of one host; ``env`` makes processes use it."""

    def __init__(self, folder: Path) -> None:
        site = folder / "clock"
        site.mkdir()
        (site / "sitecustomize.py").write_text(_SITE)
        self._skew = site / "skew"
        self._skew.write_bytes(_SECONDS.pack(0.0))
        self.env = {"PYTHONPATH": str(site), "CHAOS_SKEW": str(self._skew)}

    def jump(self, seconds: float) -> None:
        """Set the skew to so many seconds."""
        with self._skew.open("r+b") as file:
            file.write(_SECONDS.pack(seconds))
