"""What the documents share: templates, the style sheet, and the formats that follow from the page."""

from __future__ import annotations
