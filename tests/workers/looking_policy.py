"""A policy that looks around where it is."""

import os
import sys

import workers.bots.uniform  # noqa: F401 - it is among what is loaded


def around(_view, _rng):
    """Return the loaded modules and the environment."""
    return {"environment": sorted(os.environ), "modules": sorted(sys.modules)}
