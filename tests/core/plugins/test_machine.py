"""Libraries that pip cannot bring: every loader's message names what installs them."""

from __future__ import annotations

import pytest

from scrutable.errors import PluginError
from scrutable.plugins.machine import fonts_for, machine_libraries, missing_library

GOMP = "libgomp.so.1: cannot open shared object file: No such file or directory"
GOBJECT = (
    "cannot load library 'libgobject-2.0-0': libgobject-2.0-0: cannot open shared object file: No such file or "
    "directory.  Additionally, ctypes.util.find_library() did not manage to locate a library called 'libgobject-2.0-0'"
)
OF_PANGO = "apt-get install libpangoft2-1.0-0 libharfbuzz-subset0"


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(GOMP), r"got 'libgomp.so.1'. Fix: .*Debian or Ubuntu: apt-get install libgomp1\.$"),
        (ImportError(GOMP), "apt-get install libgomp1"),
        (ValueError(f"XGBoost Library could not be loaded.\nError message(s): ['{GOMP}']\n"), "install libgomp1"),
        (OSError(GOBJECT), rf"got 'libgobject-2.0-0'. Fix: .*{OF_PANGO}\.$"),
        (OSError("Error loading shared library libgomp.so.1: No such file or directory"), "apt-get install libgomp1"),
        (
            OSError("dlopen(/x/lib_lightgbm.dylib, 6): Library not loaded: @rpath/libpango-1.0.dylib"),
            rf"got 'libpango-1.0.dylib'.*{OF_PANGO}",
        ),
        (OSError("libnew.so.3: cannot open shared object file"), "got 'libnew.so.3'. Fix: install the package of your"),
    ],
)
def test_what_loaders_say_names_the_library_and_its_package(error: Exception, says: str) -> None:
    with (
        pytest.raises(PluginError, match=f"^learner 'x': a library of the machine is missing.*{says}"),
        machine_libraries("learner 'x'"),
    ):
        raise error


@pytest.mark.parametrize(
    "error",
    [
        OSError("/x/lib_lightgbm.so: cannot open shared object file: No such file or directory"),
        FileNotFoundError(2, "No such file or directory", "libgomp.so.1"),
        ImportError("cannot import name 'x' from 'y'"),
    ],
)
def test_other_errors_pass_as_they_are(error: Exception) -> None:
    assert missing_library(error) is None
    with pytest.raises(type(error)) as raised, machine_libraries("learner 'x'"):
        raise error
    assert raised.value is error


def test_what_led_to_an_error_counts_and_a_ring_of_errors_ends() -> None:
    outer, inner = RuntimeError("it failed"), OSError(GOMP)
    outer.__cause__, inner.__context__ = inner, outer
    found = missing_library(outer)
    assert found is not None
    assert found.got == "'libgomp.so.1'"


def test_fonts_are_named_by_letters() -> None:
    assert fonts_for("中") == ("fonts-wqy-zenhei",)
    assert fonts_for("Ω") == ("fonts-dejavu-core",)
