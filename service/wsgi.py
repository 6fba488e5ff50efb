"""The WSGI app of a web process, by the settings in the environment; the process ends with the one that started it."""

import os

from service.api import logs
from service.config import Settings
from service.engine import die_with_parent
from service.wiring import wire

die_with_parent()
_settings = Settings.from_environment(os.environ)
logs.configure(_settings.log_level)
app = wire(_settings)
