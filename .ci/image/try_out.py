"""Build the image and try it: ``python .ci/image/try_out.py``, as root, with mmdebstrap and buildah; takes minutes.

Its base is a fresh Debian, for which no registry of images is needed, and the libraries are those of the lock. A chroot
stands in for a container. Plays a game of bots in it, and checks the health command, the user, the files, the bill of
materials and the stop. A second build, of a copy and under a clock that is two days ahead, must have the same layers.
"""

import json
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

import yaml

sys.path.insert(0, str(Path(__file__).parents[1] / "deb"))
import build as package
import try_out as debian

ROOT = Path(__file__).parents[2]
_PACKAGES = "--include=python3,python3-venv,python-is-python3,ca-certificates"
USER = 10001
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
    with TemporaryDirectory() as folder:
        check_units(Path(folder))
    with TemporaryDirectory() as folder, images_in(Path(folder)) as images:
        work = Path(folder)
        make_base(images, work)
        layers = make_image(images, work, ROOT, "now")
        again = debian.copy_of_the_commit(work / "elsewhere")
        debian.expect(make_image(images, work, again, "two-days-ahead") == layers, "two builds have the same layers")
        print(f"the same {len(layers)} layers at two paths and on two days")
        container = images("from", "--pull-never", "localhost/now")
        mounted = Path(images("mount", container))
        check_files(mounted)
        with service(images, container):
            debian.play()
            compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["web"]["healthcheck"][
                "test"
            ]
            asked = [word.replace("8000", str(debian.PORT)) for word in compose[1:]]
            health = re.findall(r"^HEALTHCHECK .*\n\s+CMD (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)[0]
            for words in (asked, ["sh", "-c", health]):
                setting = f"PLATEAU_PORT={debian.PORT}"
                images("run", "--isolation", "chroot", "--env", setting, container, "--", *words)
        own = [path for path in mounted.rglob("*") if path.lstat().st_uid == USER]
        written = {path.relative_to(mounted).parts[0] for path in own}
        debian.expect(written <= {"data", "tmp"}, f"the service writes to /data and /tmp only: {written}")
    print("built, checked, played, stopped: all as it should be")


def check_units(work: Path) -> None:
    """Let the generator of Podman, which comes with the next Debian, read the units for it."""
    words = ["mmdebstrap", "--quiet", "--variant=extract", "--include=podman", "trixie", work / "podman"]
    subprocess.run(words, check=True)
    units = os.environ | {"QUADLET_UNIT_DIRS": str(ROOT / "docs/quadlet")}
    generate = [work / "podman/usr/libexec/podman/quadlet", "-dryrun"]
    done = subprocess.run(generate, env=units, capture_output=True, text=True, check=False)
    debian.expect(done.returncode == 0, f"the units of Podman are right: {done.stderr}")
    print(f"{len(re.findall('^---', done.stdout, re.MULTILINE))} units of Podman")


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


def make_image(images: Images, work: Path, source: Path, name: str) -> list[str]:
    """Build the image as the Dockerfile says, with the libraries from a folder instead of an index.

    Return the hashes of its layers. The programs in it see the clock of ``faketime``, so that a layer that has a date
    differs on another day.
    """
    began = time.perf_counter()
    (work / "lock").write_text(package.for_any_patch((ROOT / "requirements.lock").read_text()))
    pip = [sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--require-hashes"]
    subprocess.run([*pip, "--requirement", f"{work}/lock", "--dest", f"{work}/wheels"], check=True)
    library = debian.FAKETIME.parent
    mounted = {
        "/wheels": work / "wheels",
        "/etc/pip.conf": given(work / "pip.conf", "[global]\nno-index = true\nfind-links = /wheels\n"),
        "/etc/faketimerc": given(work / "faketimerc", "+2d\n" if name == "two-days-ahead" else "+0\n"),
        "/etc/ld.so.preload": given(work / "preload", f"{debian.FAKETIME}\n"),
        str(library): library,
    }
    mounts = [word for place, path in mounted.items() for word in ("--volume", f"{path}:{place}:ro")]
    stamp = ["--timestamp", package.committed("%ct"), "--no-cache"]
    base = ["--isolation", "chroot", "--build-arg", "PYTHON=localhost/base"]
    images("bud", *base, *stamp, *mounts, "--tag", name, source)
    print(f"{time.perf_counter() - began:.0f} s the image")
    return json.loads(images("inspect", "--type", "image", name))["OCIv1"]["rootfs"]["diff_ids"]


def given(path: Path, content: str) -> Path:
    path.write_text(content)
    return path


def check_files(mounted: Path) -> None:
    size = sum(path.lstat().st_size for path in (mounted / "opt/plateau").rglob("*") if path.is_file())
    print(f"{size / 1e6:.0f} MB the service in the image")
    data = (mounted / "data").stat()
    debian.expect((data.st_uid, data.st_mode & 0o777) == (USER, 0o700), "only the service reaches its data")
    writable = [path for path in (mounted / "opt/plateau").rglob("*") if path.lstat().st_uid == data.st_uid]
    debian.expect(not writable, f"the service cannot change its own files: {writable[:3]}")
    debian.expect(not (mounted / "build").exists(), "nothing of the build is left")
    debian.check_bill(mounted / "usr/share/doc/plateau-server/sbom.cdx.json", mounted / "opt/plateau")


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
        debian.expect(Path(f"/proc/{first}").stat().st_uid == USER, "the service has a user of its own")
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
