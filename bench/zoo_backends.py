#!/usr/bin/env python3
"""Which model of the zoo runs on which backend that is here, and why not where it does not.

For each model and each backend that reads one of its formats: makes the file (`xsp zoo make`), then measures it alone through the
rungs (`xsp run MODEL --backend BACKEND --batch 1 --iterations 2 --depth kernel`), and with `--depth model` where that gives no latency. Then, for
each model, one experiment of all backends on which it ran (`--depth model`) compares their results with those of PyTorch, in which the zoo is written.

What came out is kept in the cache folder after every cell, so a run that was stopped goes on where it was; `--again` measures cells anew. The smallest
models come first. Prints one table (Markdown or JSON) of all that is kept: of each cell the fastest call, layers / kernels, and how the results agree (share
of equal labels, largest difference). Two calls say whether a model runs, not how fast.

Usage: python3 bench/zoo_backends.py [--models NAME,...] [--backends NAME,...] [--threads N] [--limit SECONDS] [--again failed|all]
                                     [--list] [--table] [--format markdown|json] [--into FILE]
Example: python3 bench/zoo_backends.py > zoo-backends.md
Example: python3 bench/zoo_backends.py --models tiny,resnet18 --backends torch,onnxruntime
Example: python3 bench/zoo_backends.py --threads 1           on a busy machine: threads that wait for each other lose most
Example: python3 bench/zoo_backends.py --again failed --limit 1800
Example: python3 bench/zoo_backends.py --table --into docs/zoo-backends.md
"""
import argparse
import datetime
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
XSP = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin" / "xsp"
CACHE = pathlib.Path(os.environ.get("XSP_CACHE", pathlib.Path.home() / ".cache" / "xsp")) / "bench"
KEPT = CACHE / "zoo_backends.json"
# What the models are written in: results are compared with its.
OWN = "torch"
# What lies between them in a file is the table.
MARKS = ("<!-- bench/zoo_backends.py -->", "<!-- end -->")
PATIENCE_S = 60  # For the call in progress when the limit is over.
WARMUP_S = 5     # Two calls say whether a model runs, not how fast.

POINT_SQL = """
SELECT p.backend AS version, p.precision, (SELECT arg_min(min_ns, run_id) FROM run WHERE samples > 0) AS fastest_ns,
       (SELECT count(*) FROM layer) AS layers, (SELECT count(*) FROM kernel) AS kernels FROM point p"""
AGREEMENT_SQL = """
SELECT json_extract_string(p.settings, '$.worker') AS backend, json_extract_string(r.settings, '$.worker') AS reference,
       min(a.label_agreement) AS labels, max(a.max_absolute_error) AS difference, min(a.message) AS message
FROM agreement a JOIN point p USING (point_id) JOIN point r ON r.point_id = a.against_point_id GROUP BY ALL"""


