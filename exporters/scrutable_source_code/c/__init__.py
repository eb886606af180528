"""Models as one file of C11."""
