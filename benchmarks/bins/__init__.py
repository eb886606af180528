"""Parts of the benchmark of binners."""
