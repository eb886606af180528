"""Commands of what is deployed, and what they print and write."""
