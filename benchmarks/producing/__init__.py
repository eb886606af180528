"""Parts of the benchmark of what comes after the export."""
