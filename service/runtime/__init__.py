"""How the service runs: the embedded Redis, processes, wiring, logs, metrics."""
