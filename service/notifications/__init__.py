"""Notifications: notices of the inbox, delivered outside of the service by mail, push and webhook."""
