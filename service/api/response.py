"""The answer on its way out."""

from typing import TYPE_CHECKING

from flask import Response

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment
    from werkzeug.datastructures import Headers


class Reply(Response):
    """An answer whose headers are copied only where Werkzeug has something to change in them."""

    def get_wsgi_headers(self, environ: "WSGIEnvironment") -> "Headers":
        """Give the headers to send."""
        is_settled = self.status_code in (200, 201) and "Location" not in self.headers
        return self.headers if is_settled else super().get_wsgi_headers(environ)
