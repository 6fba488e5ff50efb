"""What a viewer gets of a game: views, scenes, sentences, recordings. Everything hidden is removed here."""
