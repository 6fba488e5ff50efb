"""How the service runs: settings, the embedded Redis, processes, wiring, logs, metrics."""
