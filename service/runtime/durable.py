"""Files that are on the disk as a whole, or not at all."""

import os
from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Write a file in place of the one before; once this returns, it survives a power cut."""
    draft = path.with_name(f"{path.name}.new")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
