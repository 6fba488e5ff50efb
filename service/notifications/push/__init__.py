"""Push messages to players' browsers and devices (RFC 8030, 8291 and 8292)."""
