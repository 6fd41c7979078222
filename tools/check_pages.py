#!/usr/bin/env python3
"""Fails if a page (*.md) has a line of prose over 120 columns, or a link to a file or heading that does not exist.

Usage: tools/check_pages.py [ROOT]
Tables, code, headings and pages written by tools/generate may be wider.
"""
import pathlib
import re
import sys

from check_words import tracked, without_code

WIDTH = 120
GENERATED = {"docs/schema.md", "docs/analyses.md", "docs/findings.md"}
LINK = re.compile(r"\[[^\]]*\]\(\s*([^()\s]+)\s*\)")


def wide_lines(path, text):
    for number, (line, prose) in enumerate(zip(text.split("\n"), without_code(text).split("\n")), 1):
        words = re.sub(r"^\s*(?:[-*]|\d+\.)?\s+", "", prose.rstrip())
        # A line of one long word (a link, a code span) has no place to wrap.
        if len(line) > WIDTH and not line.lstrip().startswith(("|", "#", "!", "<")) and " " in words.strip():
            yield f"{path}:{number}: {len(line)} columns: wrap prose at {WIDTH}"


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"^ *```.*?^ *```", "", page, flags=re.M | re.S), re.M)
    texts = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-") for text in texts}


def dead_links(root, path, text):
    prose = without_code(text)
    for match in LINK.finditer(prose):
        target, _, anchor = match[1].partition("#")
        if re.match(r"[a-z]+:", target):
            continue  # Of the web: not asked here.
        file = (root / path).parent / target if target else root / path
        where = f"{path}:{prose.count(chr(10), 0, match.start()) + 1}: link to {match[1]}"
        if not file.exists():
            yield f"{where}: no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
            yield f"{where}: no such heading"


def check(root, paths):
    problems = []
    for path in (pathlib.PurePosixPath(name) for name in paths if name.endswith(".md")):
        if not (root / path).exists():
            continue  # Deleted and not committed yet.
        text = (root / path).read_text()
        problems += dead_links(root, path, text)
        if str(path) not in GENERATED:
            problems += wide_lines(path, text)
    return problems


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        sys.exit(0)
    top = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = check(top, tracked(top))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)
