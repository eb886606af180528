"""Small plain files: what is read without pandas is what pandas reads, without a word."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from scrutable.data.frames import Table, as_table, read_file
from scrutable.data.frames.plain_csv import LARGEST, read_plain

WHOLE = ["0", "-0", "1", "41", "-7", "007", "00", "+4", "1_0", "123456789012345", "1234567890123456789", "5 ", " 5"]
FRACTIONS = ["-0.0", "3.5", "0.125", "1.234", "12.3456", "1e5", ".5", "5.", "0.1234567890123456", "36.9%", "$5"]
NOTHING = ["", "NA", "nan", "NaN", "None", "null", "n/a", "?", "true", "False", "inf", "-inf", "Infinity", "TRUE"]
WORDS = ["cook", "clerk ", " baker", "größe", "x", "to be", "not known", "it's", 'say "so"', "€", "other"]
CELLS = [*WHOLE, *FRACTIONS, *NOTHING, *WORDS, "A-17", "b2", "2020-01-31"]
NAMES = ["age", "job", "x1", "größe", "2020", "cook", " loan id", "41", "-", "age"]


@st.composite
def files(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A file, most of whose columns are of one form, and its columns."""
    width = draw(st.integers(1, 4))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=width, max_size=width))
    height = draw(st.integers(0, 7))
    forms = [draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=3)) for _ in names]
    rows = [[draw(st.sampled_from(form)) for form in forms] for _ in range(height)]
    end = draw(st.sampled_from(["\n", "\r\n"]))
    last = draw(st.sampled_from([end, "", end + end]))
    return end.join(",".join(row) for row in [names, *rows]) + last, [name.strip() for name in names]


@given(file=files(), told=st.integers(0, 2**16))
@example(file=("age,job\n1,cook\n", ["age", "job"]), told=0)
@example(file=("age,job\n1.5,cook\n,clerk\n", ["age", "job"]), told=1)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_plain_is_read_as_pandas_reads_it(file: tuple[str, list[str]], told: int, tmp_path: Path) -> None:
    content, names = file
    path = tmp_path / "rows.csv"
    path.write_bytes(content.encode())
    text = {name for place, name in enumerate(names) if told >> 2 * place & 3 == 1}
    numbers = {name for place, name in enumerate(names) if told >> 2 * place & 3 == 2} - text
    plain = read_plain(path, text=text, numbers=numbers)
    if plain is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = as_table(read_file(path, text=text, numbers=numbers, silent=text))
    assert same(plain, frame)


def same(one: Table, other: Table) -> bool:
    assert (one.names, one.n_rows) == (other.names, other.n_rows)
    for name in one.names:
        mine, theirs = one.column(name), other.column(name)
        assert (mine.name, mine.kind, mine.nominal) == (theirs.name, theirs.kind, theirs.nominal)
        if mine.kind == "numeric":
            np.testing.assert_array_equal(mine.values.view(np.int64), theirs.values.view(np.int64))
        else:
            assert mine.values.tolist() == theirs.values.tolist()
            assert mine.kind == "empty" or mine.coded.levels.tolist() == theirs.coded.levels.tolist()
    return True


PLAIN = "age,job,income\n41,cook,1500.5\n17,,\n-3,clerk of court,0\n"


@pytest.mark.parametrize("content", [PLAIN, PLAIN.replace("\n", "\r\n"), "\ufeff" + PLAIN, PLAIN[:-1]])
def test_plain_files_are_read_without_pandas(content: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(content.encode())
    code = (
        "import sys\nfrom pathlib import Path\nfrom scrutable.data.frames.plain_csv import read_plain\n"
        f"table = read_plain(Path({str(path)!r}), text=(), numbers=())\n"
        "print(*table, sorted({'pandas', 'narwhals', 'pyarrow'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "age job income []\n"


@pytest.mark.parametrize(
    "content",
    [
        "age,job\n07,cook\n",
        "age,job\n1.234,cook\n",
        "age,job\n12%,cook\n",
        "age,job\n1,2020-01-31\n",
        "age,job\n1,true\n",
        'age,job\n1,"cook"\n',
        "age;job\n1;cook\n",
        "age,job\n1\n",
        "age,job\n\n1,cook\n",
        "age,age\n1,2\n",
        "age,\n1,2\n",
        "41,cook\n1,clerk\n",
        "age,cook\n1,cook\n",
        "age\n1\n",
        "age,job\n",
        "age,job\n1,?\n",
        "",
    ],
)
def test_what_is_to_be_mended_or_told_of_is_not_plain(content: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(content)
    assert read_plain(path, text=(), numbers=()) is None


def test_words_where_numbers_are_told_and_large_or_missing_files_are_not_plain(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(PLAIN)
    assert read_plain(path, text=(), numbers={"job"}) is None
    path.write_text(PLAIN + "1,cook,2\n" * (LARGEST // 8))
    assert read_plain(path, text=(), numbers=()) is None
    assert read_plain(tmp_path / "gone.csv", text=(), numbers=()) is None
    assert read_plain(tmp_path, text=(), numbers=()) is None
    path.write_bytes(PLAIN.encode() + b"1,\xff,2\n")
    assert read_plain(path, text=(), numbers=()) is None
