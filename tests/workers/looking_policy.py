"""A policy that looks around where it is."""

import os
import sys

import workers.bots.uniform  # noqa: F401 - it is among what is loaded
from workers.bots.policy import Thought


def around(_asked):
    """Return the loaded modules and the environment."""
    return Thought({"environment": sorted(os.environ), "modules": sorted(sys.modules)})
