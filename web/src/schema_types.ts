// Made from schema/schema.sql by web/tools/schema_types.mjs. Do not edit.

/** One measured combination of model, backend, device, precision, batch size and settings. */
export interface PointRow {
  /** 1-based, in the requested order. */
  point_id: number;
  /** Model name. */
  model: string;
  /** Framework and version that ran it. */
  backend: string;
  /** cpu, cuda:0, .... */
  device: string;
  /** Data type in which most of the arithmetic ran. */
  precision: string;
  /** Items per model call; NULL: not known. */
  batch: number | null;
  /** JSON object: threads, graph, seed, .... */
  settings: string;
  /** ns per model call, trimmed mean, from the least profiled run that has it; from its baseline calls, if it made any. */
  latency_ns: number | null;
  /** Lower end of its 95 % interval, ns. */
  latency_low_ns: number | null;
  /** Upper end of its 95 % interval, ns. */
  latency_high_ns: number | null;
  /** Size of the model file, bytes. */
  model_bytes: number | null;
  /** Peak of memory allocated by the framework during a call, bytes. */
  peak_bytes: number | null;
  /** CPU cores that the job could use. */
  cores: number | null;
  /** done, partial (a rung is missing) or failed. */
  status: string;
}

/** One measured execution of one rung. */
export interface RunRow {
  /** 1-based in the experiment; the first column of raw views of an experiment. */
  run_id: number;
  /** The point it measured. */
  point_id: number;
  /** model, layer, library, kernel, counters, details (times discarded), imported, recorded (an unchanged program), or monitor (no model: the machine while another program ran). */
  rung: string;
  /** done, interrupted or failed. */
  status: string;
  /** Its folder, relative to the experiment. */
  path: string;
  /** Model calls after warm-up. */
  samples: number | null;
  /** Number of samples with interference. */
  disturbed: number | null;
  /** Calls before samples: warm-up, and the first call of each block. */
  warmup: number | null;
  /** ns per model call, trimmed mean of the samples without interference. */
  latency_ns: number | null;
  /** Lower end of its 95 % interval, ns. */
  latency_low_ns: number | null;
  /** Upper end of its 95 % interval, ns. */
  latency_high_ns: number | null;
  /** Nearest-rank median of all samples, ns. */
  p50_ns: number | null;
  /** Nearest-rank 95th percentile, ns. */
  p95_ns: number | null;
  /** Nearest-rank 99th percentile, ns. */
  p99_ns: number | null;
  /** Fastest sample, ns. */
  min_ns: number | null;
  /** Coefficient of variation of the samples. */
  variation: number | null;
  /** Overhead of the rung on a call of the rung above (less profiled), ns: overhead_ratio times baseline_ns; for a recorded program, the overhead of recording on its wall time; NULL: it cannot be separated from the difference between two processes. */
  overhead_ns: number | null;
  /** Latency in the rung divided by that in the rung above, minus 1: Hodges-Lehmann estimate of the log ratios of the pairs in overhead_basis. */
  overhead_ratio: number | null;
  /** Lower end of its 95 % interval; NULL: too few pairs. */
  overhead_ratio_low: number | null;
  /** Upper end of its 95 % interval; NULL: too few pairs. */
  overhead_ratio_high: number | null;
  /** ns per call of the rung above in that comparison, trimmed mean; NULL: none made. */
  baseline_ns: number | null;
  /** Time to load the model (reading, optimising, compiling), ns; NULL: not measured by XSP. */
  load_ns: number | null;
  /** Duration of the first call of the process, including warm-up, ns; NULL: not measured by XSP. */
  first_call_ns: number | null;
  /** Threads within one operator, as the framework reports them; NULL: not known. */
  threads: number | null;
  /** Effective graph optimisation; NULL: not known. */
  graph: string | null;
  /** Precision as the framework reports it; default: that of the model file; NULL: not known. */
  precision: string | null;
  /** Maximum memory of the process, including model and framework, bytes; NULL: not visible. */
  peak_resident_bytes: number | null;
  /** What went wrong and what to do; NULL: nothing. */
  message: string | null;
  /** 1-based, among the alternating processes of this rung and point; NULL: format version 1. */
  process: number | null;
  /** For a process that was measured only to determine the overhead of a rung: the pair, which has a process in each rung; NULL: another run. */
  process_pair: number | null;
  /** The comparison behind overhead_ratio: pairs of calls, pairs of blocks, pairs of processes, whole program, or first and later calls (of a recorded program whose profiler was ended: not alternating, so without an interval); NULL: no overhead is known. */
  overhead_basis: string | null;
  /** Independent pairs behind its interval (correlated neighbours count once); NULL: not known. */
  overhead_units: number | null;
}

