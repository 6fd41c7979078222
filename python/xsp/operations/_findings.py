"""The operation `xsp findings`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union, cast

from xsp._perform import Path, perform, Progress


class FindingsResultAbstained(TypedDict, total=False):
    id: str
    reason: str


class FindingsResultFindingsEvidence(TypedDict, total=False):
    analysis: str
    columns: List[Dict[str, Any]]
    rows: List[Dict[str, Any]]
    sql: str


class FindingsResultFindingsGainOverlaps(TypedDict, total=False):
    id: str
    ns: float


class FindingsResultFindingsGain(TypedDict, total=False):
    #: Gains that add up claim different time: their sum is at most whole_ns
    adds_up: bool
    #: The gain if no other finding held
    alone_ns: List[float]
    method: str
    #: Time that other findings claim, too, and have
    overlaps: List[FindingsResultFindingsGainOverlaps]
    source: str
    text: str
    #: What the gain is a part of
    whole: Literal["call", "step", "recording", "program"]
    whole_ns: float


class FindingsResultFindings(TypedDict, total=False):
    confidence: float
    evidence: FindingsResultFindingsEvidence
    gain: Union[FindingsResultFindingsGain, None]
    #: Low, expected and high gain, ns per call or step (gain.whole); null: not known
    gain_ns: Union[List[float], None]
    #: Expected gain divided by gain.whole_ns
    gain_share: Union[float, None]
    id: str
    refuted_by: str
    #: Section of the report
    see: str
    sentence: str
    severity: Literal["info", "notice", "warning"]
    threshold: List[Dict[str, Any]]
    title: str


class FindingsResult(TypedDict, total=False):
    abstained: List[FindingsResultAbstained]
    findings: List[FindingsResultFindings]
    run: str


def findings(
    run: Optional[Path] = None,
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> FindingsResult:
    """Lists what stands out in an experiment, with evidence.

    Reads the store and changes nothing.

    Args:
        run: A directory, a name in the store, or latest (default)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp findings --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp findings latest --format json
    """
    document = perform("findings", {
        "run": run,
    }, store=store, progress=progress)
    return cast("FindingsResult", document)
