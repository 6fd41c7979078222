#!/usr/bin/env python3
"""How fast and in how much memory a Kineto trace becomes a run directory, beside what Python does with the same file.

Makes traces of the sizes asked for (kept in the cache folder): training steps of operators, launches, kernels on two
streams, flows and memory events, with unique ids and a realistic number of distinct names. Then runs `xsp import` on each,
plain and gzip, and the parsers of Python (`json`, `orjson` where it is installed; parse only, with and without the cycle
collector) and HTA (HolisticTraceAnalysis, which parses into a data frame), each in a process of its own, and prints wall
time, MB/s of JSON text, CPU seconds and peak memory; of `xsp import` also the CPU seconds of each step. Several sizes give
the curve of memory: what each further event costs.

HTA needs an old pandas, so it is looked for in an environment of its own:
  python3 -m venv .deps/hta && .deps/hta/bin/pip install HolisticTraceAnalysis 'pandas<3'

Usage: python3 bench/kineto_import.py [--megabytes N[,N...] | --events N[,N...]] [--skip-python] [--with-hta]
Example: python3 bench/kineto_import.py --megabytes 100,1000,2500 --skip-python
Example: python3 bench/kineto_import.py --events 10000000
"""
import argparse
import gzip
import hashlib
import inspect
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
XSP = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release")) / "bin" / "xsp"
CACHE = pathlib.Path(os.environ.get("XSP_CACHE", pathlib.Path.home() / ".cache" / "xsp")) / "bench"

OPERATORS = ["aten::linear", "aten::addmm", "aten::native_layer_norm", "aten::gelu", "aten::_softmax", "aten::bmm", "aten::copy_",
             "aten::add_", "aten::mul", "aten::view", "aten::transpose", "aten::empty", "aten::embedding", "aten::dropout"]
KERNELS = [f"void at::native::vectorized_elementwise_kernel<4, at::native::Functor{i}<float>, at::detail::Array<char*, {i % 4 + 2}> >"
           f"(int, at::native::Functor{i}<float>, at::detail::Array<char*, {i % 4 + 2}>)" for i in range(200)]


def operator_text(chance, index, microseconds):
    """One operator with a nested one, its launch, kernel, flow and every third time a memory event: about 2.3 KB."""
    name, inner = chance.choice(OPERATORS), chance.choice(OPERATORS)
    kernel, stream = chance.choice(KERNELS), chance.choice((7, 7, 7, 20))
    t, correlation = microseconds, 3 * index + 1000
    text = f'''  {{
    "ph": "X", "cat": "cpu_op", "name": "{name}", "pid": 5617, "tid": 5617,
    "ts": {t}.{index % 1000:03d}, "dur": 20.{index % 997:03d},
    "args": {{
      "External id": {2 * index},"Record function id": 0, "Sequence number": {index}, "Fwd thread id": 0, "Concrete Inputs": ["", "", ""], "Input type": ["float", "float", "float"], "Input Strides": [[768, 1], [768, 1], [1]], "Input Dims": [[{chance.choice((8, 16, 32))}, 768], [3072, 768], [3072]], "Ev Idx": {2 * index}
    }}
  }},
  {{
    "ph": "X", "cat": "cpu_op", "name": "{inner}", "pid": 5617, "tid": 5617,
    "ts": {t + 2}.{index % 1000:03d}, "dur": 15.{index % 997:03d},
    "args": {{
      "External id": {2 * index + 1},"Record function id": 0, "Concrete Inputs": ["", ""], "Input type": ["float", "float"], "Input Strides": [[768, 1], [768, 1]], "Input Dims": [[32, 768], [3072, 768]], "Ev Idx": {2 * index + 1}
    }}
  }},
  {{
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5617, "tid": 5617,
    "ts": {t + 5}.{index % 1000:03d}, "dur": 6.{index % 997:03d},
    "args": {{
      "External id": {2 * index + 1}, "cbid": 211, "correlation": {correlation}
    }}
  }},
  {{
    "ph": "s", "id": {correlation}, "pid": 5617, "tid": 5617, "ts": {t + 5}.{index % 1000:03d},
    "cat": "ac2g", "name": "ac2g"
  }},
  {{
    "ph": "X", "cat": "kernel", "name": "{kernel}", "pid": 0, "tid": {stream},
    "ts": {t + 9}.{index % 1000:03d}, "dur": 8.{index % 997:03d},
    "args": {{
      "External id": {2 * index + 1}, "queued": 0, "device": 0, "context": 1,
      "stream": {stream}, "correlation": {correlation},
      "registers per thread": {16 + index % 64}, "shared memory": 0,
      "blocks per SM": {index % 400 / 37:.6f}, "warps per SM": {index % 400 / 9:.6f},
      "grid": [{index % 4096}, 1, 1], "block": [128, 1, 1],
      "est. achieved occupancy %": {index % 100}
    }}
  }},
  {{
    "ph": "f", "id": {correlation}, "pid": 0, "tid": {stream}, "ts": {t + 9}.{index % 1000:03d},
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  }},
'''
    if index % 3 == 0:
        text += f'''  {{
    "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 5617, "tid": 5617,
    "ts": {t + 3}.{index % 1000:03d},
    "args": {{
      "Total Reserved": 2097152, "Total Allocated": {512 * (index % 9999)}, "Bytes": 512, "Addr": {139642271694848 + 512 * index}, "Device Id": 0, "Device Type": 1, "Ev Idx": {index}
    }}
  }},
'''
    return text


