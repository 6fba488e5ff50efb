"""The web client: static files that a browser runs, and how they are served."""
