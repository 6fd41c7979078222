// Made from schema/schema.sql by web/tools/schema_types.mjs. Do not edit.

/** One thing measured. */
export interface PointRow {
  /** 1-based, in the order asked for. */
  point_id: number;
  /** Model name. */
  model: string;
  /** Framework and version that ran it. */
  backend: string;
  /** cpu, cuda:0, .... */
  device: string;
  /** Data type that most of the arithmetic really ran in. */
  precision: string;
  /** Items per model call; NULL: not known. */
  batch: number | null;
  /** JSON object: threads, graph, seed, .... */
  settings: string;
  /** ns per model call, trimmed mean, from the least profiled run that has it; of its baseline calls, where it made such. */
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
  /** 1-based in the experiment; raw views of an experiment lead with it. */
  run_id: number;
  /** The point it measured. */
  point_id: number;
  /** model, layer, library, kernel, counters, details (times thrown away), imported, recorded (an unchanged program, whole), or monitor (no model: the machine, while another program ran). */
  rung: string;
  /** done, interrupted or failed. */
  status: string;
  /** Its folder, relative to the experiment. */
  path: string;
  /** Model calls kept (after warm-up). */
  samples: number | null;
  /** Of these, marked disturbed. */
  disturbed: number | null;
  /** Calls made before samples: warm-up, and one that leads each block in. */
  warmup: number | null;
  /** ns per model call, trimmed mean of the undisturbed samples. */
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
  /** What the rung adds to a call of the rung above (less profiled), ns: overhead_ratio times baseline_ns; of a recorded program what recording adds to its wall time; NULL: it cannot be separated from what two processes differ in. */
  overhead_ns: number | null;
  /** Latency with the rung over that of the rung above, less 1: Hodges-Lehmann estimate of the log ratios of what overhead_basis says. */
  overhead_ratio: number | null;
  /** Lower end of its 95 % interval; NULL: too few pairs. */
  overhead_ratio_low: number | null;
  /** Upper end of its 95 % interval; NULL: too few pairs. */
  overhead_ratio_high: number | null;
  /** ns per call of the rung above in that comparison, trimmed mean; NULL: none made. */
  baseline_ns: number | null;
  /** Loading the model (reading, optimising, compiling), ns; NULL: not measured by us. */
  load_ns: number | null;
  /** The first call of the process, warm-up included, ns; NULL: not measured by us. */
  first_call_ns: number | null;
  /** Threads that the framework says it used for one operator; NULL: not known. */
  threads: number | null;
  /** Graph optimisation that really ran; NULL: not known. */
  graph: string | null;
  /** Precision that the framework says it ran in; default: what the model file has; NULL: not known. */
  precision: string | null;
  /** Most memory that the process held, model and framework included, bytes; NULL: not visible. */
  peak_resident_bytes: number | null;
  /** What went wrong and what to do; NULL: nothing. */
  message: string | null;
  /** 1-based, of the processes of this rung and point that took turns; NULL: format version 1. */
  process: number | null;
  /** Of a process that was measured only to tell what a rung costs: the pair, which has a process of either rung; NULL: another run. */
  process_pair: number | null;
  /** What overhead_ratio compares: pairs of calls, pairs of blocks, pairs of processes, whole program, or first and later calls (of a recorded program whose profiler was ended: not in turns, so without an interval); NULL: no overhead is known. */
  overhead_basis: string | null;
  /** Independent pairs that its interval rests on (neighbours that resemble each other count once); NULL: not known. */
  overhead_units: number | null;
}

