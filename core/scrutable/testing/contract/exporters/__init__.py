"""Checks of exporters, and of what runs elsewhere."""
