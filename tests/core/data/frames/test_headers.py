"""Files without a header are remarked upon, and files with odd but real headers are not."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scrutable.data.datasets import load_german_credit, make_credit
from scrutable.data.frames import read_file
from scrutable.data.frames.headers import NoHeaderWarning
from scrutable.errors import InputError

RNG = np.random.default_rng(0)


def write(folder: Path, frame: pd.DataFrame, *, header: bool) -> Path:
    path = folder / "f.csv"
    frame.to_csv(path, index=False, header=header)
    return path


FRAMES = {
    "texts and whole numbers": pd.DataFrame({"job": ["cook", "clerk"] * 20, "children": [0, 1, 2, 3] * 10}),
    "fractions": pd.DataFrame(RNG.normal(size=(20, 3)), columns=["a", "b", "c"]),
    "large numbers": pd.DataFrame({"income": RNG.permutation(90_000)[:50], "age": RNG.permutation(90)[:50]}),
    "truth values and texts": pd.DataFrame({"owner": [True, False] * 9, "sex": ["f", "m"] * 9, "id": range(18)}),
    "applicants": make_credit(300, seed=1).frame.drop(columns="region"),
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_file_without_a_header_is_remarked_upon_and_the_same_with_one_is_not(name: str, tmp_path: Path) -> None:
    frame = FRAMES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        named = read_file(write(tmp_path, frame, header=True))
    assert len(named) == len(frame)
    with pytest.warns(NoHeaderWarning, match=r"no header.*Fix: put a line with the columns' names above it"):
        assert len(read_file(write(tmp_path, frame, header=False))) == len(frame) - 1


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(RNG.integers(0, 9, (40, 8))),
        pd.DataFrame(RNG.integers(0, 9, (40, 8)))[[0, 3, 7]] + 10,
        pd.DataFrame(RNG.normal(size=(9, 3)), columns=[2019, 2020, 2021]),
        pd.DataFrame({"2019": [1.5, 2.5], "none": ["none", "some"], "age": [18, 40]}),
        pd.DataFrame({"1": [1, 2]}),
        pd.DataFrame(RNG.integers(2015, 2030, (40, 3)), columns=[2021, 2020, 2019]),
        pd.DataFrame(RNG.normal(size=(9, 3)), columns=[2020, 2010, 2000]),
        pd.DataFrame(RNG.normal(size=(9, 3)), columns=[0.5, 1.0, 1.5]),
        pd.DataFrame(RNG.normal(size=(9, 4)), columns=["name", 0.1, 0.5, 0.9]),
        pd.DataFrame(RNG.normal(size=(9, 4)), columns=["id", 400.5, 401.0, 401.5]),
    ],
    ids=[
        "array",
        "columns of an array",
        "years",
        "a name among its values",
        "one column",
        "falling years that are values",
        "falling years",
        "rising fractions",
        "shares",
        "wavelengths",
    ],
)
def test_numbers_can_be_names(frame: pd.DataFrame, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(read_file(write(tmp_path, frame, header=True))) == [str(name) for name in frame]


def test_repeated_and_empty_names_may_be_values(tmp_path: Path) -> None:
    path = write(tmp_path, load_german_credit().frame, header=False)
    with pytest.raises(InputError, match=r"duplicate column names: '4'.*if the first line of the file is a row"):
        read_file(path)
    path.write_text("41,,clerk\n30,2,cook\n")
    with pytest.raises(InputError, match=r"column 2 has no name.*if the first line of the file is a row of data"):
        read_file(path)
