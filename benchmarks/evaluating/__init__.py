"""What the benchmark of evaluation runs."""
