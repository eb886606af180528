"""Counterfactuals of target models, exact."""
