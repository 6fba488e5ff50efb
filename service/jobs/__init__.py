"""How work reaches the workers: a line that is fair to players, and RQ, which calls workers to the line."""
