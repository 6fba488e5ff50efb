"""The REST interface: Flask, marshmallow and HTTP stop here."""

from flask import Flask

from service.api import accounts, errors, games, http, logs, operations, play, rulesets
from service.api.http import Services


def create_app(services: Services) -> Flask:
    """Make the WSGI app around the services."""
    app = Flask(__name__, static_folder=None)
    app.extensions["plateau"] = services
    app.config["MAX_CONTENT_LENGTH"] = http.MOST_BYTES + 1  # a body of unknown length is cut there, and noticed
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    logs.register(app)
    http.register(app)
    errors.register(app)
    for module in (accounts, rulesets, games, play, operations):
        app.register_blueprint(module.blueprint)
    return app
