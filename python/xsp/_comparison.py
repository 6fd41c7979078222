"""Two or more measurements side by side."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence

from xsp._html import escaped
from xsp._table import Column, Table

_FIRST_COLUMNS = ("path", "kind", "leaf", "a_ns", "b_ns", "difference_ns", "verdict")


def _columns_of(rows: Sequence[Mapping[str, Any]]) -> List[Column]:
    """What rows are of, what is known of them, and the rest."""
    there = dict.fromkeys(name for row in rows for name in row)
    names = [*(name for name in _FIRST_COLUMNS if name in there), *(name for name in there if name not in _FIRST_COLUMNS)]
    return [Column(name, "ns" if name.endswith("_ns") else "") for name in names]


class Comparison:
    """One side compared with the base; `pairs` has each of the others, where more than one were compared."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        #: As `xsp compare --format json` prints it.
        self.document = dict(document)
        several = document.get("pairs")
        self.pairs: List[Comparison] = [Comparison(one) for one in several] if several else [self]
        one: Mapping[str, Any] = several[0] if several else document
        sides = list(one.get("sides", []))
        #: Names of the base and of the (first) other side.
        self.a: str = sides[0]["name"] if sides else ""
        self.b: str = sides[-1]["name"] if sides else ""
        #: `faster`, `slower`, `no_difference`, `equivalent`, `inconclusive` or `unknown_noise`.
        self.verdict: str = one.get("verdict", "")
        #: Time of the other side divided by that of the base, with its 95 % interval; None: not known.
        self.ratio: Optional[float] = one.get("ratio")
        self.low: Optional[float] = one.get("low")
        self.high: Optional[float] = one.get("high")
        self.reason: str = one.get("reason") or ""
        #: Modules, operators and kernels of both, with their times and verdicts.
        self.rows = Table(one.get("rows", []), _columns_of(one.get("rows", [])), title=f"{self.a} and {self.b}")
        #: How far the results of one call agree, output by output, where both sides were measured at once.
        self.results = Table(one.get("results", []))
        #: What of the stacks differs.
        self.differences = Table((one.get("comparable") or {}).get("differences", []))
        self.gates: List[Dict[str, Any]] = [gate for part in (several or [document]) for gate in part.get("gates", [])]

    @property
    def passed(self) -> Optional[bool]:
        """Whether all gates are met; None: that is not known, or no gate was given."""
        outcomes = {gate["outcome"] for gate in self.gates}
        if "regression" in outcomes:
            return False
        return True if outcomes == {"pass"} else None

    def __repr__(self) -> str:
        return f"<xsp.Comparison {self.b} with {self.a}: {self.verdict}{self._ratio()}>"

    def _ratio(self) -> str:
        if self.ratio is None:
            return ""
        between = f" ({self.low:.4g} to {self.high:.4g})" if self.low is not None and self.high is not None else ""
        return f", {self.ratio:.4g} times the time{between}"

    def _repr_html_(self) -> str:
        return "".join(f"<p><b>{escaped(pair.b)} compared with {escaped(pair.a)}</b>: {escaped(pair.verdict)}"
                       f"{escaped(pair._ratio())}. {escaped(pair.reason)}</p>{pair.rows._repr_html_()}" for pair in self.pairs)
