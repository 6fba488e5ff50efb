"""Whether a process makes traces, by the variables in its environment that OpenTelemetry reads."""

from collections.abc import Mapping

from service.common import tracing
from service.config.setting_fields import InvalidSettings


def check(environ: Mapping[str, str]) -> None:
    """Raise ``InvalidSettings`` if traces are asked for that cannot be made."""
    try:
        tracing.exporter_for(environ)
    except tracing.TracingUnavailable as error:
        raise InvalidSettings(str(error)) from error


def begin(environ: Mapping[str, str]) -> None:
    """Make traces from now on, if they are asked for; raise ``InvalidSettings`` if they cannot be made."""
    check(environ)
    tracing.begin(environ)
