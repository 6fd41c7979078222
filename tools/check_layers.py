#!/usr/bin/env python3
"""Fails if a folder of src/ includes what layers.toml does not allow.

Usage: tools/check_layers.py [ROOT]
Rules:
  1. A folder includes only folders that its line of layers.toml names, and each of them.
  2. Areas stand in order: no line names a folder of an area below its own. Lines have no cycle.
  3. In a plugin family (a folder with a family.cmake) one plugin never includes another.
  4. No header includes itself through others.
  5. Folders inside a folder of layers.toml (src/capture/record/cuda/metrics) do not include each other in a circle.
  6. A file that names std::uint32_t and the like includes <cstdint>, itself or through headers of ours: g++ 12 brings it
     along with others, g++ 13 does not.
  7. Outside tests only src/core/json_text.cc calls the JSON library's parser and writer, also of workers/.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
JSON_LIBRARY = re.compile(r"\bjson::(?:parse|accept)\(|\.dump\(|\bordered_json\b")
FIXED_WIDTH = re.compile(r"\bstd::u?int(?:_fast|_least)?(?:8|16|32|64|ptr|max)_t\b")
GENERATED = {"source_dir.h", "sanitizers.h"}  # By CMakeLists.txt, of no folder.


def read_layers(path):
    """The folders of layers.toml in order, each with what it may include (Debian 12's Python has tomllib,
    older ones do not, and the file is one list a line)."""
    layers = {}
    for line in path.read_text().splitlines():
        if match := re.match(r'"?([a-z_/]+)"?\s*=\s*\[(.*)\]', line):
            layers[match[1]] = re.findall(r'"([a-z_/]+)"', match[2])
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


def out_of_order(layers):
    """What lines name of an area below their own."""
    areas = list(dict.fromkeys(folder.split("/")[0] for folder in layers))
    for folder, needs in layers.items():
        for need in needs:
            if need not in layers:
                yield f"layers.toml: {folder} may include {need}, which has no line"
            elif areas.index(need.split("/")[0]) > areas.index(folder.split("/")[0]):
                yield f"layers.toml: {folder} may not name {need}: its area stands below"


def folder_of(path, layers):
    """The folder of layers.toml that a path below src/ lies in, or None."""
    parts = path.split("/")
    return next((name for n in (2, 1) if (name := "/".join(parts[:n])) in layers and len(parts) > n), None)


def check_include(path, own, included, layers, families):
    """The error of one include, or None. `own` and `included` are paths below src/."""
    if included in GENERATED:
        return None
    mine, theirs = folder_of(own, layers), folder_of(included, layers)
    if theirs is None:
        return f"{path}: {included}: no folder of layers.toml; includes are rooted at src/"
    if theirs != mine:
        if theirs not in layers[mine]:
            return f"{path}: {mine} may not include {theirs} ({included})"
    elif mine in families:
        a, b = own[len(mine) + 1:].split("/"), included[len(mine) + 1:].split("/")
        if len(a) > 1 and len(b) > 1 and a[0] != b[0]:
            return f"{path}: plugin '{a[0]}' may not include plugin '{b[0]}'"
    return None


def without_cstdint(texts):
    """Of files by their path below src: those that break rule 6."""
    brings = {}

    def brings_it(own):
        if own not in brings:
            brings[own] = False  # Of a circle, while it is looked through.
            brings[own] = "#include <cstdint>" in texts[own] or any(brings_it(name) for name in INCLUDE.findall(texts[own]) if name in texts)
        return brings[own]

    return [own for own, text in texts.items() if FIXED_WIDTH.search(text) and not brings_it(own)]


def calls_json_library(root):
    """The files that break rule 7."""
    return [path for folder in ("src", "workers") for path in sorted((root / folder).rglob("*"))
            if path.suffix in {".h", ".cc"} and not path.stem.endswith(("_test", "_testing")) and path.parent != root / "workers/tests"
            and path != root / "src/core/json_text.cc" and JSON_LIBRARY.search(path.read_text())]


def check(root):
    layers = read_layers(root / "layers.toml")
    errors, headers, texts, used, parts = list(out_of_order(layers)), {}, {}, set(), {}
    if cycle := find_cycle(layers):
        errors.append("layers.toml has a cycle: " + " -> ".join(cycle))
    source = root / "src"
    families = {str(path.parent.relative_to(source)) for path in source.rglob("family.cmake")}
    for path in sorted(source.rglob("*")):
        if path.suffix not in {".h", ".cc"}:
            continue
        own = str(path.relative_to(source))
        folder = folder_of(own, layers)
        if folder is None:
            errors.append(f"{path}: its folder is missing from layers.toml")
            continue
        texts[own] = path.read_text()
        includes = INCLUDE.findall(texts[own])
        if path.suffix == ".h":
            headers[own] = includes
        for include in includes:
            used.add((folder, folder_of(include, layers)))
            part, included_part = str(pathlib.PurePath(own).parent), str(pathlib.PurePath(include).parent)
            if folder_of(include, layers) == folder and included_part != part:
                parts.setdefault(part, set()).add(included_part)
            if error := check_include(path, own, include, layers, families):
                errors.append(error)
    errors += [f"layers.toml: nothing in {folder} includes {need}: take it out"
               for folder, needs in layers.items() for need in needs if (folder, need) not in used]
    errors += [f"src/{own}: names integers of fixed width without <cstdint>" for own in without_cstdint(texts)]
    errors += [f"{path}: calls the JSON library's parser or writer, not core/json_text.h" for path in calls_json_library(root)]
    if cycle := find_cycle(headers):
        errors.append("headers include each other: " + " -> ".join(cycle))
    if cycle := find_cycle(parts):
        errors.append("folders include each other: " + " -> ".join(cycle))
    return errors


if __name__ == "__main__":
    problems = check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    print("\n".join(problems) or "layers: ok")
    sys.exit(bool(problems))
