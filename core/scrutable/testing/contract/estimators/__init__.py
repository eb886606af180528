"""Checks of binners and learners."""