/** Every model call of every run, in order, including baseline calls in the rung above, whose rung differs from that of the run. */
export interface SampleRow {
  /** The run. */
  run_id: number;
  /** 0-based in the run, for each rung. */
  iteration: number;
  /** ns. */
  latency_ns: number;
  /** Interference: it lost more than 5 % of its latency to waiting for a core or to the hypervisor. */
  disturbed: boolean;
  /** Source of interference: run queue, steal; NULL: none. */
  reason: string | null;
  /** Time that threads of the process were ready but not running, ns, summed over them; NULL: not recorded. */
  waited_ns: number | null;
  /** CPU time in the operating system, ns, summed over threads; NULL: not recorded. */
  system_ns: number | null;
  /** Page faults of the process, minor and major; NULL: not recorded. */
  page_faults: number | null;
  /** For a call that answered a request of an open loop: from its arrival to the start of the call, ns; latency_ns is the call alone, and the run's statistics exclude such calls; NULL: it followed the previous call. */
  queue_ns: number | null;
  /** The rung of the call; if it differs from the run's: a baseline call; NULL: the run's (format version 1, which has no baseline calls). */
  rung: string | null;
  /** Process that made the call: the run_id of its run; NULL: format version 1. */
  process: number | null;
  /** Block of consecutive calls of one process, 0-based in the run; NULL: not known. */
  block: number | null;
  /** Pair in the run: one call in the run's rung and one in the rung above, in random order; if run.process_pair is set, that pair of processes; NULL: a single call. */
  pair: number | null;
}

/** Layers in execution order, per model call. */
export interface LayerRow {
  /** The point. */
  point_id: number;
  /** 0-based, execution order. */
  layer_index: number;
  /** Display name, different for every layer of a point: its path, with the operator or position if several layers share the path; else node; else type and position. */
  name: string;
  /** Operator type. */
  type: string;
  /** Output shape if known, else input shapes. */
  shape: string | null;
  /** ns, from the least profiled run that contains layers. */
  latency_ns: number | null;
  /** Union of its kernels' intervals, ns. */
  device_ns: number | null;
  /** Sum of its kernels' durations, ns. */
  kernel_ns: number | null;
  /** ns between the end of the previous layer (or the start of the model span) and its start. */
  gap_before_ns: number | null;
  /** Bytes allocated within it, frees not subtracted. */
  allocated_bytes: number | null;
  /** Peak above the level at its start, bytes. */
  peak_bytes: number | null;
  /** FLOP, all data types. */
  flops: number | null;
  /** Bytes read by its kernels, of the kind in traffic_provenance. */
  read_bytes: number | null;
  /** Bytes written by its kernels. */
  write_bytes: number | null;
  /** 0 to 1, weighted by kernel time; NULL: not known. */
  occupancy: number | null;
  /** Data type with the most kernel time. */
  dtype: string | null;
  /** Of flops. */
  flops_provenance: string | null;
  /** Of read_bytes and write_bytes. */
  traffic_provenance: string | null;
  /** The run of latency_ns. */
  source_run: number | null;
  /** all (found in every run that contains layers), partial, or single (one run only). */
  matched: string;
  /** Its latency in the run of device_ns and kernel_ns, from which they can be subtracted, ns; NULL: no kernels, or not in that run. */
  kernel_run_ns: number | null;
  /** Its place in the model: layer1.0.conv2, from modules, scopes or node names; for fused nodes that of the first; NULL: not known, or the model itself (before format version 3: not recorded). */
  path: string | null;
  /** The framework's name: the node of its graph; NULL: the framework has no names. */
  node: string | null;
}

