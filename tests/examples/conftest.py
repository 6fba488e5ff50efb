"""Two packages with rulesets, installed, and a service that has them; both are made once in a test process."""

from collections.abc import Iterator

import pytest

from tests.examples.packages import install
from tests.support.server import RunningService, running_service


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The packages, installed in a folder that only selected processes use."""
    return install(tmp_path_factory.mktemp("installed"), tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="session")
def extended(installed: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service that has the packages."""
    environ = {"PLATEAU_WORKERS": "1", "PYTHONPATH": installed}
    with running_service(tmp_path_factory.mktemp("service"), environ) as running:
        yield running
