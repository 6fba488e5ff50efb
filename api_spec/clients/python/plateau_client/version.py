"""The version of this package: that of the interface that it is written for."""

VERSION = "0.1.0"
