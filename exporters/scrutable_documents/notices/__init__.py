"""Adverse-action notices: a letter to each declined applicant."""

from __future__ import annotations
