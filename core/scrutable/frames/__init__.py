"""Reading of frames and files into columns of doubles and of texts."""

from scrutable.frames.column import Column, Kind
from scrutable.frames.convert import as_table
from scrutable.frames.files import read_file, read_header
from scrutable.frames.headers import NoHeaderWarning
from scrutable.frames.leading_zeros import LeadingZerosWarning
from scrutable.frames.lookalikes import NumbersAsTextWarning
from scrutable.frames.numerals import MixedDecimalsWarning
from scrutable.frames.reading import DateOrder, Decimal
from scrutable.frames.table import Table, select

__all__ = [
    "Column",
    "DateOrder",
    "Decimal",
    "Kind",
    "LeadingZerosWarning",
    "MixedDecimalsWarning",
    "NoHeaderWarning",
    "NumbersAsTextWarning",
    "Table",
    "as_table",
    "read_file",
    "read_header",
    "select",
]
