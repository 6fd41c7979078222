"""The operation `xsp timeline`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class TimelineResult(TypedDict, total=False):
    #: Columns of equal length, by start: track, lane, start_ns (from from_ns on), duration_ns, spans (1: a
    #: single span), busy_ns (sum of their durations), span (id of the longest), name (its number in names)
    blocks: Dict[str, Any]
    #: Spans shorter than this are merged; a power of 2
    bucket_ns: int
    #: From the first start to the last end
    duration_ns: int
    from_ns: int
    #: Of the search: spans in the whole run, before (how many start before from_ns), rows
    hits: Dict[str, Any]
    #: Level and name, by their number in blocks
    names: List[Dict[str, Any]]
    #: Blocks beyond the bound of a document
    omitted: int
    #: First start of all spans on the run's clock; all other times count from it
    origin_ns: int
    #: The run's folder: of an experiment, that with the most spans
    run: str
    #: All runs with spans: name, spans
    runs: List[Dict[str, Any]]
    #: The span with parents, metrics, attributes, flows
    span: Dict[str, Any]
    #: Of the whole run
    spans: int
    #: Of the spans in the interval: spans, names (how many), rows (level, name, spans, duration_ns within it,
    #: longest_ns), the 50 with most time
    sums: Dict[str, Any]
    to_ns: int
    #: Those with spans: id, kind, name, device, stream, rank, lanes, spans
    tracks: List[Dict[str, Any]]


def timeline(
    run: Optional[Path] = None,
    *,
    from_ns: Optional[int] = None,
    hits: Optional[int] = None,
    parts: Optional[Union[Literal["tracks", "blocks", "sums", "none"], Sequence[Literal["tracks", "blocks", "sums", "none"]]]] = None,
    search: Optional[str] = None,
    span: Optional[int] = None,
    to_ns: Optional[int] = None,
    width: Optional[int] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> TimelineResult:
    """Shows an interval of a run's timeline: tracks, spans or blocks of short ones, sums.

    Reads the store and changes nothing.

    Args:
        run: A directory, a name in the store, or latest (default)
        from_ns: Start of the interval, from the first span of the run on (default: 0), ns
        hits: How many spans a search lists (default: 100)
        parts: What the document has: tracks with their lanes, blocks, sums by name (default: ["tracks", "blocks",
            "sums"])
        search: Also lists the spans whose name contains this text, from from_ns on
        span: Also shows this span: parents, metrics, what launched it or what it launched (default: 0)
        to_ns: End of the interval; 0: that of the run (default: 0), ns
        width: Pixels that the interval is drawn on: shorter spans are merged into blocks (default: 1000)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp timeline --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp timeline latest --from-ns 1000000 --to-ns 2000000
    """
    document = perform("timeline", {
        "run": run,
        "from_ns": from_ns,
        "hits": hits,
        "parts": listed(parts),
        "search": search,
        "span": span,
        "to_ns": to_ns,
        "width": width,
    }, store=store, progress=progress)
    return cast("TimelineResult", document)
