"""Pictures of a position, for every game: SVG elements, faces of cards, and what surrounds a board."""
