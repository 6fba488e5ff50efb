"""A laboratory for hidden information: the games of this project for other tools, without a server."""
