"""Connections to Redis or Valkey: a server, a cluster, Sentinels, replicas, and what the service needs of them."""
