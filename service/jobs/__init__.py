"""How work reaches the workers: a queue that is fair to players, and RQ, which calls workers to it."""
