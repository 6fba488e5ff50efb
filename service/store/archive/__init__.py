"""Logs of finished games as objects in a bucket or folder."""
