"""The plumbing of the interface: requests, responses, refusals, limits, compression, streams."""
