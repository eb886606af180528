"""Plugins: hooks, descriptors, the registry that finds them, and the base class of each kind."""
