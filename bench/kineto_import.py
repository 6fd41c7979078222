#!/usr/bin/env python3
"""How fast and in how much memory a Kineto trace becomes a run directory, beside what Python does with the same file.

Makes a trace of the size asked for (kept in the cache folder): training steps of operators, launches, kernels on two
streams, flows and memory events, with unique ids and a realistic number of distinct names. Then runs `xsp import` on it,
plain and gzip, and the parsers of Python (`json`, `orjson` where it is installed; parse only, with and without the cycle
collector), each in a process of its own, and prints wall time, MB/s of JSON text, CPU seconds and peak memory.

Usage: python3 bench/kineto_import.py [--megabytes N] [--skip-python]
Example: python3 bench/kineto_import.py --megabytes 1000
"""
import argparse
import json
import os
import pathlib
import random
import resource
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


def make_trace(path, megabytes):
    """Returns the number of events."""
    written, index, events = 0, 0, 0
    with open(path, "w") as file:
        file.write('{\n  "schemaVersion": 1,\n  "deviceProperties": [{"id": 0, "name": "Example GPU"}],\n  "traceEvents": [\n')
        while written < megabytes * 1_000_000:
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


def measure(name, command, megabytes, environment=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               env={**os.environ, **(environment or {})})
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"{name} failed: {process.stderr.read().decode()[-500:]}")
    del before
    print(f"{name:<34}{wall:8.2f}{megabytes / wall:9.0f}{usage.ru_utime:9.2f}{usage.ru_stime:8.2f}{usage.ru_maxrss / 1024:10.0f}"
          f"{usage.ru_maxrss * 1.024e-3 / megabytes:10.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--skip-python", action="store_true")
    arguments = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    plain = CACHE / f"kineto-{arguments.megabytes}.json"
    packed = CACHE / f"kineto-{arguments.megabytes}.json.gz"
    count = CACHE / f"kineto-{arguments.megabytes}.count"
    if not count.exists():
        print("making the trace", file=sys.stderr)
        events = make_trace(plain, arguments.megabytes)
        subprocess.run(["gzip", "-1", "-k", "-f", plain], check=True)
        count.write_text(str(events))
    events, megabytes = int(count.read_text()), plain.stat().st_size / 1e6
    with open(plain, "rb") as file:
        text = file.read(50_000_000)
        space = sum(text.count(c) for c in (b" ", b"\n")) / len(text)
    print(f"{megabytes:.0f} MB of JSON, {packed.stat().st_size / 1e6:.0f} MB packed, {events} events, {space:.0%} white space")
    print(f"{'':<34}{'wall s':>8}{'MB/s':>9}{'user s':>9}{'sys s':>8}{'peak MiB':>10}{'x file':>10}")
    with tempfile.TemporaryDirectory(dir=CACHE) as store:
        for name, file in (("xsp import, plain", plain), ("xsp import, gzip", packed)):
            measure(name, [XSP, "--store", store, "import", file, "--name", "bench"], megabytes)
            shutil.rmtree(store)
            os.mkdir(store)
    measure("gzip -dc", ["gzip", "-dc", packed], megabytes)
    if arguments.skip_python:
        return
    for module in ("json", "orjson"):
        if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode != 0:
            print(f"{module}: not installed")
            continue
        for collector in ("", "gc.disable(); "):
            code = f"import gc, gzip, {module}; {collector}{module}.loads(gzip.open({str(packed)!r}).read())"
            measure(f"python {module}, gzip{', no gc' if collector else ''}", [sys.executable, "-c", code], megabytes)


if __name__ == "__main__":
    main()
