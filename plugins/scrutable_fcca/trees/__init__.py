"""Optimal trees of binary features."""
