"""Models as one module of JavaScript."""
