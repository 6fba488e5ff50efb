"""The WSGI app of a web process, built from the settings in the environment."""

import gc
import os

from service.config.settings import Settings
from service.runtime import logs
from service.runtime.wiring import wire_when_up

_settings = Settings.from_environment(os.environ)
logs.configure(_settings.log_level, _settings.log_format)
logs.begin_traces(os.environ)
app = wire_when_up(_settings)

gc.freeze()  # modules stay loaded
