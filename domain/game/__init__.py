"""A game around its rules: who sits where, whose time runs, what is proposed, and every event of its own."""
