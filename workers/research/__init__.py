"""A laboratory for hidden information: games without a server, data sets, and adapters for libraries of research."""
