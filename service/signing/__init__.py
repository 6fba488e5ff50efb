"""What the service signs: statements that it cannot deny later, and the keys that it signs them with."""
