"""The service around the rules: REST API, event store on Redis Streams, embedded engine, command line."""
