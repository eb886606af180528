"""Thresholds from counterfactuals, and the other ways to them."""
