"""What card games share: cards, tricks, and where unseen cards can lie."""
