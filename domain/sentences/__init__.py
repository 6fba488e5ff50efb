"""What happened, as sentences: messages with typed parameters, and catalogues that put them into a language."""
