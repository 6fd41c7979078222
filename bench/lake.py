#!/usr/bin/env python3
"""How long the questions of lake/ take in each engine, and what of a store they read.

Each question runs in a process of its own on two threads, with the files in the page cache. "read" are the bytes of read calls of the
process and its children (a file that an engine maps into memory does not count there); "columns" are the compressed bytes of the
columns that the question names, in the files that are left when experiments of other weeks are excluded, by Parquet's footers.

Example: python3 bench/lake.py --store /tmp/fleet --engine duckdb --engine polars
"""
import argparse
import multiprocessing
import pathlib
import re
import resource
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "lake"))

import ask  # noqa: E402
import catalogue  # noqa: E402
import engines  # noqa: E402
import question  # noqa: E402


def read_bytes():
    """Of this process and all below it, so far."""
    parents = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError):
            continue  # It has just ended.
    ours = {int(pathlib.Path("/proc/self").resolve().name)}
    while more := {child for child, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(int(re.search(r"rchar: (\d+)", pathlib.Path(f"/proc/{process}/io").read_text())[1]) for process in ours)


def measure(store, engine_name, name, threads, sender):
    asked, begin = question.Question(name), time.monotonic()
    found = catalogue.Catalogue(store, note=print)
    seconds = {"catalogue": time.monotonic() - begin}
    begin = time.monotonic()
    engine = engines.start(engine_name, threads)
    seconds["engine"] = time.monotonic() - begin
    import pyarrow.parquet  # Not while bytes are counted.
    before = read_bytes()
    answer = ask.Answer(engine, asked, found)
    read = read_bytes() - before
    engine.close()
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    sender.send(({**seconds, **answer.seconds}, len(answer.rows), read, peak))


def footprint(store, name):
    """Files and bytes of the tables that a question names: in the store, in the files that it gets, in the columns that it names."""
    import pyarrow.parquet
    asked, found = question.Question(name), catalogue.Catalogue(store, note=print)
    words = set(re.findall(r"\w+", asked.text))
    whole = kept = columns = groups = files = kept_files = 0
    for table in asked.tables(found.tables):
        everything = [file for experiment in found.experiments for file in experiment.files.get(table, [])]
        given = set(found.bound_table(table, None, asked.weeks).files)
        files, kept_files = files + len(everything), kept_files + len(given)
        for file in everything:
            size = pathlib.Path(file).stat().st_size
            whole += size
            if file in given:
                kept += size
                footer = pyarrow.parquet.read_metadata(file)
                groups += footer.num_row_groups
                for group in range(footer.num_row_groups):
                    chunks = (footer.row_group(group).column(index) for index in range(footer.num_columns))
                    columns += sum(chunk.total_compressed_size for chunk in chunks if chunk.path_in_schema in words)
    return (f"{name}: {kept_files} of {files} files, {groups} row groups, {kept / 1e6:.1f} of {whole / 1e6:.1f} MB, "
            f"{columns / 1e6:.1f} MB in its columns")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", required=True)
    parser.add_argument("--engine", action="append", choices=sorted(engines.ENGINES), help="default: all that are installed")
    parser.add_argument("--question", action="append", help="default: all")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    names = options.question or question.names()
    for name in names:
        print(footprint(options.store, name), flush=True)
    print(f"{'engine':<12}{'question':<30}{'catalogue':>10}{'engine':>8}{'binding':>9}{'question':>9}{'all s':>8}{'rows':>7}{'read MB':>9}{'peak MiB':>10}")
    context = multiprocessing.get_context("spawn")
    for engine in options.engine or sorted(engines.ENGINES):
        for name in names:
            receiver, sender = context.Pipe(duplex=False)
            process = context.Process(target=measure, args=(options.store, engine, name, options.threads, sender))
            process.start()
            sender.close()
            try:
                seconds, rows, read, peak = receiver.recv()
            except EOFError:
                print(f"{engine:<12}{name:<30}failed", flush=True)
                continue
            finally:
                process.join()
            print(f"{engine:<12}{name:<30}{seconds['catalogue']:>10.2f}{seconds['engine']:>8.2f}{seconds['binding']:>9.2f}{seconds['question']:>9.2f}"
                  f"{sum(seconds.values()):>8.2f}{rows:>7}{read / 1e6:>9.1f}{peak / 1024:>10.0f}", flush=True)


if __name__ == "__main__":
    main()
