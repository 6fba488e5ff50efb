"""Show the values in the laws' failed assertions."""

import pytest

pytest.register_assert_rewrite("domain.laws")
