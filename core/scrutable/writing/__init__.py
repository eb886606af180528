"""Texts and files: written whole or not at all, and steering nothing that shows them."""
