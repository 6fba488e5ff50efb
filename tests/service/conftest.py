"""What several tests of the service start from."""

from pathlib import Path

import pytest


@pytest.fixture
def archive_folder(tmp_path: Path) -> Path:
    """An empty folder for an archive."""
    path = tmp_path / "archive"
    path.mkdir()
    return path
