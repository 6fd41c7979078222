#!/usr/bin/env python3
"""Asks a question about all experiments of a store, in DuckDB, Polars, ClickHouse or Spark.

A question is a file of SQL beside this program, the same for every engine; the path of a .sql file of your own works, too.
Its tables are those of docs/schema.md, of all experiments, and `experiment` (docs/lake.md).
"""
import argparse
import csv
import decimal
import json
import math
import os
import sys
import tempfile
import time

import catalogue
import engines
import question

USAGE, BAD_INPUT, NOT_POSSIBLE, ENVIRONMENT, INTERRUPTED = 2, 3, 4, 5, 130
EXAMPLES = """Examples:
  python3 lake/ask.py --list
  python3 lake/ask.py kernels_by_device --store /data/xsp-store
  python3 lake/ask.py regressions_by_driver --since 2026-10-01 --set least=0.05 --format json
  python3 lake/ask.py slowest_layers_by_framework --engine polars --store s3://bucket/prefix
  python3 lake/ask.py my_question.sql --engine spark --timing

Exit status: 0 done; 2 wrong usage; 3 the store or the question is wrong; 4 the engine is not installed; 5 the environment failed."""


def arguments():
    parser = argparse.ArgumentParser(prog="lake/ask.py", description=__doc__, epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("question", nargs="?", metavar="QUESTION", help="name of a question (--list), or the path of a .sql file")
    parser.add_argument("--list", action="store_true", help="print the questions with their columns and parameters")
    parser.add_argument("--store", default=os.environ.get("XSP_STORE", "xsp-store"), metavar="DIR|s3://BUCKET/PREFIX",
                        help="the store (default: XSP_STORE, else xsp-store)")
    parser.add_argument("--engine", default="duckdb", choices=sorted(engines.ENGINES), help="default: duckdb")
    parser.add_argument("--since", metavar="TIME", help="only experiments made since then: 2026-11-20, 2026-11-20T08:00:00Z")
    parser.add_argument("--until", metavar="TIME", help="only experiments made until then; week 0 are the 7 days before "
                                                        "(default: the newest experiment's time)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER", help="a parameter of the question")
    parser.add_argument("--threads", type=int, metavar="N", help="default: one per CPU")
    parser.add_argument("--format", default="table", choices=["table", "json", "csv"])
    parser.add_argument("--timing", action="store_true", help="print on standard error the seconds of each step, and the files of each table")
    parser.add_argument("--print-sql", action="store_true", help="print the SQL with its parameters, and ask nothing")
    options = parser.parse_args()
    if not options.list and not options.question:
        parser.error("which question? --list prints them")
    if options.threads is not None and options.threads < 1:
        parser.error("--threads is at least 1")
    for name in ("since", "until"):
        try:
            text = getattr(options, name)
            setattr(options, name, None if text is None else catalogue.seconds_of(text))
        except ValueError:
            parser.error(f"--{name} is a date or time such as 2026-11-20 or 2026-11-20T08:00:00Z, not {text!r}")
    options.values = {}
    for pair in options.set:
        name, equals, value = pair.partition("=")
        if not equals:
            parser.error(f"--set takes NAME=NUMBER, not {pair!r}")
        options.values[name] = value
    return options


def list_questions():
    for name in question.names():
        asked = question.Question(name)
        print(f"{name}: {asked.summary}")
        for column, meaning in asked.columns.items():
            print(f"    {column}: {meaning}")
        for parameter, (default, meaning) in asked.parameters.items():
            print(f"    --set {parameter}={default}: {meaning}")


def note(text):
    show_progress("")
    print(text, file=sys.stderr)


class Answer:
    """Asks one question and keeps what it took."""

    def __init__(self, engine, asked, found, values=None):
        """`engine`: started; `found`: the catalogue of the store."""
        self.seconds = {}
        sql = asked.sql(values or {})
        with tempfile.TemporaryDirectory(prefix="xsp-lake-") as folder:
            self.tables = [found.bound_table(name, folder, asked.weeks) for name in asked.tables([*found.tables, "experiment"])]
            try:
                self.timed("binding", lambda: [engine.bind(table) for table in self.tables])
                self.columns, self.rows = self.timed("question", lambda: engine.ask(sql))
            except Exception as error:  # Not every engine names the file.
                found.check_files(self.tables)
                raise error

    def timed(self, what, work):
        begin = time.monotonic()
        done = work()
        self.seconds[what] = time.monotonic() - begin
        return done


def show_progress(text):
    """On a terminal, in place of the text before; empty: removes it."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def ask(options, asked):
    asked.sql(options.values)  # What is wrong with the parameters is reported before the store is read.
    begin = time.monotonic()
    show_progress(f"reading what {options.store} holds ...")
    found = catalogue.Catalogue(options.store, options.since, options.until, note)
    read = time.monotonic()
    show_progress(f"asking {options.engine} about {len(found.experiments)} of {found.count} experiments ...")
    engine = engines.start(options.engine, options.threads)
    started = time.monotonic()
    try:
        answer = Answer(engine, asked, found, options.values)
    finally:
        engine.close()
        show_progress("")
    if options.timing:
        files = ", ".join(f"{table.name} {len(table.files)}" for table in answer.tables if table.name != "experiment")
        seconds = {"catalogue": read - begin, "engine": started - read, **answer.seconds}
        note(f"experiments: {len(found.experiments)} of {found.count}; files: {files}")
        note("seconds: " + ", ".join(f"{what} {value:.2f}" for what, value in seconds.items()))
    return answer


def as_json(value):
    """NaN is no JSON; what is neither text nor a number, such as a date, becomes text."""
    if isinstance(value, decimal.Decimal):
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def as_text(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"
    return str(value)


def print_answer(answer, form):
    columns, rows = answer.columns, answer.rows
    if form == "json":
        print(json.dumps([dict(zip(columns, map(as_json, row), strict=True)) for row in rows], indent=1, ensure_ascii=False))
    elif form == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerows([columns, *rows])
    else:
        cells = [columns, *([as_text(value)[:60] for value in row] for row in rows)]
        is_number = [any(isinstance(row[index], int | float) for row in rows) for index in range(len(columns))]
        widths = [max(len(row[index]) for row in cells) for index in range(len(columns))]
        for row in cells:
            print("  ".join(cell.rjust(width) if number else cell.ljust(width)
                            for cell, width, number in zip(row, widths, is_number, strict=True)).rstrip())
        if not rows:
            note("no rows: the experiments have nothing that answers this")


def main():
    options = arguments()
    if options.list:
        list_questions()
        return 0
    try:
        asked = question.Question(options.question)
        if options.print_sql:
            print(asked.sql(options.values))
            return 0
        answer = ask(options, asked)
    except question.QuestionError as error:
        note(f"error: {error}")
        return USAGE
    except catalogue.StoreError as error:
        note(f"error: {error}")
        return BAD_INPUT
    except engines.EngineError as error:
        note(f"error: {error}")
        return NOT_POSSIBLE
    except ModuleNotFoundError as error:
        note(f"error: this Python has no {error.name}: pip install {error.name}")
        return NOT_POSSIBLE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OSError, MemoryError) as error:
        note(f"error: {error}")
        return ENVIRONMENT
    except Exception as error:  # Each engine has exceptions of its own.
        note(f"error: {options.engine} refused the question: {str(error).strip()[:2000]}")
        return BAD_INPUT
    print_answer(answer, options.format)
    return 0


if __name__ == "__main__":
    sys.exit(main())
