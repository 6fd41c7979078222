"""Rows of named columns: an answer of XSP, as Python values, Arrow, pandas or Polars."""
from __future__ import annotations

import datetime
import decimal
import functools
import re
from collections.abc import Sequence as SequenceBase
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Union, overload

from xsp._html import is_number, table_html, value_text
from xsp._optional import need

if TYPE_CHECKING:  # Needed by whoever asks for these, by nobody else.
    import pandas
    import polars
    import pyarrow

Row = Dict[str, Any]
_SHOWN_ROWS = 20
_INTEGERS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64}


@dataclass(frozen=True)
class Column:
    """A column: its unit (`ns`, `byte`, `flop`; empty: none or not known) and where its values come from."""

    name: str
    unit: str = ""
    provenance: str = ""


def _timestamp(value: str) -> datetime.datetime:
    # Before Python 3.11 fractions have six digits, and zones minutes.
    text = re.sub(r"\.(\d+)", lambda digits: "." + digits[1][:6].ljust(6, "0"), value)
    return datetime.datetime.fromisoformat(re.sub(r"([+-]\d\d)$", r"\1:00", text))


def _reader(sql_type: str) -> Callable[[Any], Any]:
    """Makes a value of JSON what its column's type says. Nested values and intervals stay text."""
    if sql_type.endswith("]"):
        return str
    if sql_type.startswith("TIMESTAMP"):
        return _timestamp
    if sql_type == "DATE":
        return datetime.date.fromisoformat
    if sql_type.endswith(("INT", "INTEGER")):
        return int
    if sql_type.startswith("DECIMAL"):
        return lambda value: decimal.Decimal(str(value))
    if sql_type in ("DOUBLE", "FLOAT"):
        return float
    if sql_type == "BOOLEAN":
        return bool
    return str


def _guessed_type(values: Iterable[Any]) -> str:
    """The type of a column whose query is not known, as DuckDB calls it."""
    kinds = {type(value) for value in values if value is not None}
    if not kinds or kinds == {str}:
        return "VARCHAR"
    if kinds == {bool}:
        return "BOOLEAN"
    if kinds == {int}:
        return "BIGINT"
    return "DOUBLE" if kinds <= {int, float} else "VARCHAR"


