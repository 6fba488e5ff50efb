"""Chaos: games are played while one component after the other fails; then every history is checked."""
