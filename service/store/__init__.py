"""The data of games in Redis: logs, lists, changes, deadlines, and the heartbeat."""
