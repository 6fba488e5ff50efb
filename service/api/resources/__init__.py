"""The resources of the interface: one module a resource, with its endpoints and bodies."""
