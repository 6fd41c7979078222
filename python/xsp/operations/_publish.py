"""The operation `xsp publish`."""
# tools/generate_python writes this file.
from __future__ import annotations

from typing import Optional, Sequence, TypedDict, Union, cast

from xsp._perform import listed, Path, perform, Progress


class PublishResult(TypedDict, total=False):
    #: Experiments that were written
    changed: int
    #: On the site
    experiments: int
    #: False: nothing had changed
    is_switched: bool
    #: Experiments that the site no longer has
    removed: int
    #: Reports that were written
    reports: int
    #: Reports that the next call writes: this one was interrupted
    reports_missing: int
    #: Path of the first page
    site: str
    #: Experiments that are left out
    unreadable: int


def publish(
    directory: Path,
    *,
    backend: Optional[Union[str, Sequence[str]]] = None,
    base_url: Optional[str] = None,
    interval: Optional[float] = None,
    model: Optional[Union[str, Sequence[str]]] = None,
    reports: Optional[int] = None,
    tag: Optional[Union[str, Sequence[str]]] = None,
    title: Optional[str] = None,
    watch: Optional[bool] = None,
    store: Optional[Path] = None,
    progress: Optional[Progress] = None,
) -> PublishResult:
    """Writes the store as a static site: leaderboards, reports, history, downloads.

    Changes the store or writes files; measures nothing.

    Args:
        directory: Folder of the site: new, empty, or published before
        backend: Only backends whose name contains this
        base_url: Address of the site's folder on the web: the site then has a feed
        interval: How often to look at the store (default: 2.0), s
        model: Only experiments of these models
        reports: Publish the reports and findings of so many of the newest experiments; the others have facts, layers
            and downloads (-1: all) (default: -1)
        tag: Only experiments with this tag; may be repeated
        title: Title of the site (default: XSP results)
        watch: Publish again whenever the store changes, until Ctrl-C (default: false)
        store: Folder of experiments (default: $XSP_STORE, else ./xsp-store).
        progress: Called with an xsp.ProgressStep for each step of long work.

    Returns:
        The document of `xsp publish --format json`.

    Raises:
        XspError: with kind, message and hint.

    On the command line::

        xsp publish site
        xsp publish /srv/www/results --watch --title "Results of our cluster"
    """
    document = perform("publish", {
        "directory": directory,
        "backend": listed(backend),
        "base_url": base_url,
        "interval": interval,
        "model": listed(model),
        "reports": reports,
        "tag": listed(tag),
        "title": title,
        "watch": watch,
    }, store=store, progress=progress)
    return cast("PublishResult", document)
