#!/usr/bin/env python3
"""Fails if a src/ folder includes a folder that layers.toml does not allow, or a plugin another.

Usage: tools/check_layers.py [ROOT]
Rules: (1) allowed edges come from layers.toml; (2) layers.toml must itself be acyclic; (3) inside a
plugin family one plugin never includes another; (4) no header includes itself through others.
"""
import pathlib
import re
import sys

FAMILIES = {"importers", "collect"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def read_layers(path):
    """The folders of layers.toml, each with what it may include (Debian 12's Python has tomllib,
    older ones do not, and the file is one list a line)."""
    layers = {}
    for line in path.read_text().splitlines():
        if match := re.match(r"([a-z_]+)\s*=\s*\[(.*)\]", line):
            layers[match[1]] = re.findall(r'"([a-z_]+)"', match[2])
    return layers


def find_cycle(graph):
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        path.append(node)
        for need in graph.get(node, ()):
            if cycle := visit(need):
                return cycle
        path.pop()
        done.add(node)
        return None

    return next((cycle for node in graph if (cycle := visit(node))), None)


def check_include(path, own, included, allowed):
    """The error of one include, or None. `own` and `included` are paths below src/ in parts."""
    if len(included) < 2:
        return f'{path}: "{"/".join(included)}": include with a path rooted at src/'
    if included[0] != own[0]:
        if included[0] not in allowed[own[0]]:
            return f"{path}: {own[0]} may not include {included[0]} ({'/'.join(included)})"
    elif own[0] in FAMILIES and len(included) > 2 and len(own) > 2 and included[1] != own[1]:
        return f"{path}: plugin '{own[1]}' may not include plugin '{included[1]}'"
    return None


def check(root):
    allowed = read_layers(root / "layers.toml")
    errors, headers = [], {}
    if cycle := find_cycle(allowed):
        errors.append("layers.toml has a cycle: " + " -> ".join(cycle))
    source = root / "src"
    for path in sorted(source.rglob("*")):
        if path.suffix not in {".h", ".cc"}:
            continue
        own = path.relative_to(source).parts
        if own[0] not in allowed:
            errors.append(f"{path}: folder '{own[0]}' is missing from layers.toml")
            continue
        includes = INCLUDE.findall(path.read_text())
        if path.suffix == ".h":
            headers["/".join(own)] = includes
        for include in includes:
            if error := check_include(path, own, tuple(include.split("/")), allowed):
                errors.append(error)
    if cycle := find_cycle(headers):
        errors.append("headers include each other: " + " -> ".join(cycle))
    return errors


if __name__ == "__main__":
    problems = check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    print("\n".join(problems) or "layers: ok")
    sys.exit(bool(problems))
