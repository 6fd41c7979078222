#!/usr/bin/env python3
"""The step "metrics" of tools/gpu_check: kernel metrics by CUPTI's range profiler on a program whose work is known. Reads what the
library kept (src/capture/record/cuda/metrics/capture_file.h), so that it needs no xsp. Fails where nothing was measured or the figures are not those
of the program. Usage: gpu_check_metrics.py OUT LIBRARY NVCC, or gpu_check_metrics.py --read KEPT (prints what is in it)."""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import time

PROGRAM = r"""
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
constexpr int kThreads = 1 << 20, kFmas = 1000;
constexpr size_t kFloats = size_t{1} << 27;  // 512 MiB: far more than any L2
__global__ void Fma(float* x) {
  float a = x[threadIdx.x], b = a + 1.0f;  // One addition each.
#pragma unroll 1
  for (int i = 0; i < kFmas; ++i) a = fmaf(a, b, 1.0f);
  if (a == 42.0f) x[0] = a;
}
__global__ void Half(float* x) {
  __half2 a = __float2half2_rn(x[threadIdx.x]), b = __float2half2_rn(x[threadIdx.x + 1]), c = b;
#pragma unroll 1
  for (int i = 0; i < kFmas; ++i) a = __hfma2(a, b, c);
  if (__low2float(a) == 42.0f) x[0] = 1;
}
// Products by tensor cores: M x 16 x K by each warp; the type in registers, and that of the sums.
template <typename T, typename Storage, typename Sum, int M, int N, int K>
__device__ void Products(float* x) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, M, N, K, T, row_major> a;
  fragment<matrix_b, M, N, K, T, col_major> b;
  fragment<accumulator, M, N, K, Sum> c;
  fill_fragment(a, Storage(x[0]));
  fill_fragment(b, Storage(x[1]));
  // Sums that differ and are all used: the compiler leaves out what is not needed.
  for (int i = 0; i < c.num_elements; ++i) c.x[i] = Sum(x[2 + i]);
#pragma unroll 1
  for (int i = 0; i < kFmas; ++i) mma_sync(c, a, b, c);
  Sum sum = 0;
  for (int i = 0; i < c.num_elements; ++i) sum += c.x[i];
  if (sum == Sum(42)) x[0] = 1;
}
__global__ void MatrixF16(float* x) { Products<__half, __half, float, 16, 16, 16>(x); }
__global__ void MatrixBf16(float* x) { Products<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16>(x); }
__global__ void MatrixTf32(float* x) { Products<nvcuda::wmma::precision::tf32, float, float, 16, 16, 8>(x); }
__global__ void MatrixF64(float* x) { Products<double, double, double, 8, 8, 4>(x); }
__global__ void MatrixI8(float* x) { Products<signed char, signed char, int, 16, 16, 16>(x); }
__global__ void Copy(const float4* from, float4* to) {
  size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  to[i] = from[i];
}
int main() {
  float *x = nullptr, *y = nullptr;
  if (cudaMalloc(&x, kFloats * 4) != cudaSuccess || cudaMalloc(&y, kFloats * 4) != cudaSuccess) return 1;
  cudaMemset(x, 0, kFloats * 4);
  for (int i = 0; i < 70; ++i) {  // More than a batch.
    Fma<<<kThreads / 256, 256>>>(x);
    if (i % 25 != 0) continue;
    Half<<<kThreads / 256, 256>>>(x);
    MatrixF16<<<kThreads / 256, 256>>>(x);
    MatrixBf16<<<kThreads / 256, 256>>>(x);
    MatrixTf32<<<kThreads / 256, 256>>>(x);
    MatrixF64<<<kThreads / 256, 256>>>(x);
    MatrixI8<<<kThreads / 256, 256>>>(x);
    Copy<<<kFloats / 4 / 256, 256>>>(reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(y));
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""
THREADS, FMAS = 1 << 20, 1000
# By kernel: the counter of its products, and how many multiply-adds one is.
PRODUCTS = {"MatrixF16": ("sm__ops_path_tensor_src_fp16", 16 ** 3), "MatrixBf16": ("sm__ops_path_tensor_src_bf16", 16 ** 3),
            "MatrixTf32": ("sm__ops_path_tensor_src_tf32", 16 * 16 * 8), "MatrixF64": ("sm__ops_path_tensor_src_fp64", 8 * 8 * 4),
            "MatrixI8": ("sm__ops_path_tensor_src_int8", 16 ** 3)}
COUNTS = {"Fma": 70, "Half": 3, "Copy": 3, **{kernel: 3 for kernel in PRODUCTS}}
FMA_FLOPS = THREADS * (2 * FMAS + 1)
HALF_INSTRUCTIONS = THREADS * FMAS
COPY_BYTES = 4 << 27
SETS = "roofline,l2,occupancy"


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def text(self):
        (length,) = self.take("I")
        self.at += length
        return self.data[self.at - length:self.at].decode()


def read_kept(path):
    """Launches with the raw values of their range: [{"kernel", "seconds", "raw": {name: value}}], the plans, and launches without."""
    data = pathlib.Path(path).read_bytes()
    if data[:8] != b"XSPCUMET" or struct.unpack_from("<I", data, 8)[0] != 1:
        raise ValueError(f"no kept metrics: {path}")
    plans, launches, untied = {}, [], 0
    at = 16
    while at + 16 <= len(data):
        kind, context, length = struct.unpack_from("<IIQ", data, at)
        reader = Reader(data[at + 16:at + 16 + length])
        at += 16 + (length + 7) // 8 * 8
        if kind == 1:
            capability, passes, count = reader.take("III")
            chip, asked = reader.text(), reader.text()
            reader.text()  # The table.
            plans[context] = {"chip": chip, "asked": asked, "compute_capability": capability / 10, "passes": passes,
                              "raw": [reader.text() for _ in range(count)]}
        elif kind == 4:
            ranges, values, count = reader.take("III")
            names = [reader.text() for _ in range(ranges)]
            numbers = reader.take(f"{values}d")
            batch = []
            for _ in range(count):
                start, end, _ = reader.take("QQQ")
                reader.take("10I")
                reader.text()
                batch.append({"kernel": reader.text(), "seconds": (end - start) / 1e9})
            if ranges != count:
                untied += count
                continue
            order = sorted(range(ranges), key=lambda i: int(names[i])) if all(name.isdigit() for name in names) else range(ranges)
            raw = plans[context]["raw"]
            for launch, place in zip(batch, order):
                launch["raw"] = dict(zip(raw, numbers[place * len(raw):(place + 1) * len(raw)]))
                launches.append(launch)
    return launches, list(plans.values()), untied


def flops_of(raw):
    name = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
    return sum(raw.get(name.format(op), 0) * factor for op, factor in (("fadd", 1), ("fmul", 1), ("ffma", 2)))


def check(launches, problems):
    """Figures of the known kernels, and what is wrong with them."""
    by_kernel = {kernel: [launch["raw"] for launch in launches if kernel in launch["kernel"]] for kernel in COUNTS}
    counts = {kernel: len(raw) for kernel, raw in by_kernel.items()}
    if counts != COUNTS:
        problems.append(f"measured {counts} kernels of {COUNTS}")
    fma, copy = by_kernel["Fma"], by_kernel["Copy"]
    figures = {}
    known = [("Half", "smsp__sass_thread_inst_executed_op_hfma", HALF_INSTRUCTIONS)]
    known += [(kernel, start, THREADS // 32 * FMAS * 2 * products) for kernel, (start, products) in PRODUCTS.items()]
    for kernel, start, expected in known:
        for raw in by_kernel[kernel][:1]:
            counted = sum(value for name, value in raw.items() if name.startswith(start))
            figures[f"{kernel.lower()}_to_expected"] = counted / expected
            if not 0.999 < counted / expected < 1.01:
                problems.append(f"{start} is not that of the program")
    if fma:
        figures["flops_to_expected"] = sum(map(flops_of, fma)) / len(fma) / FMA_FLOPS
        if not 0.999 < figures["flops_to_expected"] < 1.01:
            problems.append("FLOPs are not those of the program")
        figures["occupancy"] = sum(raw.get("sm__warps_active.avg.pct_of_peak_sustained_active", 0) for raw in fma) / len(fma) / 100
        if not 0.1 < figures["occupancy"] <= 1:
            problems.append("occupancy is none")
    if copy:
        for key, name in (("dram_read_to_expected", "dram__bytes_read.sum"), ("dram_write_to_expected", "dram__bytes_write.sum")):
            figures[key] = sum(raw.get(name, 0) for raw in copy) / len(copy) / COPY_BYTES
            # What is left in the L2 at the end is written later: tens of MiB of 512.
            if not 0.8 < figures[key] < 1.3:
                problems.append(f"{name} is not that of the program")
        for key, name in (("l2_read_to_expected", "lts__t_sectors_srcunit_tex_op_read.sum"),
                          ("l2_write_to_expected", "lts__t_sectors_srcunit_tex_op_write.sum")):
            figures[key] = sum(raw.get(name, 0) for raw in copy) / len(copy) * 32 / COPY_BYTES
            if not 0.95 < figures[key] < 1.05:
                problems.append(f"{name} is not that of the program")
    return figures


def timed(command, environment):
    start = time.monotonic()
    subprocess.run(command, check=True, env=environment)
    return time.monotonic() - start


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--read":
        launches, plans, untied = read_kept(sys.argv[2])
        print(json.dumps({"plans": plans, "untied": untied, "launches": launches}))
        return
    out, library, nvcc = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    out.mkdir(parents=True, exist_ok=True)
    (out / "known.cu").write_text(PROGRAM)
    subprocess.run([nvcc, "-O2", "-arch=native", "-o", out / "known", out / "known.cu"], check=True)
    kept = out / "kept.metrics"
    kept.unlink(missing_ok=True)
    folder = out / "recordings"
    folder.mkdir(exist_ok=True)
    bare = timed([out / "known"], dict(os.environ))
    measured = timed([out / "known"], {**os.environ, "XSP_RECORD_FOLDER": str(folder), "CUDA_INJECTION64_PATH": library,
                                       "XSP_RECORD_CUDA_METRICS": SETS, "XSP_RECORD_CUDA_KEEP": str(kept)})
    problems = []
    launches, plans, untied = read_kept(kept) if kept.exists() else ([], [], 0)
    figures = check(launches, problems)
    print(json.dumps({"plans": plans, "kernels": len(launches), "untied": untied, **figures, "bare_s": bare, "measured_s": measured,
                      "slowdown": measured / bare, "problems": problems}))
    if not launches:
        # Why stands in the recording, as text among its records.
        for recording in folder.glob("*.xspr"):
            for text in re.findall(rb"[\n -~]{40,}", recording.read_bytes()):
                if b"measured" in text or b"CUPTI" in text:
                    print(text.decode().strip(), file=sys.stderr)
        sys.exit("no kernel was measured")
    if problems or untied:
        sys.exit("; ".join(problems) or f"{untied} kernels could not be tied to their ranges")


if __name__ == "__main__":
    main()
