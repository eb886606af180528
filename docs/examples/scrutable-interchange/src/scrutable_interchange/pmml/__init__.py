"""PMML 4.4: the element Scorecard, with reason codes."""
