"""Invitations: links and offers of seats, how players join, and rematches."""
