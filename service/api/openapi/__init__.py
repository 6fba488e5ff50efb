"""The OpenAPI document and the pages that explain the interface."""

from service.api.openapi import service_pages

ALL = (service_pages,)
