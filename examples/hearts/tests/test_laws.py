"""Hearts keeps the laws of every ruleset."""

import pytest
from facts import FACTS
from hearts import RULESET

from domain.laws import cases


@pytest.mark.parametrize("case", cases(RULESET, FACTS), ids=str)
def test_hearts_keeps_the_laws(case):
    case.check()