class Table(SequenceBase):  # type: ignore[type-arg]
    """Rows by position, each a dict by column. It does not change: what it returns are copies.

    len(table), table[0]["name"], table["name"] (a column) and `for row in table` work without further packages; `to_arrow()`, `to_pandas()` and
    `to_polars()` need the package that they name.
    """

    def __init__(self, rows: Sequence[Row], columns: Optional[Sequence[Column]] = None,
                 types: Optional[Callable[[], Dict[str, str]]] = None, title: str = "") -> None:
        self._rows = list(rows)
        self._columns = list(columns) if columns is not None else None
        self._find_types = types
        self.title = title

    @functools.cached_property
    def _types(self) -> Dict[str, str]:
        """The type of each column, as DuckDB calls it. Asked for where rows alone do not tell: it takes a query."""
        if self._find_types is not None:
            return self._find_types()
        names = [column.name for column in self._columns] if self._columns is not None else list(
            dict.fromkeys(name for row in self._rows for name in row))
        return {name: _guessed_type(row.get(name) for row in self._rows) for name in names}

    @property
    def columns(self) -> List[Column]:
        """The columns in their order, also of a table without rows."""
        if self._columns is None:
            names = list(self._rows[0]) if self._rows and self._find_types is not None else list(self._types)
            self._columns = [Column(name) for name in names]
        return list(self._columns)

    @property
    def rows(self) -> List[Row]:
        """The rows as XSP wrote them as JSON: no timestamps, no decimal numbers."""
        return [dict(row) for row in self._rows]

    def column(self, name: str) -> List[Any]:
        """The values of one column. Errors: KeyError."""
        if name not in {column.name for column in self.columns}:
            raise KeyError(f"no such column: {name} (there are {', '.join(one.name for one in self.columns)})")
        return [row.get(name) for row in self._rows]

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Table: ...
    @overload
    def __getitem__(self, index: str) -> List[Any]: ...
    def __getitem__(self, index: Union[int, slice, str]) -> Union[Row, Table, List[Any]]:
        if isinstance(index, str):
            return self.column(index)
        if isinstance(index, slice):
            return type(self)(self._rows[index], self._columns, self._find_types, self.title)
        return dict(self._rows[index])

    def __iter__(self) -> Iterator[Row]:
        return (dict(row) for row in self._rows)

    def _values(self) -> Dict[str, List[Any]]:
        made: Dict[str, List[Any]] = {}
        for name, sql_type in self._types.items():
            read = _reader(sql_type)
            made[name] = [None if row.get(name) is None else read(row[name]) for row in self._rows]
        return made

    def to_arrow(self) -> pyarrow.Table:
        """As a pyarrow.Table. Errors: NotPossibleError without pyarrow."""
        arrow = need("pyarrow", "a table of Arrow")

        def arrow_type(sql_type: str) -> Any:
            if sql_type.endswith("]"):
                return arrow.string()
            if sql_type in _INTEGERS:
                return getattr(arrow, f"int{_INTEGERS[sql_type]}")()
            if sql_type[:1] == "U" and sql_type[1:] in _INTEGERS:
                return getattr(arrow, f"uint{_INTEGERS[sql_type[1:]]}")()
            if sql_type in ("HUGEINT", "UHUGEINT"):
                return arrow.decimal256(39, 0)
            if sql_type.startswith("DECIMAL"):
                return arrow.decimal128(*(int(part) for part in re.findall(r"\d+", sql_type)))
            if sql_type == "TIMESTAMP WITH TIME ZONE":
                return arrow.timestamp("us", "UTC")
            named = {"DOUBLE": arrow.float64, "FLOAT": arrow.float32, "BOOLEAN": arrow.bool_, "DATE": arrow.date32}
            return arrow.timestamp("us") if sql_type.startswith("TIMESTAMP") else named.get(sql_type, arrow.string)()

        values = self._values()
        made = arrow.table({name: arrow.array(values[name], arrow_type(kind)) for name, kind in self._types.items()})
        marks = {column.name: {"unit": column.unit, "provenance": column.provenance} for column in self.columns
                 if column.unit or column.provenance}
        schema = arrow.schema([field.with_metadata(marks[field.name]) if field.name in marks else field
                               for field in made.schema])
        return made.cast(schema)

    def to_pandas(self) -> pandas.DataFrame:
        """As a pandas.DataFrame. Integers that may be missing stay integers. Errors: NotPossibleError without pandas."""
        frames = need("pandas", "a data frame of pandas")

        def series(values: List[Any], sql_type: str) -> Any:
            if sql_type in _INTEGERS or sql_type[1:] in _INTEGERS:
                unsigned = "U" if sql_type not in _INTEGERS else ""
                bits = _INTEGERS[sql_type[1:] if unsigned else sql_type]
                name = f"{unsigned}Int{bits}"
                return frames.Series(values, dtype=name if None in values else name.lower())
            if sql_type in ("DOUBLE", "FLOAT"):
                return frames.Series(values, dtype="float64" if sql_type == "DOUBLE" else "float32")
            if sql_type == "BOOLEAN":
                return frames.Series(values, dtype="boolean" if None in values else "bool")
            if sql_type.startswith("TIMESTAMP") and not sql_type.endswith("]"):
                return frames.to_datetime(frames.Series(values, dtype="object"), utc=True if "ZONE" in sql_type else None)
            return frames.Series(values, dtype="object")

        values = self._values()
        made: pandas.DataFrame = frames.DataFrame({name: series(values[name], kind) for name, kind in self._types.items()})
        made.attrs["units"] = {column.name: column.unit for column in self.columns if column.unit}
        return made

    def to_polars(self) -> polars.DataFrame:
        """As a polars.DataFrame. Errors: NotPossibleError without polars."""
        frames = need("polars", "a data frame of Polars")

        def polars_type(sql_type: str) -> Any:
            if sql_type.endswith("]"):
                return frames.String
            if sql_type in _INTEGERS:
                return getattr(frames, f"Int{_INTEGERS[sql_type]}")
            if sql_type[:1] == "U" and sql_type[1:] in _INTEGERS:
                return getattr(frames, f"UInt{_INTEGERS[sql_type[1:]]}")
            if sql_type in ("HUGEINT", "UHUGEINT"):
                return frames.Int128
            if sql_type.startswith("DECIMAL"):
                return frames.Decimal(*(int(part) for part in re.findall(r"\d+", sql_type)))
            if sql_type.startswith("TIMESTAMP"):
                return frames.Datetime("us", "UTC" if "ZONE" in sql_type else None)
            named = {"DOUBLE": frames.Float64, "FLOAT": frames.Float32, "BOOLEAN": frames.Boolean, "DATE": frames.Date}
            return named.get(sql_type, frames.String)

        schema = {name: polars_type(kind) for name, kind in self._types.items()}
        made: polars.DataFrame = frames.DataFrame(self._values(), schema=schema)
        return made

    def __repr__(self) -> str:
        """The first rows below the names of the columns and their units; numbers at the right."""
        shown = self._rows[:_SHOWN_ROWS]
        lines: List[List[str]] = []
        for column in self.columns:
            values = [row.get(column.name) for row in shown]
            cells = [column.name, column.unit if column.unit != "1" else "", *(_shortened(value_text(value)) for value in values)]
            width = max(map(len, cells))
            is_right = any(map(is_number, values))
            lines.append([cell.rjust(width) if is_right else cell.ljust(width) for cell in cells])
        text = ["  ".join(line).rstrip() for line in zip(*lines)]
        if len(text) > 1 and not text[1]:
            del text[1]
        if len(self) > _SHOWN_ROWS:
            text.append(f"... {len(self) - _SHOWN_ROWS:,} more rows")
        return "\n".join(text)

    def _repr_html_(self) -> str:
        return table_html([(column.name, column.unit) for column in self.columns], self._rows, self.title)


def _shortened(text: str) -> str:
    return text if len(text) <= 48 else text[:47] + "…"
