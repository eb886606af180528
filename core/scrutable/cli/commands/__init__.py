"""The commands, one module each: their options, and what they print and write."""
