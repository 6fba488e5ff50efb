"""A laboratory for hidden information: the games of this project as other tools want them, without a server."""
