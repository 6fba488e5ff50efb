"""The version of this package: that of its interface."""

VERSION = "0.1.0"
