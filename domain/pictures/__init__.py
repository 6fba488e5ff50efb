"""Pictures of a position, for every game: elements of SVG, faces of cards, and what stands around a board."""
