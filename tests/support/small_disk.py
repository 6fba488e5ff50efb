"""A small disk that can be filled: a file system in memory, in a mount namespace of its own."""

import os
import shutil
import subprocess
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from service.common.child_process import die_with_parent
from tests.support.server import wait_until

_PIECE = bytes(1 << 20)
MOUNTS = ["unshare", "--map-root-user", "--mount", "sh", "-c"]


@cache
def can_mount() -> bool:
    """Return whether the kernel lets users mount in their own namespace."""
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*MOUNTS, "mount -t tmpfs none /mnt"], capture_output=True, check=False).returncode == 0


class SmallDisk:
    """A disk at `folder` for those who are started by `entering`; `seen` is where all others find it."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        script = f"mount -t tmpfs -o size={megabytes}m none {folder} && exec sleep infinity"
        self._holder = subprocess.Popen(
            [*MOUNTS, script],
            preexec_fn=partial(die_with_parent, os.getpid()),  # noqa: PLW1509 - takes no lock
        )
        target = ["--target", str(self._holder.pid)]
        self.entering = ["nsenter", "--user", "--mount", "--preserve-credentials", *target]
        self.seen = Path(f"/proc/{self._holder.pid}/root{folder}")
        self._filling = self.seen / "filling"
        size = megabytes << 20
        wait_until(lambda: os.statvfs(self.seen).f_blocks * os.statvfs(self.seen).f_frsize == size, "the disk")

    def fill(self) -> None:
        """Leave no room at all."""
        with suppress(OSError), self._filling.open("ab", buffering=0) as filling:
            while True:
                filling.write(_PIECE)

    def empty(self) -> None:
        """Make room again."""
        self._filling.unlink()

    def close(self) -> None:
        """End it; what is on it is gone."""
        self._holder.kill()
        self._holder.wait()
