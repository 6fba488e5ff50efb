"""What a viewer gets of a game: views, scenes, sentences, recordings, without anything hidden from this viewer."""
