"""The service around the rules: REST API, event store on Redis Streams, embedded engine, command line."""

import gc

# Loading modules makes no garbage, a request makes hundreds of objects without cycles, and the cached games are many.
gc.set_threshold(50_000, 20)
