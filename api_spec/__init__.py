"""The published interface: OpenAPI and JSON Schemas, generated from the code."""
