"""The operations `xsp store ...`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import List, Literal, Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class StoreCheckResultProblems(TypedDict, total=False):
    #: Experiment, EXPERIMENT/RUN or baseline
    name: str
    problem: str
    repaired: bool


class StoreCheckResult(TypedDict, total=False):
    problems: List[StoreCheckResultProblems]


class StoreFindingsResultRulesGain(TypedDict, total=False):
    """null: no gain is known."""
    #: Whose gain is known
    experiments: int
    largest_experiment: str
    #: Expected gain divided by its whole: as gain_share of a row
    largest_share: float
    median_share: float
    #: Sum of the expected gains of one call or step of each experiment
    total_ns: float
    #: Sum of the expected gains of whole recordings and programs
    total_once_ns: float


class StoreFindingsResultRulesRowsGain(TypedDict, total=False):
    #: What the gain is a part of
    whole: Literal["call", "step", "recording", "program"]
    whole_ns: float


class StoreFindingsResultRulesRows(TypedDict, total=False):
    backend: str
    created: str
    experiment: str
    gain: Union[StoreFindingsResultRulesRowsGain, None]
    #: Low, expected and high gain; null: not known
    gain_ns: Union[List[float], None]
    #: Expected gain divided by gain.whole_ns
    gain_share: Union[float, None]
    model: str
    point: str
    #: The point that the finding is about; 0: there is none
    point_id: int
    sentence: str


class StoreFindingsResultRules(TypedDict, total=False):
    #: Experiments about which the rule says nothing, as they lack data
    abstained: int
    #: That have the finding
    experiments: int
    #: null: no gain is known
    gain: Union[StoreFindingsResultRulesGain, None]
    id: str
    #: Of the experiments that have it
    models: List[str]
    #: Experiments, the largest gain first
    rows: List[StoreFindingsResultRulesRows]
    #: Section of an experiment's report
    see: str
    severity: Literal["info", "notice", "warning"]
    title: str


class StoreFindingsResultUnreadable(TypedDict, total=False):
    experiment: str
    reason: str


class StoreFindingsResult(TypedDict, total=False):
    #: That fit the request
    experiments: int
    #: Of them, whose findings are in this document
    known: int
    #: Of them, not evaluated yet: store/findings evaluates them
    not_known: int
    #: Those that at least one experiment has, the most frequent first
    rules: List[StoreFindingsResultRules]
    unreadable: List[StoreFindingsResultUnreadable]


class StoreKnownResultRulesGain(TypedDict, total=False):
    """null: no gain is known."""
    #: Whose gain is known
    experiments: int
    largest_experiment: str
    #: Expected gain divided by its whole: as gain_share of a row
    largest_share: float
    median_share: float
    #: Sum of the expected gains of one call or step of each experiment
    total_ns: float
    #: Sum of the expected gains of whole recordings and programs
    total_once_ns: float


class StoreKnownResultRulesRowsGain(TypedDict, total=False):
    #: What the gain is a part of
    whole: Literal["call", "step", "recording", "program"]
    whole_ns: float


class StoreKnownResultRulesRows(TypedDict, total=False):
    backend: str
    created: str
    experiment: str
    gain: Union[StoreKnownResultRulesRowsGain, None]
    #: Low, expected and high gain; null: not known
    gain_ns: Union[List[float], None]
    #: Expected gain divided by gain.whole_ns
    gain_share: Union[float, None]
    model: str
    point: str
    #: The point that the finding is about; 0: there is none
    point_id: int
    sentence: str


class StoreKnownResultRules(TypedDict, total=False):
    #: Experiments about which the rule says nothing, as they lack data
    abstained: int
    #: That have the finding
    experiments: int
    #: null: no gain is known
    gain: Union[StoreKnownResultRulesGain, None]
    id: str
    #: Of the experiments that have it
    models: List[str]
    #: Experiments, the largest gain first
    rows: List[StoreKnownResultRulesRows]
    #: Section of an experiment's report
    see: str
    severity: Literal["info", "notice", "warning"]
    title: str


class StoreKnownResultUnreadable(TypedDict, total=False):
    experiment: str
    reason: str


class StoreKnownResult(TypedDict, total=False):
    #: That fit the request
    experiments: int
    #: Of them, whose findings are in this document
    known: int
    #: Of them, not evaluated yet: store/findings evaluates them
    not_known: int
    #: Those that at least one experiment has, the most frequent first
    rules: List[StoreKnownResultRules]
    unreadable: List[StoreKnownResultUnreadable]


class StorePushResult(TypedDict, total=False):
    #: Those that were published now
    experiments: List[str]
    #: The address of the store
    store: str


def check(
    *,
    data: Optional[bool] = None,
    repair: Optional[bool] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> StoreCheckResult:
    """Finds damaged experiments, lost objects and what killed writers left.

    Changes the store or writes files; measures nothing.

    Args:
        data: Decode every value of every table; from object storage all is fetched (default: false)
        repair: Remove what killed writers left; experiments are never removed (default: false)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp store check --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp store check --repair
    """
    document = perform("store/check", {
        "data": data,
        "repair": repair,
    }, store=store, progress=progress)
    return cast("StoreCheckResult", document)


def findings(
    *,
    backend: Optional[str] = None,
    machine: Optional[str] = None,
    model: Optional[str] = None,
    offset: Optional[int] = None,
    rows: Optional[int] = None,
    rule: Optional[Union[str, Sequence[str]]] = None,
    severity: Optional[Union[Literal["info", "notice", "warning"], Sequence[Literal["info", "notice", "warning"]]]] = None,
    since: Optional[str] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    text: Optional[str] = None,
    until: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> StoreFindingsResult:
    """Lists which findings the experiments of the store have, and evaluates new ones.

    Reads the store and changes nothing.

    Args:
        backend: Only backends whose name contains this
        machine: Only experiments that were measured on this machine, as `xsp points` names it
        model: Only experiments of this model
        offset: Leave out this many experiments of each rule first (default: 0)
        rows: Show at most this many experiments of each rule (default: 50 with rule, else 0)
        rule: Only these rules, with their experiments
        severity: Only rules of these severities
        since: Only experiments of this date or later: 2026-11-01 (UTC), 30d, 2w
        tag: Only experiments with this tag; may be repeated
        text: Only experiments with these words in name, model, backend, status or tags
        until: Only experiments of this date or earlier, likewise
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp store findings --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp store findings --severity warning
        xsp store findings --model resnet50 --rule idle_cores
    """
    document = perform("store/findings", {
        "backend": backend,
        "machine": machine,
        "model": model,
        "offset": offset,
        "rows": rows,
        "rule": listed(rule),
        "severity": listed(severity),
        "since": since,
        "tag": listed(tag),
        "text": text,
        "until": until,
    }, store=store, progress=progress)
    return cast("StoreFindingsResult", document)


def known(
    *,
    backend: Optional[str] = None,
    machine: Optional[str] = None,
    model: Optional[str] = None,
    offset: Optional[int] = None,
    rows: Optional[int] = None,
    rule: Optional[Union[str, Sequence[str]]] = None,
    severity: Optional[Union[Literal["info", "notice", "warning"], Sequence[Literal["info", "notice", "warning"]]]] = None,
    since: Optional[str] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    text: Optional[str] = None,
    until: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> StoreKnownResult:
    """Lists the findings of the store as far as they are known, at once.

    Reads the store and changes nothing.

    Args:
        backend: Only backends whose name contains this
        machine: Only experiments that were measured on this machine, as `xsp points` names it
        model: Only experiments of this model
        offset: Leave out this many experiments of each rule first (default: 0)
        rows: Show at most this many experiments of each rule (default: 50 with rule, else 0)
        rule: Only these rules, with their experiments
        severity: Only rules of these severities
        since: Only experiments of this date or later: 2026-11-01 (UTC), 30d, 2w
        tag: Only experiments with this tag; may be repeated
        text: Only experiments with these words in name, model, backend, status or tags
        until: Only experiments of this date or earlier, likewise
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp store known --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp store known --severity warning
    """
    document = perform("store/known", {
        "backend": backend,
        "machine": machine,
        "model": model,
        "offset": offset,
        "rows": rows,
        "rule": listed(rule),
        "severity": listed(severity),
        "since": since,
        "tag": listed(tag),
        "text": text,
        "until": until,
    }, store=store, progress=progress)
    return cast("StoreKnownResult", document)


def push(
    *,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> StorePushResult:
    """Publishes what a store in object storage has not got yet, after a lost connection.

    Changes the store or writes files; measures nothing.

    Args:
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp store push --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp store push
    """
    document = perform("store/push", {
    }, store=store, progress=progress)
    return cast("StorePushResult", document)
