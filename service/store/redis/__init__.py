"""Connections to Redis or Valkey: a server, a cluster, Sentinels, replicas, and the rights that are needed."""
