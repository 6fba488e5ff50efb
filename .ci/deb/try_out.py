"""Try the Debian package in a fresh Debian: ``python .ci/deb/try_out.py``, as root, with mmdebstrap and dpkg.

Installs it, plays a game of bots, upgrades while a game is open, restores a backup, removes and purges. Prints how long
each step takes, and ends with an error at the first thing that is not right.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_string
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parent))
import build

SUITE, PORT = "bookworm", 18123
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
"""Gives programs another clock."""
PATIENCE = 300
"""For so many seconds each step may last on a busy machine."""
URL = f"http://127.0.0.1:{PORT}"
_SERVE = ("env", "PLATEAU_DATA=/var/lib/plateau", f"PLATEAU_PORT={PORT}", "plateau", "serve")


def main() -> None:
    first = build.build("0.1.0~a")
    with TemporaryDirectory() as folder:
        again = build_again(Path(folder, "elsewhere"), "0.1.0~a")
        expect(again.read_bytes() == first.read_bytes(), "two builds at two paths and on two days are the same")
    second = build.build("0.1.0~b")
    print(f"{first.stat().st_size / 1e6:.0f} MB the package")
    check_units()
    with TemporaryDirectory() as folder, debian(Path(folder, "root")) as root:
        install(root, first)
        check_bill(root / "usr/share/doc/plateau-server/sbom.cdx.json", root / "usr/lib/plateau")
        with service(root):
            token, finished = play()
            opened = create(token, ["human", "greedy", "greedy"])
        install(root, second)
        with service(root):
            expect(ask("GET", f"/v1/games/{finished}", token)["status"] == "finished", "the finished game is there")
            expect(ask("GET", f"/v1/games/{opened}", token)["status"] == "active", "the open game is there")
            run(root, "runuser", "-u", "plateau", "--", "plateau", "doctor")
            said = run(root, "runuser", "-u", "plateau", "--", "plateau", "backup", "/var/backups/plateau")
            key = re.findall(r"[0-9a-f]{64}", said)[-1]
        print("kept by an upgrade: both games")
        empty = root / "var/lib/plateau"
        run(root, "mv", "/var/lib/plateau", "/var/lib/plateau-before")
        run(root, "install", "-d", "-o", "plateau", "-g", "plateau", "-m", "700", "/var/lib/plateau")
        run(root, "runuser", "-u", "plateau", "--", "plateau", "restore", "--key", key, "/var/backups/plateau")
        with service(root):
            expect(ask("GET", f"/v1/games/{opened}", token)["status"] == "active", "the restored game is there")
        run(root, "dpkg", "--remove", "plateau-server")
        expect(any(empty.iterdir()) and (root / "etc/plateau/plateau.conf").exists(), "removal keeps the data")
        run(root, "rm", "-rf", "/var/lib/plateau-before")
        run(root, "dpkg", "--purge", "plateau-server")
        found = subprocess.run(
            ["find", str(root), "-xdev", "-name", "*plateau*"], capture_output=True, text=True, check=True
        )
        left = found.stdout.split()
        expect(not left, f"nothing is left after a purge: {left}")
    print("installed, played, upgraded, restored, removed, purged: all as it should be")


def copy_of_the_commit(copy: Path) -> Path:
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=build.ROOT, capture_output=True, check=True).stdout
    expect(not changed, "everything is committed, so that a copy of the commit is the same")
    subprocess.run(["git", "clone", "--quiet", "--local", build.ROOT, copy], check=True)
    return copy


def build_again(copy: Path, version: str) -> Path:
    """Build the package of the commit at another path, two days later, for a user with other rights on new files."""
    expect(FAKETIME.exists(), "faketime is installed (apt-get install faketime)")
    script = copy_of_the_commit(copy) / ".ci/deb/build.py"
    clock = {"LD_PRELOAD": str(FAKETIME), "FAKETIME": "+2d", "DONT_FAKE_MONOTONIC": "1"}  # else threads wait for ever
    later = os.environ | clock | {"PYTHONPATH": str(copy)}
    done = subprocess.run(
        [sys.executable, script, version], env=later, umask=0o077, stdout=subprocess.PIPE, text=True, check=True
    )
    return Path(done.stdout.splitlines()[-1])


def check_bill(bill: Path, libraries: Path) -> None:
    """Check that the bill of materials of an installation names everything in it."""
    named = {f"{part['name']}=={part['version']}" for part in json.loads(bill.read_text())["components"]}
    installed = set()
    for path in libraries.rglob("*.dist-info/METADATA"):
        about = message_from_string(path.read_text())
        installed.add(f"{re.sub(r'[-_.]+', '-', about['Name']).lower()}=={about['Version']}")
    own = {library for library in installed if library.startswith("plateau-server==")}
    expect(len(own) == 1 and installed - own <= named, f"the bill names every library: {installed - own - named}")
    print(f"{len(installed - own)} libraries, all in the bill of materials")


def check_units() -> None:
    for unit in build.UNITS:
        rated = ["systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=30", str(build.HERE / unit)]
        if unit.endswith(".service"):
            done = subprocess.run(rated, capture_output=True, text=True, check=False)
            print(done.stdout.strip().splitlines()[-1])
            expect(done.returncode == 0, f"{unit} is hardened")


@contextmanager
def debian(root: Path) -> Iterator[Path]:
    """Make a Debian with nothing but what the package depends on."""
    began = time.perf_counter()
    packages = "--include=python3,passwd,ca-certificates"
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", packages, SUITE, str(root)], check=True)
    print(f"{time.perf_counter() - began:.0f} s a fresh Debian")
    subprocess.run(["mount", "-t", "proc", "proc", str(root / "proc")], check=True)
    subprocess.run(["mount", "--bind", "/dev", str(root / "dev")], check=True)
    try:
        yield root
    finally:
        for mounted in ("dev", "proc"):
            subprocess.run(["umount", "--lazy", str(root / mounted)], check=True)


def install(root: Path, package: Path) -> None:
    began = time.perf_counter()
    target = root / "tmp" / package.name
    target.write_bytes(package.read_bytes())
    run(root, "dpkg", "--install", f"/tmp/{package.name}")
    target.unlink()
    print(f"{time.perf_counter() - began:.0f} s to install {package.name}")


@contextmanager
def service(root: Path) -> Iterator[None]:
    """Run the service as its user, as the unit does."""
    began = time.perf_counter()
    words = ["chroot", str(root), "setpriv", "--reuid=plateau", "--regid=plateau", "--clear-groups", *_SERVE]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                ask("GET", "/healthz")
                break
            except (URLError, ConnectionError):
                expect(process.poll() is None and time.perf_counter() - began < PATIENCE, "the service starts")
                time.sleep(0.1)
        print(f"{time.perf_counter() - began:.0f} s until the service answers")
        yield
    finally:
        process.terminate()
        expect(process.wait(PATIENCE) == 0, "the service stops in order")


def play() -> tuple[str, str]:
    """Let bots play a game to its end; return a token and the id."""
    token: str = ask("POST", "/v1/players", body={"name": "Ada"})["token"]
    game = create(token, ["greedy", "greedy", "greedy"], {"deals": 3})
    began = time.perf_counter()
    while ask("GET", f"/v1/games/{game}", token)["status"] != "finished":
        expect(time.perf_counter() - began < PATIENCE, "the bots finish their game")
        time.sleep(0.2)
    print(f"{time.perf_counter() - began:.0f} s a game of three bots")
    return token, game


def create(token: str, sitters: list[str], options: dict[str, int] | None = None) -> str:
    seats = [{"player": "me"} if sitter == "human" else {"bot": sitter} for sitter in sitters]
    wanted = {"ruleset": "french-tarot", "options": options or {}, "seats": seats, "bot_pace": "PT0S"}
    game: str = ask("POST", "/v1/games", token, wanted)["id"]
    return game


def ask(method: str, path: str, token: str | None = None, body: object = None) -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(URL + path, data, headers, method=method), timeout=10) as response:
        return json.load(response)


def run(root: Path, *words: str) -> str:
    done = subprocess.run(["chroot", str(root), *words], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


def expect(is_so: bool, what: str) -> None:
    if not is_so:
        raise SystemExit(f"not so: {what}")


if __name__ == "__main__":
    main()
