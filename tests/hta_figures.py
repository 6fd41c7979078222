#!/usr/bin/env python3
"""Prints what Holistic Trace Analysis says of Kineto traces, as JSON: the figures of tests/hta_figures.json, which
device_reference_test compares with XSP's. Needs that package (`pip install HolisticTraceAnalysis 'pandas<3'`).

Usage: tests/hta_figures.py FILE [...]
Example: tests/hta_figures.py nccl_data.json.gz
"""
import contextlib
import importlib.metadata
import io
import json
import logging
import os
import sys
import warnings

# Without it, it moves every start up and every end down to whole microseconds.
os.environ["HTA_DISABLE_NS_ROUNDING"] = "1"


def figures_of(path, all_steps):
    from hta.trace_analysis import TraceAnalysis
    analysis = TraceAnalysis(trace_files={0: path}, trace_dir=os.path.dirname(path), include_last_profiler_step=all_steps)
    time = analysis.get_temporal_breakdown(visualize=False).iloc[0]
    idle = {}
    for row in analysis.get_idle_time_breakdown(ranks=[0], visualize=False)[0].to_dict("records"):
        if row["idle_time"]:
            idle.setdefault(str(row["stream"]), {})[row["idle_category"]] = row["idle_time"]
    overlap = analysis.get_comm_comp_overlap(visualize=False).iloc[0]["comp_comm_overlap_pctg"]
    launches = analysis.get_cuda_kernel_launch_stats(ranks=[0], visualize=False)[0]
    return {
        "time_us": {name: round(float(time[f"{name}_time(us)"]), 2) for name in ("idle", "compute", "non_compute", "kernel")},
        "idle_us": idle,
        "overlap_percent": None if overlap != overlap else float(overlap),
        "launches": {"count": len(launches), "call_us": round(float(launches.cpu_duration.sum()), 2),
                     "device_us": round(float(launches.gpu_duration.sum()), 2),
                     "delay_us": round(float(launches.launch_delay.sum()), 2),
                     "short": int((launches.gpu_duration < launches.cpu_duration).sum())},
    }


def figures(paths):
    """{file: {"all" or "without_last": figures}}; a path is named from its last folder but one."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    found = {"version": importlib.metadata.version("HolisticTraceAnalysis")}
    with contextlib.redirect_stdout(io.StringIO()):
        for path in paths:
            found["/".join(str(path).split("/")[-2:])] = {
                name: figures_of(str(path), all_steps) for name, all_steps in (("all", True), ("without_last", False))}
    return found


if __name__ == "__main__":
    print(json.dumps(figures(sys.argv[1:]), indent=1))
