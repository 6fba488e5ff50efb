"""Backups: what a store keeps that cannot be worked out again, as files that any release and engine can read."""
