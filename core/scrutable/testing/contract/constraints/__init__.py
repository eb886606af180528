"""Checks of fairness constraints."""
