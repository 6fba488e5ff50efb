"""Games as the service keeps them: the one way in, the one way out, and what happens between."""
