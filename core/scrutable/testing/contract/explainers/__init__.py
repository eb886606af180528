"""Checks of explainers."""