/** Kernels in execution order, per model call. */
export interface KernelRow {
  /** The point. */
  point_id: number;
  /** 0-based, execution order. */
  kernel_index: number;
  /** Its outermost layer; NULL: not attributed. */
  layer_index: number | null;
  /** Kernel name; primitives: kind and implementation; native: the operator. */
  name: string;
  /** kernel, primitive, native, memcpy or memset. */
  type: string;
  /** Data type of its arithmetic. */
  dtype: string | null;
  /** vector or tensor: the unit whose roof applies. */
  unit: string | null;
  /** The library's name of the implementation. */
  implementation: string | null;
  /** Problem description: shapes, strides, algorithm. */
  problem: string | null;
  /** ns, from the kernel rung. */
  duration_ns: number | null;
  /** FLOP. */
  flops: number | null;
  /** Bytes read. */
  read_bytes: number | null;
  /** Bytes written. */
  write_bytes: number | null;
  /** 0 to 1; NULL: not known (CPU kernels have none). */
  occupancy: number | null;
  /** Of flops. */
  flops_provenance: string | null;
  /** Of read_bytes and write_bytes; analytic: operands once. */
  traffic_provenance: string | null;
  /** 0 to 1: confidence in its layer. */
  confidence: number | null;
  /** How it was attributed to its layer: id, nesting, launch, concurrent, ...; kernels of replayed graphs: sequence, with the reference (sequence: capture, sequence: eager iteration, sequence: other run); NULL: not attributed. */
  placed_by: string | null;
  /** The run of duration_ns. */
  source_run: number | null;
  /** all, partial or single, as for layers. */
  matched: string;
}

/** How layers and kernels were matched between runs, with the number of unmatched ones. */
export interface MatchRow {
  /** The point. */
  point_id: number;
  /** layer or kernel. */
  level: string;
  /** A run. */
  run_a: number;
  /** Another run (or the same: between its iterations). */
  run_b: number;
  /** Events in both. */
  matched: number;
  /** Events only in run_a. */
  only_a: number;
  /** Events only in run_b. */
  only_b: number;
  /** An unmatched event; NULL: none. */
  example: string | null;
}

/** Peak rates of the machine. */
export interface RoofRow {
  /** flops (FLOP/s) or bandwidth (byte/s). */
  kind: string;
  /** float32 vector, DRAM triad, L2 read, .... */
  name: string;
  /** flops: the data type. */
  dtype: string | null;
  /** flops: vector or tensor (AMX counts as tensor). */
  unit: string | null;
  /** Cores that ran; NULL: a device. */
  cores: number | null;
  /** FLOP/s or byte/s. */
  value: number;
  /** measured:<source> or data_sheet. */
  provenance: string;
  /** How it was measured or derived. */
  how: string;
  /** True: the roof with which analyses compare this job (all cores of the job; best dram bandwidth). */
  used: boolean;
}

/** Problems and notes of reading, placing and storing events. */
export interface DiagnosticRow {
  /** Stable id. */
  name: string;
  /** Number of occurrences. */
  count: number;
  /** The first one. */
  example: string;
  /** What to do. */
  hint: string;
  /** loss: something could not be kept or read as it stood; note: nothing of the source is missing, it has less or was placed by an assumption; NULL: stored by a version without this column. */
  kind: string | null;
}
