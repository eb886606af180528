"""What `benchmarks/reasons.py` measures."""