def xsp(store, *arguments, limit_s=None):
    """The JSON document of standard output (None: there is none) and the first error of a command ("": none). After `limit_s`
    seconds the command is interrupted, and what it measured until then counts."""
    command = [str(XSP), "--store", str(store), *map(str, arguments), "--format", "json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    late = ""
    try:
        out, said = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        late = f"not done after {limit_s:.0f} s"
        # The second one ends the workers, and leaves nothing behind.
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            try:
                out, said = process.communicate(timeout=PATIENCE_S)
                break
            except subprocess.TimeoutExpired:
                continue
        else:
            process.kill()
            out, said = process.communicate()
    errors = [line.removeprefix("error: ") for line in said.splitlines() if line.startswith("error: ")]
    error = late or (errors[0] if errors else "")
    try:
        return json.loads(out), error
    except json.JSONDecodeError:
        return None, error or (said.strip().splitlines() or [f"exit status {process.returncode}"])[-1]


def run(store, model, backends, depth, arguments):
    """The folder of an experiment (None: there is none) and what went wrong in it ("": nothing)."""
    outcome, error = xsp(store, "run", model, "--backend", ",".join(backends), "--batch", 1, "--iterations", 1 if len(backends) > 1 else 2,
                         "--warmup-limit", WARMUP_S, "--threads", arguments.threads, "--depth", depth, limit_s=arguments.limit)
    if outcome is None:
        return None, error
    failures = [failure["what"] for failure in outcome["failures"]]
    return outcome["experiment"], error or (failures[0] if failures else "")


def measure(model, backend, arguments):
    """One cell: state (works, partly, model, fails, unmade), its figures, and the error where there is one."""
    with tempfile.TemporaryDirectory() as store:
        made, error = xsp(store, "zoo", "make", model, "--backend", backend)
        if error or made is None:
            return {"state": "unmade", "error": error or "nothing was made"}
        cell = {"format": made[0]["format"]}
        for depth, state in (("kernel", "works"), ("model", "model")):
            experiment, error = run(store, model, [backend], depth, arguments)
            cell.setdefault("error", error)
            points, _ = xsp(store, "query", experiment, POINT_SQL) if experiment else (None, "")
            if points and points[0]["fastest_ns"]:
                if state == "works" and error:
                    state = "partly"
                return {**cell, **points[0], "state": state}
        return {**cell, "state": "fails"}


def compare(model, backends, arguments):
    """How the results of the backends agree with those of the first of them that gives some, by backend, or an error."""
    backends = sorted(backends, key=lambda backend: backend != OWN)
    with tempfile.TemporaryDirectory() as store:
        experiment, error = run(store, model, backends, "model", arguments)
        rows, _ = xsp(store, "query", experiment, AGREEMENT_SQL) if experiment else (None, "")
    return {"backends": backends, "rows": {row.pop("backend"): row for row in rows or []}, "error": error}


def keep(kept):
    CACHE.mkdir(parents=True, exist_ok=True)
    part = KEPT.with_suffix(".part")
    part.write_text(json.dumps(kept, indent=1))
    part.replace(KEPT)


def works(cell):
    return cell is not None and cell["state"] in ("works", "partly", "model")


def measure_all(kept, models, arguments):
    cells = [(model, backend) for model, backends in models.items() for backend in backends]
    for number, (model, backend) in enumerate(cells, 1):
        cell = kept["cells"].get(f"{model}/{backend}")
        redo = arguments.again == "all" or (arguments.again == "failed" and cell is not None and cell["state"] != "works")
        if cell is None or redo:
            say(f"[{number}/{len(cells)}] {model} on {backend}")
            start = time.monotonic()
            cell = measure(model, backend, arguments)
            cell.update(seconds=round(time.monotonic() - start, 1), date=datetime.date.today().isoformat())
            kept["cells"][f"{model}/{backend}"] = cell
            keep(kept)
            say(f"  {cell['state']}" + (f": {cell['error']}" if cell.get("error") else "") + f" ({cell['seconds']} s)")
        if backend == models[model][-1]:
            compare_once(kept, model, arguments, redo)


def compare_once(kept, model, arguments, redo):
    running = sorted(key.split("/")[1] for key, cell in kept["cells"].items() if key.split("/")[0] == model and works(cell))
    known = kept["results"].get(model)
    if len(running) < 2 or (not redo and known is not None and not known["error"] and sorted(known["backends"]) == running):
        return
    say(f"{model}: comparing the results of {', '.join(running)}")
    kept["results"][model] = compare(model, running, arguments)
    keep(kept)


def say(text):
    print(text, file=sys.stderr, flush=True)


def time_text(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.0f} ns"


class Notes:
    """Sentences that cells refer to by number, each once."""

    def __init__(self):
        self.texts = {}

    def of(self, text):
        return f"[{self.texts.setdefault(text, len(self.texts) + 1)}]"


def result_text(compared, backend, notes):
    """`labels 100 %, 4e-05` of a backend's results beside the reference's."""
    if compared is None or backend not in compared["rows"]:
        return ""
    row = compared["rows"][backend]
    if row["message"]:
        return f"results {notes.of(row['message'])}"
    against = "" if row["reference"] == OWN else f" of {row['reference']}"
    return f"labels {row['labels']:.0%}{against}, {row['difference']:.1g}"


def cell_text(cell, compared, backend, notes):
    if cell is None:
        return ""
    if not works(cell):
        return f"no {notes.of(cell['error'].removeprefix('nothing was measured: '))}"
    parts = [f"{time_text(cell['fastest_ns'])}, {cell['layers']} / {cell['kernels']}", result_text(compared, backend, notes)]
    text = "; ".join(part for part in parts if part)
    return f"{text} {notes.of(cell['error'])}" if cell.get("error") else text


def page_of(kept, models):
    """The table and its notes as Markdown."""
    backends = sorted({backend for names in models.values() for backend in names}, key=lambda name: (name != OWN, name))
    cells, notes = kept["cells"], Notes()
    done = [cell for model, names in models.items() for cell in (cells.get(f"{model}/{backend}") for backend in names) if cell]
    versions = sorted({cell["version"] for cell in done if cell.get("version")})
    dates = sorted({cell["date"] for cell in done})
    lines = [f"{sum(map(works, done))} of {len(done)} run. {', '.join(versions)}; {' to '.join(sorted({*dates[:1], *dates[-1:]}))}.", "",
             "| model | " + " | ".join(backends) + " |", "| --- " * (1 + len(backends)) + "|"]
    for model, names in models.items():
        row = [cell_text(cells.get(f"{model}/{backend}"), kept["results"].get(model), backend, notes) if backend in names else "-" for backend in backends]
        lines.append(f"| `{model}` | " + " | ".join(row) + " |")
    return "\n".join(lines + [""] + [f"{number}. {text}" for text, number in notes.texts.items()]) + "\n"


def write_into(file, page):
    """Puts the page between the two marks of a file."""
    text = file.read_text(encoding="utf-8")
    before, after = text.split(MARKS[0], 1)[0], text.split(MARKS[1], 1)[1]
    file.write_text(f"{before}{MARKS[0]}\n{page}{MARKS[1]}{after}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = lambda text: [name for name in text.split(",") if name]
    parser.add_argument("--models", type=names, help="default: all of the zoo")
    parser.add_argument("--backends", type=names, help="default: all that are here")
    parser.add_argument("--threads", type=int, default=0, help="of the framework (default: its own choice)")
    parser.add_argument("--limit", type=float, default=900, help="seconds for one measurement (default: 900)")
    parser.add_argument("--again", choices=("failed", "all"), help="measure cells anew that are kept: those that did not work as a whole, or all")
    parser.add_argument("--list", action="store_true", help="what would be measured, and what is known already")
    parser.add_argument("--table", action="store_true", help="print what is kept, measure nothing")
    parser.add_argument("--into", type=pathlib.Path, metavar="FILE", help=f"write the table into FILE, between {MARKS[0]} and {MARKS[1]}")
    parser.add_argument("--format", choices=("markdown", "json"), default="markdown")
    arguments = parser.parse_args()
    if not XSP.exists():
        sys.exit(f"not built: {XSP} (tools/build)")
    zoo, error = xsp(CACHE, "zoo", "list")
    if zoo is None:
        sys.exit(f"xsp zoo list: {error}")
    unknown = set(arguments.models or []) - {model["name"] for model in zoo}
    if unknown:
        sys.exit(f"not in the zoo: {', '.join(sorted(unknown))} (xsp zoo list)")
    models = {model["name"]: [name for name in (model["backends"].split(", ") if model["backends"] else [])
                              if arguments.backends is None or name in arguments.backends]
              for model in sorted(zoo, key=lambda model: model["flops"] or 0)
              if arguments.models is None or model["name"] in arguments.models}
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"cells": {}, "results": {}}
    if arguments.list:
        for model, backends in models.items():
            print(f"{model}: " + ", ".join(f"{name} ({kept['cells'].get(f'{model}/{name}', {'state': 'to do'})['state']})" for name in backends))
        return
    if not arguments.table:
        measure_all(kept, models, arguments)
    if arguments.into:
        write_into(arguments.into, page_of(kept, models))
    elif arguments.format == "json":
        print(json.dumps(kept, indent=1))
    else:
        print(page_of(kept, models), end="")


if __name__ == "__main__":
    main()