/** Every model call of every run, in order, and the calls of the rung above that its process made beside them for comparison: those have another rung than the run. */
export interface SampleRow {
  /** The run. */
  run_id: number;
  /** 0-based in the run, for each rung. */
  iteration: number;
  /** ns. */
  latency_ns: number;
  /** It lost more than 5 % of its latency to others: waiting for a core, or to the hypervisor. */
  disturbed: boolean;
  /** What: run queue, steal; NULL: undisturbed. */
  reason: string | null;
  /** Time that threads of the process were ready but not running, ns, summed over them; NULL: not recorded. */
  waited_ns: number | null;
  /** CPU time in the operating system, ns, summed over threads; NULL: not recorded. */
  system_ns: number | null;
  /** Page faults of the process, minor and major; NULL: not recorded. */
  page_faults: number | null;
  /** Of a call that answered a request of an open loop: from its arrival to the start of the call, ns; latency_ns is the call alone, and the run's statistics leave such calls out; NULL: it followed the call before. */
  queue_ns: number | null;
  /** In which the call was made; another than the run's: a baseline call; NULL: the run's (format version 1, which has no baseline calls). */
  rung: string | null;
  /** Process that made the call: the run_id of its run; NULL: format version 1. */
  process: number | null;
  /** Calls of one process that followed one another, 0-based in the run; NULL: not known. */
  block: number | null;
  /** Pair in the run: one call in the run's rung and one in the rung above, in random order; where run.process_pair is set, that pair of processes; NULL: the call was made for itself. */
  pair: number | null;
}

/** Layers in execution order, per model call. */
export interface LayerRow {
  /** The point. */
  point_id: number;
  /** 0-based, execution order. */
  layer_index: number;
  /** What to call it, different for every layer of a point: its path, with the operator or position where several layers share that; else node; else type and position. */
  name: string;
  /** Operator type. */
  type: string;
  /** Output shape where known, else input shapes. */
  shape: string | null;
  /** ns, from the least profiled run that shows layers. */
  latency_ns: number | null;
  /** Union of its kernels' intervals, ns. */
  device_ns: number | null;
  /** Sum of its kernels' durations, ns. */
  kernel_ns: number | null;
  /** ns between the end of the layer before (or of the model span's start) and its start. */
  gap_before_ns: number | null;
  /** Allocated within it, frees not subtracted, bytes. */
  allocated_bytes: number | null;
  /** Peak above the level at its start, bytes. */
  peak_bytes: number | null;
  /** FLOP, all data types. */
  flops: number | null;
  /** Bytes read by its kernels (traffic_provenance says which kind). */
  read_bytes: number | null;
  /** Bytes written by its kernels. */
  write_bytes: number | null;
  /** 0 to 1, weighted by kernel time; NULL: not known. */
  occupancy: number | null;
  /** Data type of most of its kernel time. */
  dtype: string | null;
  /** Of flops. */
  flops_provenance: string | null;
  /** Of read_bytes and write_bytes. */
  traffic_provenance: string | null;
  /** The run that latency_ns is from. */
  source_run: number | null;
  /** all (found in every run that shows layers), partial, or single (one run only). */
  matched: string;
  /** Its latency in the run that device_ns and kernel_ns are from, which they can be subtracted from, ns; NULL: no kernels, or not in that run. */
  kernel_run_ns: number | null;
  /** Its place in the model: layer1.0.conv2, from modules, scopes or node names; of fused nodes that of the first; NULL: not known, or the model itself (before format version 3: not recorded). */
  path: string | null;
  /** As the framework names it: the node of its graph; NULL: it gives no names. */
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
  /** vector or tensor: the unit that its roof is of. */
  unit: string | null;
  /** As the library calls it. */
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
  /** 0 to 1: how sure its layer is. */
  confidence: number | null;
  /** What tied it to its layer: id, nesting, launch, concurrent, ...; kernels of replayed graphs: sequence, with what told it (sequence: capture, sequence: eager iteration, sequence: other run); NULL: not attributed. */
  placed_by: string | null;
  /** The run that duration_ns is from. */
  source_run: number | null;
  /** all, partial or single, as for layers. */
  matched: string;
}

/** How layers and kernels were matched between runs, and what could not be. */
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
  /** One that was not matched; NULL: none. */
  example: string | null;
}

/** What the machine can do at most. */
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
  /** How it was found. */
  how: string;
  /** True: the roof that analyses hold this job against (all cores of the job; best dram bandwidth). */
  used: boolean;
}

/** What could not be read, placed or kept. */
export interface DiagnosticRow {
  /** Stable id. */
  name: string;
  /** How often. */
  count: number;
  /** The first one. */
  example: string;
  /** What to do. */
  hint: string;
}
