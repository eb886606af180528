"""Models as one class of Java."""
