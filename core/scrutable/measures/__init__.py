"""Figures of scores and outcomes: separation, stability, reliability, and the numerics that they need."""
