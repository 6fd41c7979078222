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


class StoreCompactResult(TypedDict, total=False):
    #: Of these, before
    bytes: int
    experiment: str
    #: How many of these take less room now
    rewritten: int
    saved_bytes: int
    #: Files of tables that were never compacted
    tables: int


class StoreCopyResult(TypedDict, total=False):
    #: was there: with the same data; nothing was written
    done: Literal["copied", "moved", "imported", "was there"]
    #: Its name where it came from
    experiment: str
    #: Its name where it is now: another, where it was taken
    name: str


class StoreExportResult(TypedDict, total=False):
    #: Of these files
    bytes: int
    experiments: List[str]
    file: str
    #: Of the experiments, in the archive
    files: int


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


class StoreImportResult(TypedDict, total=False):
    #: was there: with the same data; nothing was written
    done: Literal["copied", "moved", "imported", "was there"]
    #: Its name where it came from
    experiment: str
    #: Its name where it is now: another, where it was taken
    name: str


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


class StoreMoveResult(TypedDict, total=False):
    #: was there: with the same data; nothing was written
    done: Literal["copied", "moved", "imported", "was there"]
    #: Its name where it came from
    experiment: str
    #: Its name where it is now: another, where it was taken
    name: str


class StorePruneResult(TypedDict, total=False):
    backend: str
    created: str
    done: Literal["kept", "removed", "would be removed"]
    experiment: str
    model: str
    #: Why it is kept; empty: it is not
    why: str


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


