"""Commands of the archive, and sign-off."""
