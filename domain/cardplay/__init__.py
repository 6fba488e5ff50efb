"""What card games share: cards, tricks, the places of unseen cards, and ranking."""
