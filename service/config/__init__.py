"""The settings of the service: their names, kinds, bounds and texts."""
