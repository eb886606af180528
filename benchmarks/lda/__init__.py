"""Parts of the benchmark of LDA-XGB1."""
