#!/usr/bin/env python3
"""Imports real traces, classes their kernels (xsp suite kernels), and holds the classed share and the kinds against what
TraceLens says of the same kernels. Needs the reference data folder (../shared/data beside the checkout, or
XSP_REFERENCE_DATA); skipped without it.
"""
import csv
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
TRACES = pathlib.Path(os.environ.get("XSP_REFERENCE_DATA", ROOT.parent / "shared" / "data")) / "traces"
LENS = TRACES / "D06_tracelens_h100_vs_mi300"
REPLAY = TRACES / "D17_graph_replay_sglang"
LEAST_PERCENT = 95

# What each trace is made of; a folder's ranks are one run.
INPUTS = {
    "D01": ["D01_hta_simple_add_critical_path/input/trace.json.gz"],
    "D02": ["D02_hta_nccl_2rank_rank0/nccl_data.json.gz"],
    "D03": ["D03_hta_sampled_ranks_0_1_of_128/sampled_rank-0.json.gz", "D03_hta_sampled_ranks_0_1_of_128/sampled_rank-1.json.gz"],
    "D05": ["D05_kineto_tb_resnet50_old_schema/worker0.1623143089861.pt.trace.json.gz"],
    "D06-h100-vit": ["D06_tracelens_h100_vs_mi300/h100/Falconsai_nsfw_image_detection__1016002.json.gz"],
    "D06-h100-bert": ["D06_tracelens_h100_vs_mi300/h100/gaunernst_bert-small-uncased__1016001.json.gz"],
    "D06-mi300-vit": ["D06_tracelens_h100_vs_mi300/mi300/Falconsai_nsfw_image_detection__1016002.json.gz"],
    "D06-mi300-bert": ["D06_tracelens_h100_vs_mi300/mi300/gaunernst_bert-small-uncased__1016001.json.gz"],
    "D06-mi210": ["D06_tracelens_h100_vs_mi300/mi210_gpu_only/gpu_only_trace.json.gz"],
    "D16": ["D16_execution_trace/linear_kineto.json.gz"],
    "D17": ["D17_graph_replay_sglang/sglang_Qwen3-8B_decode.json.gz", "D17_graph_replay_sglang/capture_traces/bs_32_rank0.json.gz"],
}

# A category of TraceLens is that of the operator, which may launch helpers of other kinds beside its own work.
HELPERS = {"layout", "pointwise", "copy"}
KINDS = {
    "GEMM": {"matrix_product"},
    "CONV_fwd": {"convolution_forward", "convolution"} | HELPERS,
    "NORM_fwd": {"normalisation"},
    "RMSNorm": {"normalisation"},
    "elementwise": {"pointwise", "copy"},
    "reduce": {"reduction", "sort_scan", "pointwise"},
    "InferenceAttention": {"attention"},
    "RoPE_fwd": {"attention"},
    "multi_tensor_apply": {"pointwise"},
}
OTHER = {"aten::_flash_attention_forward": {"attention"}, "aten::cat": {"layout"}, "aten::index_select": {"indexing"},
         "aten::gather": {"indexing"}, "aten::arange": {"pointwise"}}


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def xsp(*arguments):
    done = subprocess.run([str(XSP), *map(str, arguments)], capture_output=True, text=True, timeout=900, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)


@unittest.skipUnless(TRACES.is_dir(), "no reference data: ../shared/data or XSP_REFERENCE_DATA")
class KernelClassesTest(unittest.TestCase):
    def tables(self, *sources, store=None):
        arguments = ["suite", "kernels", *sources, "--format", "json"]
        answer = xsp(*(["--store", store] if store else []), *arguments)
        return {table["id"]: table["rows"] for table in answer["tables"]}

    def kinds_of(self, names):
        """The kind that each name gets, asked one workload a name."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kernels.csv"
            with open(path, "w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["workload", "name", "type", "time_ms"])
                for i, name in enumerate(names):
                    kind = "memcpy" if name.startswith("Memcpy") else "kernel"
                    writer.writerow([f"w{i}", name, kind, 1.5])
            rows = self.tables(path)["by_workload"]
        found = {row["workload"]: (row["class"], row["kind"]) for row in rows}
        return [found[f"w{i}"] for i in range(len(names))]

    def test_nearly_all_kernel_time_of_each_trace_is_classed(self):
        with tempfile.TemporaryDirectory() as store:
            for name, files in INPUTS.items():
                xsp("import", "--store", store, "--name", name, "--format", "json", *[TRACES / file for file in files])
            tables = self.tables(*INPUTS, store=store)
            shares = {row["workload"]: row["classed_percent"] for row in tables["workloads"]}
            for name in INPUTS:
                with self.subTest(name):
                    self.assertGreaterEqual(shares[name], LEAST_PERCENT)
                print(f"{name}: {shares[name]:.2f} % classed")

    def test_kinds_agree_with_the_categories_of_tracelens(self):
        compared = 0
        for path in sorted(LENS.glob("*/reference/*/kernel_summary.csv")):
            rows = [row for row in rows_of(path) if row.get("Parent op category")]
            for row, (name, kind) in zip(rows, self.kinds_of([row["Kernel name"] for row in rows])):
                allowed = KINDS.get(row["Parent op category"]) or OTHER.get(row["Parent cpu_op"])
                with self.subTest(path=path.parent.name, kernel=row["Kernel name"][:80]):
                    self.assertIsNotNone(allowed, f"{row['Parent op category']}, {row['Parent cpu_op']}")
                    self.assertIn(kind, allowed, f"class {name}; TraceLens: {row['Parent op category']}")
                compared += 1
        self.assertGreater(compared, 50)

    def test_kinds_agree_with_tracelens_on_a_replayed_graph(self):
        cases = []
        for row in rows_of(REPLAY / "perf_csvs" / "unified_perf_summary.csv"):
            allowed = KINDS.get(row["op category"]) or OTHER.get(row["name"])
            # The names of others are Python's representation of a list of dictionaries.
            names = re.findall(r"'name': '([^']*)'", row["kernel_details_summary"])
            cases += [(name, row["op category"], allowed) for name in names if allowed]
        self.assertGreater(len(cases), 20)
        for (kernel, category, allowed), (name, kind) in zip(cases, self.kinds_of([case[0] for case in cases])):
            with self.subTest(kernel=kernel[:80]):
                self.assertIn(kind, allowed, f"class {name}; TraceLens: {category}")

    def test_kernels_of_files_that_cannot_be_imported_are_classed_from_their_tables(self):
        names = [row["Kernel_Name"] for row in rows_of(TRACES / "D12_amd" / "pmc_mi200" / "pmc_dispatch_info.csv")]
        self.assertEqual({kind for _, kind in self.kinds_of(sorted(set(names)))}, {"pointwise"})


if __name__ == "__main__":
    if not TRACES.is_dir():
        print("skipped: no reference data")
        raise SystemExit(77)
    unittest.main()