def make_trace(path, megabytes, most_events):
    """Writes steps until there are `megabytes` of text or `most_events` events; returns the number of events."""
    written, index, events = 0, 0, 0
    with open(path, "w") as file:
        file.write('{\n  "schemaVersion": 1,\n  "deviceProperties": [{"id": 0, "name": "Example GPU"}],\n  "traceEvents": [\n')
        while written < megabytes * 1_000_000 and events < most_events:
            chance = random.Random(1)  # Every step does the same.
            text = "".join(operator_text(chance, i, 1000 + 30 * i) for i in range(index, index + 1000))
            text += (f'  {{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#{index // 1000}", "pid": 5617, "tid": 5617, '
                     f'"ts": {1000 + 30 * index}.000, "dur": 29990.000, "args": {{"External id": {index}}}}},\n')
            written += file.write(text)
            events += text.count('"ph"')
            index += 1000
        file.write('  {"ph": "M", "name": "process_name", "pid": 5617, "tid": 0, "ts": 0, "args": {"name": "python"}}\n  ],\n'
                   '  "traceName": "bench", "baseTimeNanoseconds": 1751410836000000000\n}\n')
    return events + 1


class Trace:
    """One generated trace: `plain` and `packed` files of `megabytes` with `events`."""

    def __init__(self, name, megabytes, most_events):
        # The makers' own text is part of the name: files of another version of them are not taken for these.
        maker = hashlib.sha256((inspect.getsource(operator_text) + inspect.getsource(make_trace)).encode()).hexdigest()[:8]
        base = f"kineto-{name}-{maker}"
        self.plain, self.packed = CACHE / f"{base}.json", CACHE / f"{base}.json.gz"
        count = CACHE / f"{base}.count"
        if not count.exists():
            print(f"making {self.plain}", file=sys.stderr)
            events = make_trace(self.plain, megabytes, most_events)
            subprocess.run(["gzip", "-1", "-k", "-f", self.plain], check=True)
            count.write_text(str(events))
        self.events, self.megabytes = int(count.read_text()), self.plain.stat().st_size / 1e6

    def describe(self):
        with open(self.plain, "rb") as file:
            text = file.read(5_000_000)
        space = sum(text.count(c) for c in (b" ", b"\n")) / len(text)
        print(f"\n{self.megabytes:.0f} MB of JSON, {self.packed.stat().st_size / 1e6:.0f} MB packed, {self.events} events, "
              f"{space:.0%} white space")
        print(f"{'':<34}{'wall s':>8}{'MB/s':>9}{'user s':>9}{'sys s':>8}{'peak MiB':>10}{'x file':>10}{'B/event':>9}")


