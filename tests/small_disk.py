"""A small disk that can be filled: a file system in memory, in a mount namespace of its own."""

import os
import shutil
import subprocess
from functools import cache, partial
from pathlib import Path

from service.child_process import die_with_parent
from tests.servers import wait_until

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
        room = os.statvfs(self.seen).f_bavail * os.statvfs(self.seen).f_frsize
        try:
            self._filling.write_bytes(bytes(room + (1 << 20)))
        except OSError as error:
            assert error.strerror == "No space left on device"  # noqa: PT017 - not only tests fill disks
        else:
            raise AssertionError("there was room for more than the disk holds")

    def empty(self) -> None:
        """Make room again."""
        self._filling.unlink()

    def close(self) -> None:
        """End it; what is on it is gone."""
        self._holder.kill()
        self._holder.wait()
