"""A stored experiment: its tables, answers and findings."""
from __future__ import annotations

import functools
import os
import pathlib
from collections.abc import Sequence as SequenceBase
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union, overload

from xsp import operations
from xsp._comparison import Comparison
from xsp._errors import UsageError
from xsp._html import badges_html, escaped, sentence, sentences_html
from xsp._perform import Path
from xsp._table import Column, Table
from xsp.operations._report import ReportResult
from xsp.operations._show import ShowResult


class Answer(Table):
    """The answer of one analysis: rows, and what is missing to answer it fully."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        columns = [Column(one["name"], one.get("unit", ""), one.get("provenance", "")) for one in document["columns"]]
        super().__init__(document["rows"], columns, title=document.get("title", ""))
        self.id: str = document["analysis"]
        self.question: str = document.get("question", "")
        self.missing: List[Dict[str, Any]] = list(document["missing"])

    def __getitem__(self, index: Union[int, slice, str]) -> Any:
        return Table(self._rows, self._columns, title=self.title)[index]

    def _repr_html_(self) -> str:
        return super()._repr_html_() + sentences_html("Missing", [one.get("how", "") for one in self.missing])


class Finding:
    """One conclusion: its sentence, severity, evidence, and the gain of following it."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = dict(document)
        self.id: str = document["id"]
        self.title: str = document.get("title", "")
        self.sentence: str = document.get("sentence", "")
        self.severity: str = document.get("severity", "")
        self.confidence: Optional[float] = document.get("confidence")
        #: Low, expected and high, ns per call or step; None: not known.
        self.gain_ns: Optional[List[float]] = document.get("gain_ns")
        evidence = document.get("evidence") or {}
        columns = [Column(one["name"], one.get("unit", "")) for one in evidence.get("columns", [])]
        self.evidence = Table(evidence.get("rows", []), columns or None, title=str(evidence.get("analysis") or ""))

    def __repr__(self) -> str:
        return f"{self.id} ({self.severity}): {self.sentence}"

    def _repr_html_(self) -> str:
        return f"<p><b>{escaped(self.title or self.id)}</b> ({escaped(self.severity)})<br>{sentence(self.sentence)}</p>"


