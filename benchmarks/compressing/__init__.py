"""Parts of the benchmark of FCCA."""
