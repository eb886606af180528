"""Rows where they live: their making, and what is timed of them."""
