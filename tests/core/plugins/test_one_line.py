"""Words for comments of exported files."""

from __future__ import annotations

from scrutable.plugins import one_line


def test_comments_stay_on_their_line() -> None:
    everything = "".join(map(chr, range(0x3000))) + "\ufeff\U000e0001"
    for start in range(0, len(everything), 100):
        cleaned = one_line(everything[start : start + 100])
        assert cleaned.isprintable()
        assert cleaned.isascii()
    assert one_line("x" * 500) == "x" * 117 + "..."
