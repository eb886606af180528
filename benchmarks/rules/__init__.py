"""Parts of the benchmark of RUG and FairRUG."""
