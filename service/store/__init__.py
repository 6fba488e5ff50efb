"""What the service keeps in Redis about games: logs, lists, changes, deadlines, and the heartbeat."""