class Findings(SequenceBase):  # type: ignore[type-arg]
    """What stands out, the largest gain first; `abstained` has the rules that had nothing to say, and why."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._findings = [Finding(one) for one in document["findings"]]
        self.abstained = Table(document.get("abstained", []), [Column("id"), Column("reason")])

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> List[Finding]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Finding, List[Finding]]:
        return self._findings[index]

    def __len__(self) -> int:
        return len(self._findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings)

    def __repr__(self) -> str:
        return "\n".join(repr(one) for one in self._findings) or "no findings"

    def _repr_html_(self) -> str:
        return "".join(one._repr_html_() for one in self._findings) or "<p>no findings</p>"


class Experiment:
    """A stored experiment or run; `xsp.load()` opens one.

    Each property is read from the store when it is first used. Tables are those of docs/schema.md.
    """

    def __init__(self, path: Path, store: Optional[Path] = None, failures: Sequence[Mapping[str, Any]] = ()) -> None:
        self.store = store
        self.path = pathlib.Path(path).absolute() if pathlib.Path(path).exists() else pathlib.Path(path)
        #: What could not be measured, each with `what` and `hint`.
        self.failures = [dict(one) for one in failures]
        #: Of xsp.run() with `against`: the experiment of the other side, and this one compared with it.
        self.against: Optional[Experiment] = None
        self.comparison: Optional[Comparison] = None

    @property
    def name(self) -> str:
        """Its name in the store."""
        return self.path.name

    @functools.cached_property
    def document(self) -> ShowResult:
        """The document of `xsp show`: experiment.json or run.json, points, runs, diagnostics."""
        return operations.show(self.path, store=self.store)

    @property
    def info(self) -> Dict[str, Any]:
        """experiment.json (of a run: run.json): model, backend, command, stack, conditions."""
        return self.document.get("experiment") or self.document.get("run") or {}

    @property
    def status(self) -> str:
        """`done`, or `partial` where something failed."""
        return str(self.info.get("status", ""))

    @property
    def points(self) -> Table:
        """What was measured: a row for each model, backend, batch size and setting, with its latency."""
        return self.table("point")

    @property
    def runs(self) -> Table:
        """The executions that it rests on."""
        return self.table("run")

    @property
    def layers(self) -> Table:
        """The layers, by call: name, type, path in the model, latency, FLOPs, memory."""
        return self.table("layer")

    @property
    def kernels(self) -> Table:
        """The kernels, by call."""
        return self.table("kernel")

    @functools.cached_property
    def findings(self) -> Findings:
        """What stands out."""
        return Findings(operations.findings(self.path, store=self.store))

    def table(self, name: str) -> Table:
        """All rows of a table of docs/schema.md. Errors: BadInputError (there is none of this name)."""
        return self.query('SELECT * FROM "{}"'.format(name.replace('"', '""')), title=name)

    def query(self, sql: str, title: str = "") -> Table:
        """The rows of one SELECT (docs/schema.md): `.to_arrow()`, `.to_pandas()`, `.to_polars()`, or row by row.

        Errors: BadInputError.
        """
        rows = operations.query(sql, self.path, store=self.store)
        return Table(rows, types=functools.partial(self._types, sql), title=title)

    def _types(self, sql: str) -> Dict[str, str]:
        # A comment may end the statement.
        described = operations.query(f"SELECT column_name, column_type FROM (DESCRIBE {sql.strip().rstrip(';')}\n)", self.path,
                                     store=self.store)
        types: Dict[str, str] = {}
        for row in described:
            name, number = row["column_name"], 1
            while name in types:  # As the rows of `query` have it: "name_2".
                number += 1
                name = f"{row['column_name']}_{number}"
            types[name] = row["column_type"]
        return types

    def analyze(self, id: str, *, batch: Optional[int] = None, rows: int = 0) -> Answer:
        """Answers one question: A1 ... A15 or a name such as `steps` (docs/analyses.md). `rows`: at most so many.

        Errors: BadInputError (no such analysis), UsageError (`all`: see analyze_all).
        """
        document = operations.analyze(id, self.path, batch=batch, rows=rows, store=self.store)
        if isinstance(document, list):
            raise UsageError("analyze() answers one question", "analyze_all() answers all.")
        return Answer(document)

    def analyze_all(self, *, batch: Optional[int] = None, rows: int = 0) -> Dict[str, Answer]:
        """The answers to all questions that its data can answer, by id."""
        document = operations.analyze("all", self.path, batch=batch, rows=rows, store=self.store)
        answers = [Answer(one) for one in (document if isinstance(document, list) else [document])]
        return {one.id: one for one in answers}

    def compare(self, *others: Union[Experiment, Path]) -> Comparison:
        """Compares others with this one: see xsp.compare()."""
        return compare(self, *others)

    def report(self, output: Optional[Path] = None) -> pathlib.Path:
        """Writes one self-contained HTML page (default: report.html in the experiment); returns its path."""
        return pathlib.Path(operations.report(self.path, output=output, store=self.store)["report"])

    def summary(self) -> ReportResult:
        """The summary that `xsp report --text` prints: badges, findings, points, rungs."""
        return operations.report(self.path, text=True, store=self.store)

    def tag(self, **tags: str) -> None:
        """Sets tags; an empty text removes one."""
        operations.tag(self.name, [f"{key}={value}" for key, value in tags.items()],
                       store=self.path.parent if self.path.is_dir() else self.store)

    def __repr__(self) -> str:
        return f"<xsp.Experiment {self.name}: {self.info.get('model', '')} {self.status}>"

    def _repr_html_(self) -> str:
        summary = self.summary()
        columns = ["model", "backend", "batch", "device", "latency_ns", "latency_low_ns", "latency_high_ns", "items_per_s",
                   "peak_bytes", "status"]
        points = [row for row in summary.get("points", [])]
        table = Table(points, [Column(name) for name in columns if any(row.get(name) is not None for row in points)])
        return (f"<h4>{escaped(self.name)}</h4>" + badges_html(summary.get("badges", [])) + table._repr_html_()
                + sentences_html("Findings", summary.get("findings", [])))


def compare(base: Union[Experiment, Path], *others: Union[Experiment, Path], bound: Optional[str] = None,
            gate: Optional[Union[str, Sequence[str]]] = None, gate_noise: Optional[str] = None,
            output: Optional[Path] = None, store: Optional[Path] = None) -> Comparison:
    """Compares experiments, runs, points (`NAME#batch=8`) or files of a profiler with the first: which is faster, and where.

    Args:
        base: What the others are compared with.
        others: One or more.
        bound: The verdict is `equivalent` within this relative difference, such as "2%".
        gate: How much worse others may be, such as "latency=5%" (docs/gates.md); see Comparison.passed.
        gate_noise: The difference between runs that gates assume where it is not known.
        output: Also writes a page to this file.
        store: The store of names.

    Errors: UsageError (a side is neither an experiment nor a name), BadInputError.
    """
    for side in (base, *others):
        if not isinstance(side, (Experiment, str, os.PathLike)):
            raise UsageError(f"not an experiment, name or path: {side!r}", "xsp.compare(base, other, ...)")
    sides = [os.fspath(side.path) if isinstance(side, Experiment) else os.fspath(side) for side in (base, *others)]
    first = next((side.store for side in (base, *others) if isinstance(side, Experiment) and side.store is not None), None)
    return Comparison(operations.compare(sides, bound=bound, gate=gate, gate_noise=gate_noise, output=output,
                                         store=store if store is not None else first))
