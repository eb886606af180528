"""Applicants as they come: files and frames, columns, outcomes, weights, protected groups, dates."""