def compact(
    name: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    all: Optional[bool] = None,
    backend: Optional[str] = None,
    machine: Optional[str] = None,
    model: Optional[str] = None,
    plan: Optional[bool] = None,
    since: Optional[str] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    text: Optional[str] = None,
    until: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[StoreCompactResult]:
    """Writes experiments' tables anew with stronger compression: same rows, less room.

    Changes the store or writes files; measures nothing.

    Args:
        name: Experiments of the store
        all: All experiments of the store (default: false)
        backend: Only backends whose name contains this
        machine: Only experiments that were measured on this machine, as `xsp points` names it
        model: Only experiments of this model
        plan: Show what would be written anew, and write nothing (default: false)
        since: Only experiments of this date or later: 2026-11-01 (UTC), 30d, 2w
        tag: Only experiments with this tag; may be repeated
        text: Only experiments with these words in name, model, backend, status or tags
        until: Only experiments of this date or earlier, likewise
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp store compact --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp store compact --until 30d
        xsp store compact --all --plan
    """
    document = perform("store/compact", {
        "name": listed(name),
        "all": all,
        "backend": backend,
        "machine": machine,
        "model": model,
        "plan": plan,
        "since": since,
        "tag": listed(tag),
        "text": text,
        "until": until,
    }, store=store, progress=progress)
    return cast("List[StoreCompactResult]", document)


def copy(
    to: Path,
    name: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    all: Optional[bool] = None,
    backend: Optional[str] = None,
    machine: Optional[str] = None,
    model: Optional[str] = None,
    since: Optional[str] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    text: Optional[str] = None,
    until: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[StoreCopyResult]:
    """Copies experiments to another store, each file checked.

    Changes the store or writes files; measures nothing.

    Args:
        to: The other store: a folder, which is made, or s3://BUCKET/PREFIX
        name: Experiments of the store
        all: All experiments of the store (default: false)
        backend: Only backends whose name contains this
        machine: Only experiments that were measured on this machine, as `xsp points` names it
        model: Only experiments of this model
        since: Only experiments of this date or later: 2026-11-01 (UTC), 30d, 2w
        tag: Only experiments with this tag; may be repeated
        text: Only experiments with these words in name, model, backend, status or tags
        until: Only experiments of this date or earlier, likewise
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp store copy --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp store copy resnet50-20260101-120000 --to /mnt/team/store
        xsp store copy --model resnet50 --to s3://bucket/team
    """
    document = perform("store/copy", {
        "to": to,
        "name": listed(name),
        "all": all,
        "backend": backend,
        "machine": machine,
        "model": model,
        "since": since,
        "tag": listed(tag),
        "text": text,
        "until": until,
    }, store=store, progress=progress)
    return cast("List[StoreCopyResult]", document)


def export(
    output: Path,
    name: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    all: Optional[bool] = None,
    backend: Optional[str] = None,
    machine: Optional[str] = None,
    model: Optional[str] = None,
    since: Optional[str] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    text: Optional[str] = None,
    until: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> StoreExportResult:
    """Writes experiments into one file, an archive with checksums.

    Changes the store or writes files; measures nothing.

    Args:
        output: The archive, a ZIP file
        name: Experiments of the store
        all: All experiments of the store (default: false)
        backend: Only backends whose name contains this
        machine: Only experiments that were measured on this machine, as `xsp points` names it
        model: Only experiments of this model
        since: Only experiments of this date or later: 2026-11-01 (UTC), 30d, 2w
        tag: Only experiments with this tag; may be repeated
        text: Only experiments with these words in name, model, backend, status or tags
        until: Only experiments of this date or earlier, likewise
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp store export --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp store export resnet50-20260101-120000 -o resnet50.zip
        xsp store export --tag paper=2026 -o paper.zip
    """
    document = perform("store/export", {
        "output": output,
        "name": listed(name),
        "all": all,
        "backend": backend,
        "machine": machine,
        "model": model,
        "since": since,
        "tag": listed(tag),
        "text": text,
        "until": until,
    }, store=store, progress=progress)
    return cast("StoreExportResult", document)


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


def import_(
    file: Path,
    *,
    only: Optional[Union[str, Sequence[str]]] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[StoreImportResult]:
    """Brings the experiments of an archive into the store, each file checked.

    Changes the store or writes files; measures nothing.

    Args:
        file: An archive of `xsp store export`
        only: Only these experiments of the archive
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp store import --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp store import resnet50.zip
    """
    document = perform("store/import", {
        "file": file,
        "only": listed(only),
    }, store=store, progress=progress)
    return cast("List[StoreImportResult]", document)


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


def move(
    to: Path,
    name: Optional[Union[Path, Sequence[Path]]] = None,
    *,
    all: Optional[bool] = None,
    backend: Optional[str] = None,
    machine: Optional[str] = None,
    model: Optional[str] = None,
    since: Optional[str] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    text: Optional[str] = None,
    until: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[StoreMoveResult]:
    """Moves experiments to another store: copies them, then removes them here.

    Changes the store or writes files; measures nothing.

    Args:
        to: The other store: a folder, which is made, or s3://BUCKET/PREFIX
        name: Experiments of the store
        all: All experiments of the store (default: false)
        backend: Only backends whose name contains this
        machine: Only experiments that were measured on this machine, as `xsp points` names it
        model: Only experiments of this model
        since: Only experiments of this date or later: 2026-11-01 (UTC), 30d, 2w
        tag: Only experiments with this tag; may be repeated
        text: Only experiments with these words in name, model, backend, status or tags
        until: Only experiments of this date or earlier, likewise
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp store move --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp store move --until 90d --to s3://bucket/archive
    """
    document = perform("store/move", {
        "to": to,
        "name": listed(name),
        "all": all,
        "backend": backend,
        "machine": machine,
        "model": model,
        "since": since,
        "tag": listed(tag),
        "text": text,
        "until": until,
    }, store=store, progress=progress)
    return cast("List[StoreMoveResult]", document)


def prune(
    *,
    backend: Optional[str] = None,
    keep_daily: Optional[int] = None,
    keep_last: Optional[int] = None,
    keep_monthly: Optional[int] = None,
    keep_since: Optional[str] = None,
    keep_tag: Optional[Union[str, Sequence[str]]] = None,
    keep_weekly: Optional[int] = None,
    machine: Optional[str] = None,
    model: Optional[str] = None,
    plan: Optional[bool] = None,
    since: Optional[str] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    text: Optional[str] = None,
    until: Optional[str] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> List[StorePruneResult]:
    """Removes experiments that are older than what is to be kept; never baselines.

    Changes the store or writes files; measures nothing.

    Args:
        backend: Only backends whose name contains this
        keep_daily: Keep the last of each of N days, likewise (default: 0)
        keep_last: Keep the last N of each model and backend (default: 0)
        keep_monthly: Keep the last of each of N months, likewise (default: 0)
        keep_since: Keep what is of this date or later: 2026-11-01 (UTC), 30d, 2w
        keep_tag: Keep what has this tag; may be repeated
        keep_weekly: Keep the last of each of N weeks, likewise (default: 0)
        machine: Only experiments that were measured on this machine, as `xsp points` names it
        model: Only experiments of this model
        plan: Show what would be removed, and remove nothing (default: false)
        since: Only experiments of this date or later: 2026-11-01 (UTC), 30d, 2w
        tag: Only experiments with this tag; may be repeated
        text: Only experiments with these words in name, model, backend, status or tags
        until: Only experiments of this date or earlier, likewise
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp store prune --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp store prune --keep-last 10 --keep-monthly 12 --keep-tag keep --plan
        xsp store prune --tag nightly --keep-since 30d
    """
    document = perform("store/prune", {
        "backend": backend,
        "keep_daily": keep_daily,
        "keep_last": keep_last,
        "keep_monthly": keep_monthly,
        "keep_since": keep_since,
        "keep_tag": listed(keep_tag),
        "keep_weekly": keep_weekly,
        "machine": machine,
        "model": model,
        "plan": plan,
        "since": since,
        "tag": listed(tag),
        "text": text,
        "until": until,
    }, store=store, progress=progress)
    return cast("List[StorePruneResult]", document)


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
