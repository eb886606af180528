"""Parts of the benchmark of the exporters."""
