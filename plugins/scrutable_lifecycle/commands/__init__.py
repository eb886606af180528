"""The commands of the lifecycle, and what they print and write."""