def measure(name, command, trace):
    """Runs `command` and prints its line; returns its peak of memory in bytes and what it said on standard error."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        said.seek(0)
        errors = said.read().decode(errors="replace")
    if status != 0:
        sys.exit(f"{name} failed: {errors[-500:]}")
    peak = usage.ru_maxrss * 1024
    print(f"{name:<34}{wall:8.2f}{trace.megabytes / wall:9.0f}{usage.ru_utime:9.2f}{usage.ru_stime:8.2f}{peak / 2**20:10.0f}"
          f"{peak / 1e6 / trace.megabytes:10.2f}{peak / trace.events:9.0f}", flush=True)
    return peak, errors


def measure_import(trace):
    """Returns the peak of memory of the import of the gzip file."""
    with tempfile.TemporaryDirectory(dir=CACHE) as store:
        for name, file in (("xsp import, plain", trace.plain), ("xsp import, gzip", trace.packed)):
            command = [XSP, "--store", store, "import", file, "--name", "bench", "--timing"]
            peak, said = measure(name, command, trace)
            shutil.rmtree(store)
            os.mkdir(store)
    print("\n".join("    " + line for line in said.splitlines() if not line.startswith("\r")))
    return peak


def measure_python(trace):
    for module in ("json", "orjson"):
        if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode != 0:
            print(f"{module}: not installed")
            continue
        for collector in ("", "gc.disable(); "):
            code = f"import gc, gzip, {module}; {collector}{module}.loads(gzip.open({str(trace.packed)!r}).read())"
            measure(f"python {module}, gzip{', no gc' if collector else ''}", [sys.executable, "-c", code], trace)


def measure_hta(trace):
    python = ROOT / ".deps" / "hta" / "bin" / "python"
    if not python.exists() or subprocess.run([python, "-c", "import hta"], capture_output=True).returncode != 0:
        print("HTA: not installed (see --help)")
        return
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        # It looks for the rank in the file and at every file of the folder.
        text = gzip.open(trace.packed).read().replace(b'"schemaVersion": 1,', b'"schemaVersion": 1, "distributedInfo": {"rank": 0},', 1)
        file = pathlib.Path(folder) / "rank-0.json.gz"
        with gzip.open(file, "wb", compresslevel=1) as out:
            out.write(text)
        code = f"from hta.trace_analysis import TraceAnalysis; TraceAnalysis(trace_files={{0: {str(file)!r}}}, trace_dir={folder!r})"
        measure("HTA, gzip", [python, "-c", code], trace)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = lambda text: [int(word) for word in text.split(",")]
    parser.add_argument("--megabytes", type=numbers, default=[200], help="sizes of the JSON text")
    parser.add_argument("--events", type=numbers, help="in place of sizes")
    parser.add_argument("--skip-python", action="store_true")
    parser.add_argument("--with-hta", action="store_true")
    arguments = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    if arguments.events:
        traces = [Trace(f"{events}-events", sys.maxsize, events) for events in arguments.events]
    else:
        traces = [Trace(str(megabytes), megabytes, sys.maxsize) for megabytes in arguments.megabytes]
    peaks = []
    for trace in traces:
        trace.describe()
        peaks.append(measure_import(trace))
        measure("gzip -dc", ["gzip", "-dc", trace.packed], trace)
        if not arguments.skip_python:
            measure_python(trace)
        if arguments.with_hta:
            measure_hta(trace)
    for i in range(1, len(traces)):
        more = traces[i].events - traces[i - 1].events
        print(f"\nfrom {traces[i - 1].events} to {traces[i].events} events: {(peaks[i] - peaks[i - 1]) / more:.0f} bytes of peak memory "
              f"for each further event (names are the same in both)")


if __name__ == "__main__":
    main()
