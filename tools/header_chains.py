#!/usr/bin/env python3
"""Groups the headers of src/ into the fewest files that show that each header compiles alone.

Usage: tools/header_chains.py [ROOT [GENERATED]]
  GENERATED  a folder with more headers, which are included from there (build/release/generated)
Prints a line for each file to compile: headers separated by blanks, in the order in which it includes them.
Example: tools/header_chains.py

In a chain every header includes the one before it, directly or through others. What the file has included before
a header is then what the header includes itself, so its own lines see exactly what they see in a file of its own:
a header that lacks an include fails in its chain as it fails alone. (Includes stand at the top of a header, which
the layout of this tree asks for.) The fewest chains are a largest matching between headers and headers that they
include, by augmenting paths.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def included_by_each(roots):
    """For each header of `roots`, by its path in includes, all headers of `roots` that it includes."""
    texts = {str(path.relative_to(root)): path.read_text(encoding="utf-8")
             for root in roots for path in root.rglob("*.h")}
    direct = {name: [other for other in INCLUDE.findall(text) if other in texts] for name, text in texts.items()}
    found = {}

    def visit(name):
        if name not in found:
            found[name] = set()  # tools/check_layers.py refuses cycles.
            found[name] = set(direct[name]).union(*(visit(other) for other in direct[name]))
        return found[name]

    for name in texts:
        visit(name)
    return found


def chains(included):
    before = {}  # For a header the one before it in its chain, and the other way round.
    after = {}

    def extend(name, seen):
        for other in sorted(included[name]):
            if other in seen:
                continue
            seen.add(other)
            if other not in after or extend(after[other], seen):
                before[name], after[other] = other, name
                return True
        return False

    for name in sorted(included):
        extend(name, set())
    for last in sorted(name for name in included if name not in after):
        chain = [last]
        while chain[-1] in before:
            chain.append(before[chain[-1]])
        yield chain[::-1]


if __name__ == "__main__":
    tree = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    for each in chains(included_by_each([tree / "src", *map(pathlib.Path, sys.argv[2:])])):
        print(" ".join(each))
