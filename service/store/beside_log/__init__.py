"""What the store keeps beside the log of a game: plans, phrases, questions to bots."""
