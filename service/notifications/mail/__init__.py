"""Mails to players: how they are written and sent."""
