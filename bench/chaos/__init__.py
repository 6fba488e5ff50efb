"""Chaos: games are played while one thing after the other fails; then every history is checked."""
