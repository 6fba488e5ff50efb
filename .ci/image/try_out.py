"""Build the image and try it: ``python .ci/image/try_out.py``, as root, with mmdebstrap and buildah; takes minutes.

Its base is a fresh Debian, for which no registry of images is needed, and the libraries are those of the lock. A chroot
stands in for a container. Plays a game of bots in it, and checks the health command, the user, the files and the stop.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError

sys.path.insert(0, str(Path(__file__).parents[1] / "deb"))
import build as package
import try_out as debian

ROOT = Path(__file__).parents[2]
_PACKAGES = "--include=python3,python3-venv,python-is-python3,ca-certificates"
_PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Images:
    """The images in a folder, as buildah keeps them."""

    def __init__(self, folder: Path) -> None:
        self.command = ["buildah", "--root", f"{folder}/root", "--runroot", f"{folder}/run"]

    def __call__(self, *words: str | Path) -> str:
        done = subprocess.run([*self.command, *map(str, words)], capture_output=True, text=True, check=False)
        debian.expect(done.returncode == 0, f"buildah {words[0]}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout.strip()


def main() -> None:
    with TemporaryDirectory() as folder, images_in(Path(folder)) as images:
        work = Path(folder)
        make_base(images, work)
        make_image(images, work)
        container = images("from", "--pull-never", "localhost/plateau")
        mounted = Path(images("mount", container))
        check_files(mounted)
        with service(images, container):
            debian.play()
            health = re.findall(r"^HEALTHCHECK .*\n\s+CMD (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)[0]
            setting = f"PLATEAU_PORT={debian.PORT}"
            images("run", "--isolation", "chroot", "--env", setting, container, "--", "sh", "-c", health)
    print("built, checked, played, stopped: all as it should be")


@contextmanager
def images_in(folder: Path) -> Iterator[Images]:
    images = Images(folder)
    try:
        yield images
    finally:
        images("rm", "--all")
        mounts = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
        for mounted in reversed([path for path in mounts if path.startswith(f"{folder}/")]):
            subprocess.run(["umount", "--lazy", mounted], check=True)


def make_base(images: Images, work: Path) -> None:
    began = time.perf_counter()
    words = ["mmdebstrap", "--quiet", "--variant=minbase", _PACKAGES, debian.SUITE, f"{work}/base.tar"]
    subprocess.run(words, check=True)
    container = images("from", "scratch")
    images("add", container, work / "base.tar", "/")
    images("config", "--env", _PATH, container)
    images("commit", "--quiet", container, "base")
    print(f"{time.perf_counter() - began:.0f} s the base")


def make_image(images: Images, work: Path) -> None:
    """Build the image as the Dockerfile says, with the libraries from a folder instead of an index."""
    began = time.perf_counter()
    (work / "lock").write_text(package.for_any_patch((ROOT / "requirements.lock").read_text()))
    pip = [sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--require-hashes"]
    subprocess.run([*pip, "--requirement", f"{work}/lock", "--dest", f"{work}/wheels"], check=True)
    (work / "pip.conf").write_text("[global]\nno-index = true\nfind-links = /wheels\n")
    mounts = ["--volume", f"{work}/wheels:/wheels:ro", "--volume", f"{work}/pip.conf:/etc/pip.conf:ro"]
    images("bud", "--isolation", "chroot", "--build-arg", "PYTHON=localhost/base", *mounts, "--tag", "plateau", ROOT)
    print(f"{time.perf_counter() - began:.0f} s the image")


def check_files(mounted: Path) -> None:
    size = sum(path.lstat().st_size for path in (mounted / "opt/plateau").rglob("*") if path.is_file())
    print(f"{size / 1e6:.0f} MB the service in the image")
    data = (mounted / "data").stat()
    debian.expect((data.st_uid, data.st_mode & 0o777) == (10001, 0o700), "only the service reaches its data")
    writable = [path for path in (mounted / "opt/plateau").rglob("*") if path.lstat().st_uid == data.st_uid]
    debian.expect(not writable, f"the service cannot change its own files: {writable[:3]}")
    debian.expect(not (mounted / "build").exists(), "nothing of the build is left")


@contextmanager
def service(images: Images, container: str) -> Iterator[None]:
    """Run the command of the image as its user, on a port of this machine."""
    began = time.perf_counter()
    command = re.findall(r'^CMD \["(.*)"\]$', (ROOT / "Dockerfile").read_text(), re.MULTILINE)[0].split('", "')
    words = ["run", "--isolation", "chroot", "--env", f"PLATEAU_PORT={debian.PORT}", container, "--", *command]
    process = subprocess.Popen([*images.command, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                debian.ask("GET", "/healthz")
                break
            except (URLError, ConnectionError):
                debian.expect(
                    process.poll() is None and time.perf_counter() - began < debian.PATIENCE, "the service starts"
                )
                time.sleep(0.1)
        print(f"{time.perf_counter() - began:.0f} s until the service answers")
        first = first_process(process.pid, command)
        debian.expect(Path(f"/proc/{first}").stat().st_uid == 10001, "the service has a user of its own")
        yield
        began = time.perf_counter()
        os.kill(first, signal.SIGTERM)
        debian.expect(process.wait(debian.PATIENCE) == 0, "the service stops in order")
        print(f"{time.perf_counter() - began:.0f} s to stop")
    finally:
        process.kill()


def first_process(buildah: int, command: list[str]) -> int:
    """Return the process of a command that buildah runs; buildah itself would only kill it."""
    waiting = [buildah]
    while waiting:
        process = waiting.pop()
        words = Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
        if words[1:-1] == [f"/opt/plateau/bin/{command[0]}", *command[1:]] and "buildah" not in words[0]:
            return process
        for thread in Path(f"/proc/{process}/task").iterdir():
            waiting += map(int, (thread / "children").read_text().split())
    raise SystemExit("not so: the service has a process")


if __name__ == "__main__":
    main()
