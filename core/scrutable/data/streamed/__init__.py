"""Training rows that are not in memory: counted and coded batch by batch, with the results that rows in memory have."""
