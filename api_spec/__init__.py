"""The public form of the interface: OpenAPI and JSON Schemas, generated from the code and kept beside it."""
