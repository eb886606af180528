"""Parts of the benchmark of FairGBM."""
