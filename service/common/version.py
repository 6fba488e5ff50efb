"""The version of this software."""

from importlib.metadata import version

VERSION = version("plateau-server")
