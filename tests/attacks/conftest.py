"""The service in this process, as the tests of the API have it; attacks on processes start their own."""

from tests.attacks.raw_sockets import connect, service, store  # noqa: F401 - fixtures
from tests.service.api.conftest import (  # noqa: F401 - fixtures
    ada,
    bob,
    closing,
    contract,
    reading,
    sandbox,
    server,
    stranger,
    table,
)
