-- Every table that XSP stores, with the meaning of each column. The single source: run directories are
-- written with these types, `xsp query` shows these comments, docs/schema.md and the TypeScript
-- types of the web page are generated from it (tools/generate, npm run schema), and C++ has a struct
-- for the rows of each experiment table (tools/generate_rows.py).
-- Types: times are BIGINT nanoseconds, traffic DOUBLE bytes, work DOUBLE FLOP. NULL: not known.

-- Raw tables: one set per run, as Parquet files of the same name in the run's folder. ------------

CREATE TABLE span (
  id BIGINT NOT NULL, parent_id BIGINT NOT NULL, level VARCHAR NOT NULL, type VARCHAR NOT NULL,
  name VARCHAR NOT NULL, track_id BIGINT NOT NULL, start_ns BIGINT NOT NULL, duration_ns BIGINT,
  placed_by VARCHAR NOT NULL, correlation_id BIGINT);
COMMENT ON TABLE span IS 'Every event with a duration';
COMMENT ON COLUMN span.id IS '1-based, unique in the run';
COMMENT ON COLUMN span.parent_id IS 'The span one level up or more that contains it; 0: none';
COMMENT ON COLUMN span.level IS 'application, model, layer, library or kernel';
COMMENT ON COLUMN span.type IS 'Operator type, predict, module, primitive, native, kernel, memcpy, ...';
COMMENT ON COLUMN span.name IS 'As the source named it';
COMMENT ON COLUMN span.track_id IS 'The track on which it lies';
COMMENT ON COLUMN span.start_ns IS 'ns on the run''s clock (run.json: clock.origin)';
COMMENT ON COLUMN span.duration_ns IS 'ns; NULL: never ended';
COMMENT ON COLUMN span.placed_by IS 'How it got its parent: id, nesting, launch, graph_node, sequence, concurrent, serialised, none';
COMMENT ON COLUMN span.correlation_id IS 'The source''s id that connects a launch with its work; NULL: none';

CREATE TABLE track (
  id BIGINT NOT NULL, kind VARCHAR NOT NULL, name VARCHAR NOT NULL, process_id BIGINT,
  thread_id BIGINT, device BIGINT, stream BIGINT, rank BIGINT, is_reference BOOLEAN);
COMMENT ON TABLE track IS 'Where spans lie one after another';
COMMENT ON COLUMN track.id IS '1-based, unique in the run';
COMMENT ON COLUMN track.kind IS 'process, thread, device, stream, engine or host';
COMMENT ON COLUMN track.name IS 'Name for display';
COMMENT ON COLUMN track.process_id IS 'As the source numbered it';
COMMENT ON COLUMN track.thread_id IS 'As the source numbered it';
COMMENT ON COLUMN track.device IS 'Device ordinal';
COMMENT ON COLUMN track.stream IS 'Stream or queue';
COMMENT ON COLUMN track.rank IS 'Which process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN track.is_reference IS 'It only explains other tracks (the capture of a graph that they replay) and is not part of the execution; NULL: false';

CREATE TABLE metric (
  span_id BIGINT NOT NULL, name VARCHAR NOT NULL, value DOUBLE NOT NULL, unit VARCHAR NOT NULL,
  provenance VARCHAR NOT NULL);
COMMENT ON TABLE metric IS 'Numbers on spans';
COMMENT ON COLUMN metric.span_id IS 'The span';
COMMENT ON COLUMN metric.name IS 'A fixed name, e.g. flops.float32.vector';
COMMENT ON COLUMN metric.value IS 'In the unit of this row';
COMMENT ON COLUMN metric.unit IS 'ns, byte, flop, 1, ...';
COMMENT ON COLUMN metric.provenance IS 'measured:<source>, reported:<tool> or analytic';

CREATE TABLE attribute (span_id BIGINT NOT NULL, key VARCHAR NOT NULL, value VARCHAR NOT NULL);
COMMENT ON TABLE attribute IS 'Text on spans';
COMMENT ON COLUMN attribute.span_id IS 'The span';
COMMENT ON COLUMN attribute.key IS 'input_shapes, dtype, implementation, problem, ...';
COMMENT ON COLUMN attribute.value IS 'Text';

CREATE TABLE argument (span_id BIGINT NOT NULL, arguments VARCHAR NOT NULL);
COMMENT ON TABLE argument IS 'All arguments of each event, as a trace file of another profiler has them';
COMMENT ON COLUMN argument.span_id IS 'The span';
COMMENT ON COLUMN argument.arguments IS 'JSON object as in the file, without white space; read it with JSON functions';

CREATE TABLE counter (
  track_id BIGINT NOT NULL, name VARCHAR NOT NULL, time_ns BIGINT NOT NULL, value DOUBLE NOT NULL,
  unit VARCHAR NOT NULL);
COMMENT ON TABLE counter IS 'Sampled series';
COMMENT ON COLUMN counter.track_id IS 'The track it belongs to';
COMMENT ON COLUMN counter.name IS 'What was sampled';
COMMENT ON COLUMN counter.time_ns IS 'ns on the run''s clock';
COMMENT ON COLUMN counter.value IS 'In the unit of this row';
COMMENT ON COLUMN counter.unit IS '1, byte, watt, ...';

CREATE TABLE mark (track_id BIGINT NOT NULL, time_ns BIGINT NOT NULL, name VARCHAR NOT NULL);
COMMENT ON TABLE mark IS 'Points in time';
COMMENT ON COLUMN mark.track_id IS 'The track';
COMMENT ON COLUMN mark.time_ns IS 'ns on the run''s clock';
COMMENT ON COLUMN mark.name IS 'Text';

CREATE TABLE link (from_id BIGINT NOT NULL, to_id BIGINT NOT NULL, kind VARCHAR NOT NULL);
COMMENT ON TABLE link IS 'Relations between spans that are not nesting';
COMMENT ON COLUMN link.from_id IS 'A span';
COMMENT ON COLUMN link.to_id IS 'A span';
COMMENT ON COLUMN link.kind IS 'flow, forward_backward or collective';

CREATE TABLE call_stack (id BIGINT NOT NULL, parent_id BIGINT, frame VARCHAR NOT NULL, module VARCHAR NOT NULL);
COMMENT ON TABLE call_stack IS 'Sampled call stacks: each row is a function called by another call stack';
COMMENT ON COLUMN call_stack.id IS '1-based';
COMMENT ON COLUMN call_stack.parent_id IS 'The call stack of the caller; NULL: a root';
COMMENT ON COLUMN call_stack.frame IS 'The function; for an unknown one, module and address';
COMMENT ON COLUMN call_stack.module IS 'Library or program without its folder, [kernel], [jit]; for Python the source file';

CREATE TABLE stack_sample (track_id BIGINT NOT NULL, time_ns BIGINT NOT NULL, kind VARCHAR NOT NULL, call_stack_id BIGINT);
COMMENT ON TABLE stack_sample IS 'Samples of the call stacks of threads';
COMMENT ON COLUMN stack_sample.track_id IS 'The thread''s track';
COMMENT ON COLUMN stack_sample.time_ns IS 'ns on the run''s clock';
COMMENT ON COLUMN stack_sample.kind IS 'native: one sample per interval of a thread''s CPU time; python: one sample per interval of wall time, including waiting threads';
COMMENT ON COLUMN stack_sample.call_stack_id IS 'The call stack of the innermost function; NULL: nothing was found';

CREATE TABLE diagnostic (name VARCHAR NOT NULL, count BIGINT NOT NULL, example VARCHAR NOT NULL, hint VARCHAR NOT NULL);
COMMENT ON TABLE diagnostic IS 'Problems while reading, placing or storing events';
COMMENT ON COLUMN diagnostic.name IS 'Stable id';
COMMENT ON COLUMN diagnostic.count IS 'Number of occurrences';
COMMENT ON COLUMN diagnostic.example IS 'The first one';
COMMENT ON COLUMN diagnostic.hint IS 'What to do';

CREATE TABLE kernel_layer (
  kernel_id BIGINT NOT NULL, layer_id BIGINT, outermost_layer_id BIGINT, placed_by VARCHAR NOT NULL,
  confidence DOUBLE NOT NULL);
COMMENT ON TABLE kernel_layer IS 'The layer of each kernel, found through its parents';
COMMENT ON COLUMN kernel_layer.kernel_id IS 'The kernel''s span';
COMMENT ON COLUMN kernel_layer.layer_id IS 'Its innermost operator; NULL: not attributed';
COMMENT ON COLUMN kernel_layer.outermost_layer_id IS 'Its outermost operator; NULL: not attributed';
COMMENT ON COLUMN kernel_layer.placed_by IS 'How the kernel got its parent, as span.placed_by';
COMMENT ON COLUMN kernel_layer.confidence IS '0 to 1: the lowest confidence on the path up to layer_id; 0: not attributed';

-- Experiment tables: one set per experiment. Layer and kernel values are per model call. ----------

CREATE TABLE point (
  point_id BIGINT NOT NULL, model VARCHAR NOT NULL, backend VARCHAR NOT NULL, device VARCHAR NOT NULL,
  precision VARCHAR NOT NULL, batch BIGINT, settings VARCHAR NOT NULL, latency_ns DOUBLE,
  latency_low_ns DOUBLE, latency_high_ns DOUBLE, model_bytes BIGINT, peak_bytes DOUBLE, cores BIGINT,
  status VARCHAR NOT NULL);
COMMENT ON TABLE point IS 'One measured combination of model, backend, device, precision, batch size and settings';
COMMENT ON COLUMN point.point_id IS '1-based, in the requested order';
COMMENT ON COLUMN point.model IS 'Model name';
COMMENT ON COLUMN point.backend IS 'Framework and version that ran it';
COMMENT ON COLUMN point.device IS 'cpu, cuda:0, ...';
COMMENT ON COLUMN point.precision IS 'Data type in which most of the arithmetic ran';
COMMENT ON COLUMN point.batch IS 'Items per model call; NULL: not known';
COMMENT ON COLUMN point.settings IS 'JSON object: threads, graph, seed, ...';
COMMENT ON COLUMN point.latency_ns IS 'ns per model call, trimmed mean, from the least profiled run that has it; from its baseline calls, if it made any';
COMMENT ON COLUMN point.latency_low_ns IS 'Lower end of its 95 % interval, ns';
COMMENT ON COLUMN point.latency_high_ns IS 'Upper end of its 95 % interval, ns';
COMMENT ON COLUMN point.model_bytes IS 'Size of the model file, bytes';
COMMENT ON COLUMN point.peak_bytes IS 'Peak of memory allocated by the framework during a call, bytes';
COMMENT ON COLUMN point.cores IS 'CPU cores that the job could use';
COMMENT ON COLUMN point.status IS 'done, partial (a rung is missing) or failed';

CREATE TABLE run (
  run_id BIGINT NOT NULL, point_id BIGINT NOT NULL, rung VARCHAR NOT NULL, status VARCHAR NOT NULL,
  path VARCHAR NOT NULL, samples BIGINT, disturbed BIGINT, warmup BIGINT, latency_ns DOUBLE,
  latency_low_ns DOUBLE, latency_high_ns DOUBLE, p50_ns DOUBLE, p95_ns DOUBLE, p99_ns DOUBLE,
  min_ns DOUBLE, variation DOUBLE, overhead_ns DOUBLE, overhead_ratio DOUBLE,
  overhead_ratio_low DOUBLE, overhead_ratio_high DOUBLE, baseline_ns DOUBLE,
  load_ns DOUBLE, first_call_ns DOUBLE, threads BIGINT, graph VARCHAR, precision VARCHAR,
  peak_resident_bytes BIGINT, message VARCHAR,
  process BIGINT, process_pair BIGINT, overhead_basis VARCHAR, overhead_units BIGINT);
COMMENT ON TABLE run IS 'One measured execution of one rung';
COMMENT ON COLUMN run.run_id IS '1-based in the experiment; the first column of raw views of an experiment';
COMMENT ON COLUMN run.point_id IS 'The point it measured';
COMMENT ON COLUMN run.rung IS 'model, layer, library, kernel, counters, details (times discarded), imported, recorded (an unchanged program), or monitor (no model: the machine while another program ran)';
COMMENT ON COLUMN run.status IS 'done, interrupted or failed';
COMMENT ON COLUMN run.path IS 'Its folder, relative to the experiment';
COMMENT ON COLUMN run.samples IS 'Model calls after warm-up';
COMMENT ON COLUMN run.disturbed IS 'Number of samples with interference';
COMMENT ON COLUMN run.warmup IS 'Calls before samples: warm-up, and the first call of each block';
COMMENT ON COLUMN run.latency_ns IS 'ns per model call, trimmed mean of the samples without interference';
COMMENT ON COLUMN run.latency_low_ns IS 'Lower end of its 95 % interval, ns';
COMMENT ON COLUMN run.latency_high_ns IS 'Upper end of its 95 % interval, ns';
COMMENT ON COLUMN run.p50_ns IS 'Nearest-rank median of all samples, ns';
COMMENT ON COLUMN run.p95_ns IS 'Nearest-rank 95th percentile, ns';
COMMENT ON COLUMN run.p99_ns IS 'Nearest-rank 99th percentile, ns';
COMMENT ON COLUMN run.min_ns IS 'Fastest sample, ns';
COMMENT ON COLUMN run.variation IS 'Coefficient of variation of the samples';
COMMENT ON COLUMN run.overhead_ns IS 'Overhead of the rung on a call of the rung above (less profiled), ns: overhead_ratio times baseline_ns; for a recorded program, the overhead of recording on its wall time; NULL: it cannot be separated from the difference between two processes';
COMMENT ON COLUMN run.overhead_ratio IS 'Latency in the rung divided by that in the rung above, minus 1: Hodges-Lehmann estimate of the log ratios of the pairs in overhead_basis';
COMMENT ON COLUMN run.overhead_ratio_low IS 'Lower end of its 95 % interval; NULL: too few pairs';
COMMENT ON COLUMN run.overhead_ratio_high IS 'Upper end of its 95 % interval; NULL: too few pairs';
COMMENT ON COLUMN run.baseline_ns IS 'ns per call of the rung above in that comparison, trimmed mean; NULL: none made';
COMMENT ON COLUMN run.load_ns IS 'Time to load the model (reading, optimising, compiling), ns; NULL: not measured by XSP';
COMMENT ON COLUMN run.first_call_ns IS 'Duration of the first call of the process, including warm-up, ns; NULL: not measured by XSP';
COMMENT ON COLUMN run.threads IS 'Threads within one operator, as the framework reports them; NULL: not known';
COMMENT ON COLUMN run.graph IS 'Effective graph optimisation; NULL: not known';
COMMENT ON COLUMN run.precision IS 'Precision as the framework reports it; default: that of the model file; NULL: not known';
COMMENT ON COLUMN run.peak_resident_bytes IS 'Maximum memory of the process, including model and framework, bytes; NULL: not visible';
COMMENT ON COLUMN run.message IS 'What went wrong and what to do; NULL: nothing';
COMMENT ON COLUMN run.process IS '1-based, among the alternating processes of this rung and point; NULL: format version 1';
COMMENT ON COLUMN run.process_pair IS 'For a process that was measured only to determine the overhead of a rung: the pair, which has a process in each rung; NULL: another run';
COMMENT ON COLUMN run.overhead_basis IS 'The comparison behind overhead_ratio: pairs of calls, pairs of blocks, pairs of processes, whole program, or first and later calls (of a recorded program whose profiler was ended: not alternating, so without an interval); NULL: no overhead is known';
COMMENT ON COLUMN run.overhead_units IS 'Independent pairs behind its interval (correlated neighbours count once); NULL: not known';

CREATE TABLE sample (
  run_id BIGINT NOT NULL, iteration BIGINT NOT NULL, latency_ns BIGINT NOT NULL, disturbed BOOLEAN NOT NULL,
  reason VARCHAR, waited_ns DOUBLE, system_ns DOUBLE, page_faults DOUBLE, queue_ns DOUBLE,
  rung VARCHAR, process BIGINT, block BIGINT, pair BIGINT);
COMMENT ON TABLE sample IS 'Every model call of every run, in order, including baseline calls in the rung above, whose rung differs from that of the run';
COMMENT ON COLUMN sample.run_id IS 'The run';
COMMENT ON COLUMN sample.iteration IS '0-based in the run, for each rung';
COMMENT ON COLUMN sample.latency_ns IS 'ns';
COMMENT ON COLUMN sample.disturbed IS 'Interference: it lost more than 5 % of its latency to waiting for a core or to the hypervisor';
COMMENT ON COLUMN sample.reason IS 'Source of interference: run queue, steal; NULL: none';
COMMENT ON COLUMN sample.waited_ns IS 'Time that threads of the process were ready but not running, ns, summed over them; NULL: not recorded';
COMMENT ON COLUMN sample.system_ns IS 'CPU time in the operating system, ns, summed over threads; NULL: not recorded';
COMMENT ON COLUMN sample.page_faults IS 'Page faults of the process, minor and major; NULL: not recorded';
COMMENT ON COLUMN sample.queue_ns IS 'For a call that answered a request of an open loop: from its arrival to the start of the call, ns; latency_ns is the call alone, and the run''s statistics exclude such calls; NULL: it followed the previous call';
COMMENT ON COLUMN sample.rung IS 'The rung of the call; if it differs from the run''s: a baseline call; NULL: the run''s (format version 1, which has no baseline calls)';
COMMENT ON COLUMN sample.process IS 'Process that made the call: the run_id of its run; NULL: format version 1';
COMMENT ON COLUMN sample.block IS 'Block of consecutive calls of one process, 0-based in the run; NULL: not known';
COMMENT ON COLUMN sample.pair IS 'Pair in the run: one call in the run''s rung and one in the rung above, in random order; if run.process_pair is set, that pair of processes; NULL: a single call';

CREATE TABLE system_usage (
  run_id BIGINT NOT NULL, seconds DOUBLE NOT NULL, samples BIGINT NOT NULL, cpu_pct DOUBLE,
  gpu_pct_sum DOUBLE, system_memory_mb DOUBLE, gpu_memory_mb_sum DOUBLE, pcie_mbps DOUBLE,
  nvlink_mbps DOUBLE, cpu_pct_most DOUBLE, gpu_pct_sum_most DOUBLE, system_memory_mb_most DOUBLE,
  gpu_memory_mb_sum_most DOUBLE, monitor_share DOUBLE NOT NULL);
COMMENT ON TABLE system_usage IS 'Utilisation of the whole machine during each run, from the system monitor: means over time, in the columns of table 6 of the MLPerf training study (ISPASS 2020). The series are in counter and track';
COMMENT ON COLUMN system_usage.run_id IS 'The run';
COMMENT ON COLUMN system_usage.seconds IS 'Time of the run that was sampled, s';
COMMENT ON COLUMN system_usage.samples IS 'Rows of the series';
COMMENT ON COLUMN system_usage.cpu_pct IS 'Busy share of the CPU time of all cores, per cent';
COMMENT ON COLUMN system_usage.gpu_pct_sum IS 'Share of the time in which a kernel ran, per cent, summed over GPUs; NULL: no GPU is visible';
COMMENT ON COLUMN system_usage.system_memory_mb IS 'Memory of the machine in use (total minus available), 10^6 bytes';
COMMENT ON COLUMN system_usage.gpu_memory_mb_sum IS 'Device memory in use, 10^6 bytes, summed over GPUs';
COMMENT ON COLUMN system_usage.pcie_mbps IS 'PCIe traffic of all GPUs, both directions, 10^6 bits per second';
COMMENT ON COLUMN system_usage.nvlink_mbps IS 'NVLink traffic of all GPUs, both directions, 10^6 bits per second';
COMMENT ON COLUMN system_usage.cpu_pct_most IS 'Maximum of cpu_pct in one row of the series';
COMMENT ON COLUMN system_usage.gpu_pct_sum_most IS 'Maximum of gpu_pct_sum';
COMMENT ON COLUMN system_usage.system_memory_mb_most IS 'Maximum of system_memory_mb';
COMMENT ON COLUMN system_usage.gpu_memory_mb_sum_most IS 'Maximum of gpu_memory_mb_sum';
COMMENT ON COLUMN system_usage.monitor_share IS 'Overhead of the monitor: CPU time of its thread divided by the sampled time, as a share of one core';

CREATE TABLE system_series (
  run_id BIGINT NOT NULL, name VARCHAR NOT NULL, part VARCHAR NOT NULL, unit VARCHAR NOT NULL,
  time_ns BIGINT NOT NULL, until_ns BIGINT NOT NULL, mean DOUBLE NOT NULL, most DOUBLE NOT NULL);
COMMENT ON TABLE system_series IS 'The series of the system monitor during each run, in at most 400 segments of time (counter and track have every row)';
COMMENT ON COLUMN system_series.run_id IS 'The run';
COMMENT ON COLUMN system_series.name IS 'The series, as counter.name: cpu.busy_share, ...; docs/monitor.md lists them';
COMMENT ON COLUMN system_series.part IS 'Part of the machine, as track.name: machine, cpu 0, gpu 1, ...';
COMMENT ON COLUMN system_series.unit IS '1, byte, byte/s, watt, Hz or celsius';
COMMENT ON COLUMN system_series.time_ns IS 'Start of the segment, ns on the run''s clock';
COMMENT ON COLUMN system_series.until_ns IS 'End of the segment, ns on the run''s clock';
COMMENT ON COLUMN system_series.mean IS 'Mean over the segment, in the unit of this row';
COMMENT ON COLUMN system_series.most IS 'Maximum in the segment';

CREATE TABLE layer (
  point_id BIGINT NOT NULL, layer_index BIGINT NOT NULL, name VARCHAR NOT NULL, type VARCHAR NOT NULL,
  shape VARCHAR, latency_ns DOUBLE, device_ns DOUBLE, kernel_ns DOUBLE, gap_before_ns DOUBLE,
  allocated_bytes DOUBLE, peak_bytes DOUBLE, flops DOUBLE, read_bytes DOUBLE, write_bytes DOUBLE,
  occupancy DOUBLE, dtype VARCHAR, flops_provenance VARCHAR, traffic_provenance VARCHAR,
  source_run BIGINT, matched VARCHAR NOT NULL, kernel_run_ns DOUBLE, path VARCHAR, node VARCHAR);
COMMENT ON TABLE layer IS 'Layers in execution order, per model call';
COMMENT ON COLUMN layer.point_id IS 'The point';
COMMENT ON COLUMN layer.layer_index IS '0-based, execution order';
COMMENT ON COLUMN layer.name IS 'Display name, different for every layer of a point: its path, with the operator or position if several layers share the path; else node; else type and position';
COMMENT ON COLUMN layer.type IS 'Operator type';
COMMENT ON COLUMN layer.shape IS 'Output shape if known, else input shapes';
COMMENT ON COLUMN layer.latency_ns IS 'ns, from the least profiled run that contains layers';
COMMENT ON COLUMN layer.device_ns IS 'Union of its kernels'' intervals, ns';
COMMENT ON COLUMN layer.kernel_ns IS 'Sum of its kernels'' durations, ns';
COMMENT ON COLUMN layer.gap_before_ns IS 'ns between the end of the previous layer (or the start of the model span) and its start';
COMMENT ON COLUMN layer.allocated_bytes IS 'Bytes allocated within it, frees not subtracted';
COMMENT ON COLUMN layer.peak_bytes IS 'Peak above the level at its start, bytes';
COMMENT ON COLUMN layer.flops IS 'FLOP, all data types';
COMMENT ON COLUMN layer.read_bytes IS 'Bytes read by its kernels, of the kind in traffic_provenance';
COMMENT ON COLUMN layer.write_bytes IS 'Bytes written by its kernels';
COMMENT ON COLUMN layer.occupancy IS '0 to 1, weighted by kernel time; NULL: not known';
COMMENT ON COLUMN layer.dtype IS 'Data type with the most kernel time';
COMMENT ON COLUMN layer.flops_provenance IS 'Of flops';
COMMENT ON COLUMN layer.traffic_provenance IS 'Of read_bytes and write_bytes';
COMMENT ON COLUMN layer.source_run IS 'The run of latency_ns';
COMMENT ON COLUMN layer.matched IS 'all (found in every run that contains layers), partial, or single (one run only)';
COMMENT ON COLUMN layer.kernel_run_ns IS 'Its latency in the run of device_ns and kernel_ns, from which they can be subtracted, ns; NULL: no kernels, or not in that run';
COMMENT ON COLUMN layer.path IS 'Its place in the model: layer1.0.conv2, from modules, scopes or node names; for fused nodes that of the first; NULL: not known, or the model itself (before format version 3: not recorded)';
COMMENT ON COLUMN layer.node IS 'The framework''s name: the node of its graph; NULL: the framework has no names';

CREATE TABLE kernel (
  point_id BIGINT NOT NULL, kernel_index BIGINT NOT NULL, layer_index BIGINT, name VARCHAR NOT NULL,
  type VARCHAR NOT NULL, dtype VARCHAR, unit VARCHAR, implementation VARCHAR, problem VARCHAR,
  duration_ns DOUBLE, flops DOUBLE, read_bytes DOUBLE, write_bytes DOUBLE, occupancy DOUBLE,
  flops_provenance VARCHAR, traffic_provenance VARCHAR, confidence DOUBLE, placed_by VARCHAR,
  source_run BIGINT, matched VARCHAR NOT NULL);
COMMENT ON TABLE kernel IS 'Kernels in execution order, per model call';
COMMENT ON COLUMN kernel.point_id IS 'The point';
COMMENT ON COLUMN kernel.kernel_index IS '0-based, execution order';
COMMENT ON COLUMN kernel.layer_index IS 'Its outermost layer; NULL: not attributed';
COMMENT ON COLUMN kernel.name IS 'Kernel name; primitives: kind and implementation; native: the operator';
COMMENT ON COLUMN kernel.type IS 'kernel, primitive, native, memcpy or memset';
COMMENT ON COLUMN kernel.dtype IS 'Data type of its arithmetic';
COMMENT ON COLUMN kernel.unit IS 'vector or tensor: the unit whose roof applies';
COMMENT ON COLUMN kernel.implementation IS 'The library''s name of the implementation';
COMMENT ON COLUMN kernel.problem IS 'Problem description: shapes, strides, algorithm';
COMMENT ON COLUMN kernel.duration_ns IS 'ns, from the kernel rung';
COMMENT ON COLUMN kernel.flops IS 'FLOP';
COMMENT ON COLUMN kernel.read_bytes IS 'Bytes read';
COMMENT ON COLUMN kernel.write_bytes IS 'Bytes written';
COMMENT ON COLUMN kernel.occupancy IS '0 to 1; NULL: not known (CPU kernels have none)';
COMMENT ON COLUMN kernel.flops_provenance IS 'Of flops';
COMMENT ON COLUMN kernel.traffic_provenance IS 'Of read_bytes and write_bytes; analytic: operands once';
COMMENT ON COLUMN kernel.confidence IS '0 to 1: confidence in its layer';
COMMENT ON COLUMN kernel.placed_by IS 'How it was attributed to its layer: id, nesting, launch, concurrent, ...; kernels of replayed graphs: sequence, with the reference (sequence: capture, sequence: eager iteration, sequence: other run); NULL: not attributed';
COMMENT ON COLUMN kernel.source_run IS 'The run of duration_ns';
COMMENT ON COLUMN kernel.matched IS 'all, partial or single, as for layers';

CREATE TABLE match (
  point_id BIGINT NOT NULL, level VARCHAR NOT NULL, run_a BIGINT NOT NULL, run_b BIGINT NOT NULL,
  matched BIGINT NOT NULL, only_a BIGINT NOT NULL, only_b BIGINT NOT NULL, example VARCHAR);
COMMENT ON TABLE match IS 'How layers and kernels were matched between runs, with the number of unmatched ones';
COMMENT ON COLUMN match.point_id IS 'The point';
COMMENT ON COLUMN match.level IS 'layer or kernel';
COMMENT ON COLUMN match.run_a IS 'A run';
COMMENT ON COLUMN match.run_b IS 'Another run (or the same: between its iterations)';
COMMENT ON COLUMN match.matched IS 'Events in both';
COMMENT ON COLUMN match.only_a IS 'Events only in run_a';
COMMENT ON COLUMN match.only_b IS 'Events only in run_b';
COMMENT ON COLUMN match.example IS 'An unmatched event; NULL: none';

CREATE TABLE event_count (
  point_id BIGINT NOT NULL, layer_index BIGINT, name VARCHAR NOT NULL, value DOUBLE NOT NULL,
  unit VARCHAR NOT NULL, counted_share DOUBLE NOT NULL, provenance VARCHAR NOT NULL,
  source_run BIGINT NOT NULL);
COMMENT ON TABLE event_count IS 'Events counted by the CPU and the kernel in model calls and layers, in the rung counters (docs/counters.md); per model call';
COMMENT ON COLUMN event_count.point_id IS 'The point';
COMMENT ON COLUMN event_count.layer_index IS 'The layer, counted on the thread that ran it; NULL: the whole call, counted on all threads of the process';
COMMENT ON COLUMN event_count.name IS 'task_clock_ns, context_switches, cpu_migrations, thread_page_faults, cycles, instructions, cache_references, cache_misses, llc_loads, llc_load_misses, fp_retired.DTYPE.BITS';
COMMENT ON COLUMN event_count.value IS 'In the unit of this row; trimmed mean over the calls';
COMMENT ON COLUMN event_count.unit IS '1, ns or flop';
COMMENT ON COLUMN event_count.counted_share IS '0 to 1: share of the time in which a counter was available for it, the confidence; below 1 the value is extrapolated';
COMMENT ON COLUMN event_count.provenance IS 'measured:perf_event, or measured:perf_event_user: in user mode only';
COMMENT ON COLUMN event_count.source_run IS 'The run';

CREATE TABLE energy (
  point_id BIGINT NOT NULL, run_id BIGINT NOT NULL, scope VARCHAR NOT NULL, layer_index BIGINT,
  name VARCHAR NOT NULL, part VARCHAR NOT NULL, spans BIGINT NOT NULL, span_ns BIGINT NOT NULL,
  covered_ns BIGINT NOT NULL, interval_ns BIGINT NOT NULL, intervals DOUBLE NOT NULL,
  confidence DOUBLE NOT NULL, energy_joules DOUBLE, reason VARCHAR);
COMMENT ON TABLE energy IS 'Energy of parts of the machine during runs, model calls, phases and layers, if the series of power resolves them (docs/energy.md)';
COMMENT ON COLUMN energy.point_id IS 'The point';
COMMENT ON COLUMN energy.run_id IS 'The run of the series and spans';
COMMENT ON COLUMN energy.scope IS 'run (the whole sampled time), call, phase (ranges directly in a training step) or layer';
COMMENT ON COLUMN energy.layer_index IS 'For scope layer; NULL: another scope';
COMMENT ON COLUMN energy.name IS 'Name of the run''s rung, the model, the phase or the layer';
COMMENT ON COLUMN energy.part IS 'Part of the machine: package-0, package-0 dram, gpu 0, ...; parts may contain each other (package-0 core): do not add them';
COMMENT ON COLUMN energy.spans IS 'Number of repetitions';
COMMENT ON COLUMN energy.span_ns IS 'Time of all repetitions, overlaps counted once, ns';
COMMENT ON COLUMN energy.covered_ns IS 'Part of span_ns with a known power, ns';
COMMENT ON COLUMN energy.interval_ns IS 'Time between two samples of the series, median, ns';
COMMENT ON COLUMN energy.intervals IS 'covered_ns divided by interval_ns; below 3 there is no energy';
COMMENT ON COLUMN energy.confidence IS '0 to 1: share of span_ns with a known power, times the mean share of a sampled interval that the repetitions fill; below 0.5 there is no energy';
COMMENT ON COLUMN energy.energy_joules IS 'Energy of all repetitions, joules: power times the time of each interval within them, scaled up to span_ns; NULL: not resolved';
COMMENT ON COLUMN energy.reason IS 'Why there is no energy; NULL: there is';

CREATE TABLE comparison (
  point_id BIGINT NOT NULL, against_point_id BIGINT NOT NULL, ratio DOUBLE, ratio_low DOUBLE,
  ratio_high DOUBLE, p_value DOUBLE, cliffs_delta DOUBLE, magnitude VARCHAR, processes BIGINT,
  verdict VARCHAR NOT NULL);
COMMENT ON TABLE comparison IS 'Latency of each point compared with each other point of the same model and batch size';
COMMENT ON COLUMN comparison.point_id IS 'The point';
COMMENT ON COLUMN comparison.against_point_id IS 'The point with which it is compared';
COMMENT ON COLUMN comparison.ratio IS 'Its latency divided by the other''s: mean over processes of trimmed means';
COMMENT ON COLUMN comparison.ratio_low IS 'Lower end of the ratio''s 95 % interval (Welch''s t over processes)';
COMMENT ON COLUMN comparison.ratio_high IS 'Upper end';
COMMENT ON COLUMN comparison.p_value IS 'Welch''s t test over processes, two-sided, adjusted by Holm for all pairs of the group';
COMMENT ON COLUMN comparison.cliffs_delta IS '-1 (always faster) to 1 (always slower)';
COMMENT ON COLUMN comparison.magnitude IS 'Magnitude of cliffs_delta: negligible, small, medium, large';
COMMENT ON COLUMN comparison.processes IS 'Processes behind the point''s latency';
COMMENT ON COLUMN comparison.verdict IS 'faster, slower, no difference found, or not told (one process): the difference between two processes of a point is unknown';

CREATE TABLE agreement (
  point_id BIGINT NOT NULL, against_point_id BIGINT NOT NULL, output_index BIGINT NOT NULL, name VARCHAR,
  shape VARCHAR, elements BIGINT, label_agreement DOUBLE, top_k_overlap DOUBLE, max_absolute_error DOUBLE,
  mean_absolute_error DOUBLE, max_relative_error DOUBLE, mean_relative_error DOUBLE, cosine_similarity DOUBLE,
  mean_divergence_nats DOUBLE, non_finite_different BIGINT, message VARCHAR);
COMMENT ON TABLE agreement IS 'Results of each point compared with those of the first of the same model and batch size, on the same inputs';
COMMENT ON COLUMN agreement.point_id IS 'The point';
COMMENT ON COLUMN agreement.against_point_id IS 'The reference';
COMMENT ON COLUMN agreement.output_index IS '0-based, in the model''s order';
COMMENT ON COLUMN agreement.name IS 'The output''s name in the point''s framework';
COMMENT ON COLUMN agreement.shape IS 'Shape of the output';
COMMENT ON COLUMN agreement.elements IS 'Values compared';
COMMENT ON COLUMN agreement.label_agreement IS 'Share of rows whose largest value is the same class, 0 to 1';
COMMENT ON COLUMN agreement.top_k_overlap IS 'Share of the five largest that both have in common, mean over rows, 0 to 1';
COMMENT ON COLUMN agreement.max_absolute_error IS 'Largest difference, in the output''s unit';
COMMENT ON COLUMN agreement.mean_absolute_error IS 'Mean difference';
COMMENT ON COLUMN agreement.max_relative_error IS 'Largest difference divided by the reference''s magnitude (at least a thousandth of its largest)';
COMMENT ON COLUMN agreement.mean_relative_error IS 'Mean difference divided by the same';
COMMENT ON COLUMN agreement.cosine_similarity IS 'Cosine of the whole outputs as vectors, -1 to 1';
COMMENT ON COLUMN agreement.mean_divergence_nats IS 'Kullback-Leibler divergence of the softmax from the reference''s, nats, mean over rows; NULL: not defined';
COMMENT ON COLUMN agreement.non_finite_different IS 'Values that are infinite or not a number in only one of the two';
COMMENT ON COLUMN agreement.message IS 'Why the two cannot be compared; NULL: they were';

CREATE TABLE aligned_layer (
  reference_point_id BIGINT NOT NULL, segment_index BIGINT, point_id BIGINT NOT NULL, name VARCHAR NOT NULL,
  type VARCHAR NOT NULL, shape VARCHAR, layer_index BIGINT NOT NULL, layers BIGINT NOT NULL, latency_ns DOUBLE);
COMMENT ON TABLE aligned_layer IS 'Aligned segments of layers of points of the same model and batch size: a convolution, matrix product, recurrent or attention layer with the layers up to the next';
COMMENT ON COLUMN aligned_layer.reference_point_id IS 'The point whose segments are numbered';
COMMENT ON COLUMN aligned_layer.segment_index IS '0: before the first such layer; NULL: the reference has no matching segment';
COMMENT ON COLUMN aligned_layer.point_id IS 'The point';
COMMENT ON COLUMN aligned_layer.name IS 'Name of the first layer of the segment, in the point''s framework';
COMMENT ON COLUMN aligned_layer.type IS 'Its type';
COMMENT ON COLUMN aligned_layer.shape IS 'Its output shape';
COMMENT ON COLUMN aligned_layer.layer_index IS 'Its position among the point''s layers';
COMMENT ON COLUMN aligned_layer.layers IS 'Layers in the segment: fewer if the framework fuses';
COMMENT ON COLUMN aligned_layer.latency_ns IS 'Sum of their latencies, ns';

CREATE TABLE scenario (
  point_id BIGINT NOT NULL, run_id BIGINT NOT NULL, scenario VARCHAR NOT NULL, try_index BIGINT NOT NULL,
  offered_rate DOUBLE, queries BIGINT NOT NULL, first_iteration BIGINT NOT NULL,
  latency_p50_ns DOUBLE, latency_p90_ns DOUBLE, latency_p95_ns DOUBLE, latency_p99_ns DOUBLE,
  queue_p50_ns DOUBLE, queue_p90_ns DOUBLE, queue_p95_ns DOUBLE, queue_p99_ns DOUBLE,
  service_p50_ns DOUBLE, service_p90_ns DOUBLE, service_p95_ns DOUBLE, service_p99_ns DOUBLE,
  throughput_per_s DOUBLE, gap_ns DOUBLE, utilisation DOUBLE, bound_ns BIGINT, above_bound BIGINT, percentile DOUBLE,
  percentile_ns DOUBLE, estimate_ns DOUBLE, passed BOOLEAN, chosen BOOLEAN NOT NULL, message VARCHAR);
COMMENT ON TABLE scenario IS 'Results of a load scenario: one row for each rate tried and for each closed loop (docs/scenarios.md)';
COMMENT ON COLUMN scenario.point_id IS 'The point';
COMMENT ON COLUMN scenario.run_id IS 'The run of the samples';
COMMENT ON COLUMN scenario.scenario IS 'single-stream, offline, server or multi-stream';
COMMENT ON COLUMN scenario.try_index IS '0-based, in the order of measuring';
COMMENT ON COLUMN scenario.offered_rate IS 'Queries that arrive per second, on average; NULL: a closed loop';
COMMENT ON COLUMN scenario.queries IS 'Model calls; each is a query of as many items as the point''s batch';
COMMENT ON COLUMN scenario.first_iteration IS 'Iteration of its first sample; its samples are this one and the next queries - 1';
COMMENT ON COLUMN scenario.latency_p50_ns IS 'From arrival to the end of the call (queue and service), nearest-rank median, ns; NULL: offline';
COMMENT ON COLUMN scenario.latency_p90_ns IS '90th percentile, ns';
COMMENT ON COLUMN scenario.latency_p95_ns IS '95th percentile, ns';
COMMENT ON COLUMN scenario.latency_p99_ns IS '99th percentile, ns';
COMMENT ON COLUMN scenario.queue_p50_ns IS 'From arrival to the start of the call, median, ns; NULL: a closed loop, which has no queue';
COMMENT ON COLUMN scenario.queue_p90_ns IS '90th percentile, ns';
COMMENT ON COLUMN scenario.queue_p95_ns IS '95th percentile, ns';
COMMENT ON COLUMN scenario.queue_p99_ns IS '99th percentile, ns';
COMMENT ON COLUMN scenario.service_p50_ns IS 'The call alone, median, ns';
COMMENT ON COLUMN scenario.service_p90_ns IS '90th percentile, ns';
COMMENT ON COLUMN scenario.service_p95_ns IS '95th percentile, ns';
COMMENT ON COLUMN scenario.service_p99_ns IS '99th percentile, ns';
COMMENT ON COLUMN scenario.throughput_per_s IS 'Items per second over the whole wall time, gaps included: closed loop: from the first start to the last end, without the blocks of other backends; server: queries after the first, from its arrival to the last end';
COMMENT ON COLUMN scenario.gap_ns IS 'From the end of a call to the start of the next that was already waiting, median, ns: work of the worker between calls, including reading the machine''s counters; NULL: none was waiting';
COMMENT ON COLUMN scenario.utilisation IS 'offered_rate times the mean of service time plus gap; at 1 and above the queue grows as long as requests arrive; NULL: a closed loop';
COMMENT ON COLUMN scenario.bound_ns IS 'Requested latency bound, ns; NULL: none';
COMMENT ON COLUMN scenario.above_bound IS 'Queries above the bound; NULL: no bound';
COMMENT ON COLUMN scenario.percentile IS 'The percentile of latency that decides, 0 to 100; NULL: offline';
COMMENT ON COLUMN scenario.percentile_ns IS 'Latency at that percentile, nearest rank, ns';
COMMENT ON COLUMN scenario.estimate_ns IS 'Upper bound of that latency with 99 % confidence (early stopping of MLPerf Inference), ns; NULL: too few queries';
COMMENT ON COLUMN scenario.passed IS 'Whether the percentile stays under the bound with 99 % confidence and utilisation is below 1; NULL: there is no bound';
COMMENT ON COLUMN scenario.chosen IS 'The result of its point: server: the highest rate found that passed';
COMMENT ON COLUMN scenario.message IS 'Why it did not pass, or what is missing; NULL: nothing';

CREATE TABLE evaluation (
  point_id BIGINT NOT NULL, run_id BIGINT NOT NULL, dataset VARCHAR NOT NULL, samples BIGINT NOT NULL,
  predicted BIGINT NOT NULL, failed BIGINT NOT NULL, left_out BIGINT NOT NULL, sample_p50_ns DOUBLE,
  sample_p99_ns DOUBLE, throughput_per_s DOUBLE, first_failure VARCHAR);
COMMENT ON TABLE evaluation IS 'A data set that was run through a model (docs/datasets.md)';
COMMENT ON COLUMN evaluation.point_id IS 'The point';
COMMENT ON COLUMN evaluation.run_id IS 'The run of the samples';
COMMENT ON COLUMN evaluation.dataset IS 'The data set, as given on the command line';
COMMENT ON COLUMN evaluation.samples IS 'Requested samples';
COMMENT ON COLUMN evaluation.predicted IS 'Samples that the model processed';
COMMENT ON COLUMN evaluation.failed IS 'Samples that could not be read or prepared';
COMMENT ON COLUMN evaluation.left_out IS 'Samples that the data set excluded when it was opened';
COMMENT ON COLUMN evaluation.sample_p50_ns IS 'From reading to prediction, a batch''s time divided by its samples, median over batches, ns; NULL: nothing was predicted';
COMMENT ON COLUMN evaluation.sample_p99_ns IS '99th percentile, ns';
COMMENT ON COLUMN evaluation.throughput_per_s IS 'Samples per second from the first batch''s start to the last one''s end, with one thread before and after the model';
COMMENT ON COLUMN evaluation.first_failure IS 'The first sample that failed, and why; NULL: none';

CREATE TABLE accuracy (
  point_id BIGINT NOT NULL, run_id BIGINT NOT NULL, metric VARCHAR NOT NULL, reference VARCHAR, value DOUBLE,
  samples BIGINT NOT NULL, message VARCHAR);
COMMENT ON TABLE accuracy IS 'Accuracy of the predictions for a data set (docs/accuracy.md)';
COMMENT ON COLUMN accuracy.point_id IS 'The point';
COMMENT ON COLUMN accuracy.run_id IS 'The run of the predictions';
COMMENT ON COLUMN accuracy.metric IS 'top_1, top_5, macro_f1; ap, ap_50, ap_75, ap_small, ap_medium, ap_large, ar_100, the same with _mask; bleu (0 to 100), exact_match, answer_f1; same_top_1, same_text. Shares are 0 to 1';
COMMENT ON COLUMN accuracy.reference IS 'The backend with whose predictions these are compared; NULL: the labels of the data set';
COMMENT ON COLUMN accuracy.value IS 'The score; NULL: it cannot be computed';
COMMENT ON COLUMN accuracy.samples IS 'Samples in the score';
COMMENT ON COLUMN accuracy.message IS 'Why it cannot be computed; NULL: it can';

CREATE TABLE prediction (
  point_id BIGINT NOT NULL, run_id BIGINT NOT NULL, position BIGINT NOT NULL, sample VARCHAR NOT NULL,
  class BIGINT, label BIGINT, result VARCHAR, error VARCHAR);
COMMENT ON TABLE prediction IS 'The prediction for each sample of a data set';
COMMENT ON COLUMN prediction.point_id IS 'The point';
COMMENT ON COLUMN prediction.run_id IS 'The run';
COMMENT ON COLUMN prediction.position IS '0-based, among the selected samples: the same sample in every run';
COMMENT ON COLUMN prediction.sample IS 'Its name in the data set: a path, or a line';
COMMENT ON COLUMN prediction.class IS 'The predicted class; NULL: none was predicted';
COMMENT ON COLUMN prediction.label IS 'The correct class; NULL: the data set has no labels';
COMMENT ON COLUMN prediction.result IS 'The whole prediction, JSON (docs/pipelines.md); NULL: there is none';
COMMENT ON COLUMN prediction.error IS 'Why there is none; NULL: there is one';

CREATE TABLE pipeline_step (
  point_id BIGINT NOT NULL, run_id BIGINT NOT NULL, step_index BIGINT NOT NULL, stage VARCHAR NOT NULL,
  step VARCHAR NOT NULL, count BIGINT NOT NULL, mean_ns DOUBLE, p50_ns DOUBLE, p99_ns DOUBLE);
COMMENT ON TABLE pipeline_step IS 'Time of each step from the data set to a prediction';
COMMENT ON COLUMN pipeline_step.point_id IS 'The point';
COMMENT ON COLUMN pipeline_step.run_id IS 'The run';
COMMENT ON COLUMN pipeline_step.step_index IS '0-based, in the order of execution';
COMMENT ON COLUMN pipeline_step.stage IS 'preprocess, bind, predict or postprocess';
COMMENT ON COLUMN pipeline_step.step IS 'read, the steps of the manifest, stack (samples into a batch); else the stage';
COMMENT ON COLUMN pipeline_step.count IS 'Number of executions: once per sample, or once per batch';
COMMENT ON COLUMN pipeline_step.mean_ns IS 'Time per sample (for steps once per batch: divided by the batch''s samples), mean, ns';
COMMENT ON COLUMN pipeline_step.p50_ns IS 'Median, ns';
COMMENT ON COLUMN pipeline_step.p99_ns IS '99th percentile, ns';

CREATE TABLE roof (
  kind VARCHAR NOT NULL, name VARCHAR NOT NULL, dtype VARCHAR, unit VARCHAR, cores BIGINT,
  value DOUBLE NOT NULL, provenance VARCHAR NOT NULL, how VARCHAR NOT NULL, used BOOLEAN NOT NULL);
COMMENT ON TABLE roof IS 'Peak rates of the machine';
COMMENT ON COLUMN roof.kind IS 'flops (FLOP/s) or bandwidth (byte/s)';
COMMENT ON COLUMN roof.name IS 'float32 vector, DRAM triad, L2 read, ...';
COMMENT ON COLUMN roof.dtype IS 'flops: the data type';
COMMENT ON COLUMN roof.unit IS 'flops: vector or tensor (AMX counts as tensor)';
COMMENT ON COLUMN roof.cores IS 'Cores that ran; NULL: a device';
COMMENT ON COLUMN roof.value IS 'FLOP/s or byte/s';
COMMENT ON COLUMN roof.provenance IS 'measured:<source> or data_sheet';
COMMENT ON COLUMN roof.how IS 'How it was measured or derived';
COMMENT ON COLUMN roof.used IS 'True: the roof with which analyses compare this job (all cores of the job; best dram bandwidth)';

-- Experiment tables made from a run's timeline (src/derive/timeline), one row set per run. --------------
-- rank: NULL where a run has one process only. step: its number; NULL: the whole run.

CREATE TABLE device_time (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, step BIGINT, start_ns BIGINT NOT NULL,
  total_ns BIGINT NOT NULL, busy_ns BIGINT NOT NULL, idle_ns BIGINT NOT NULL,
  compute_ns BIGINT NOT NULL, communication_ns BIGINT NOT NULL, copy_ns BIGINT NOT NULL,
  compute_communication_ns BIGINT NOT NULL, exposed_communication_ns BIGINT NOT NULL,
  exposed_copy_ns BIGINT NOT NULL, spans BIGINT NOT NULL);
COMMENT ON TABLE device_time IS 'How each device spent its time; unions, so that concurrent work counts once';
COMMENT ON COLUMN device_time.run_id IS 'The run';
COMMENT ON COLUMN device_time.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN device_time.device IS 'Device ordinal';
COMMENT ON COLUMN device_time.step IS 'Number of the step whose work it is; NULL: the whole run';
COMMENT ON COLUMN device_time.start_ns IS 'ns on the run''s clock: first start of its work';
COMMENT ON COLUMN device_time.total_ns IS 'ns: whole run: from the first start to the last end of work; step: from the start of its first work to that of a later step';
COMMENT ON COLUMN device_time.busy_ns IS 'ns in which anything ran';
COMMENT ON COLUMN device_time.idle_ns IS 'total_ns - busy_ns';
COMMENT ON COLUMN device_time.compute_ns IS 'ns in which a kernel that does not communicate ran';
COMMENT ON COLUMN device_time.communication_ns IS 'ns in which a communication kernel ran';
COMMENT ON COLUMN device_time.copy_ns IS 'ns in which a copy or set ran';
COMMENT ON COLUMN device_time.compute_communication_ns IS 'ns in which both a computing and a communication kernel ran';
COMMENT ON COLUMN device_time.exposed_communication_ns IS 'ns in which communication ran and nothing computed';
COMMENT ON COLUMN device_time.exposed_copy_ns IS 'ns in which a copy or set ran and nothing else';
COMMENT ON COLUMN device_time.spans IS 'Kernels, copies and sets that start in it';

CREATE TABLE device_strip (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, stretch BIGINT NOT NULL, start_ns BIGINT NOT NULL,
  length_ns BIGINT NOT NULL, compute_ns BIGINT NOT NULL, communication_ns BIGINT NOT NULL,
  copy_ns BIGINT NOT NULL);
COMMENT ON TABLE device_strip IS 'Activity of each device over time, in equal segments that all devices of the run share; segments without activity have no row';
COMMENT ON COLUMN device_strip.run_id IS 'The run';
COMMENT ON COLUMN device_strip.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN device_strip.device IS 'Device ordinal';
COMMENT ON COLUMN device_strip.stretch IS '0-based index of the segment';
COMMENT ON COLUMN device_strip.start_ns IS 'ns on the run''s clock';
COMMENT ON COLUMN device_strip.length_ns IS 'ns; the same for all segments';
COMMENT ON COLUMN device_strip.compute_ns IS 'ns in which it computed';
COMMENT ON COLUMN device_strip.communication_ns IS 'ns in which it communicated and did not compute';
COMMENT ON COLUMN device_strip.copy_ns IS 'ns in which it copied and did not compute or communicate';

CREATE TABLE idle (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, stream BIGINT, step BIGINT, cause VARCHAR NOT NULL,
  gaps BIGINT NOT NULL, idle_ns BIGINT NOT NULL, launched_ns BIGINT NOT NULL, longest_ns BIGINT NOT NULL,
  after VARCHAR, before VARCHAR);
COMMENT ON TABLE idle IS 'Why a device, or one of its streams, was idle between two pieces of work';
COMMENT ON COLUMN idle.run_id IS 'The run';
COMMENT ON COLUMN idle.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN idle.device IS 'Device ordinal';
COMMENT ON COLUMN idle.stream IS 'Gaps of this stream; NULL: gaps of the device, in which no stream ran anything';
COMMENT ON COLUMN idle.step IS 'Number of the step whose work ended the gap; NULL: all';
COMMENT ON COLUMN idle.cause IS 'host (launched after the previous work had ended); launched before that: kernel (gap below 5 us), launch (below 30 us), other; unknown (launch call not in the trace)';
COMMENT ON COLUMN idle.gaps IS 'Number of gaps';
COMMENT ON COLUMN idle.idle_ns IS 'Their sum, ns';
COMMENT ON COLUMN idle.launched_ns IS 'Part of idle_ns after the launch call of the work that ends the gap had begun; 0 if the launch is not in the trace, ns';
COMMENT ON COLUMN idle.longest_ns IS 'The longest gap, ns';
COMMENT ON COLUMN idle.after IS 'Name of the work before the longest gap';
COMMENT ON COLUMN idle.before IS 'Name of the work that ended the longest gap';

CREATE TABLE launch (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, name VARCHAR NOT NULL, type VARCHAR NOT NULL,
  launches BIGINT NOT NULL, unlaunched BIGINT NOT NULL, short BIGINT NOT NULL, negative BIGINT NOT NULL,
  late BIGINT NOT NULL, late_ns BIGINT NOT NULL, brief BIGINT NOT NULL, brief_ns BIGINT NOT NULL,
  call_ns BIGINT NOT NULL, device_ns BIGINT NOT NULL, latency_mean_ns DOUBLE, latency_min_ns BIGINT,
  latency_p50_ns BIGINT, latency_p95_ns BIGINT, latency_max_ns BIGINT, queued_ns BIGINT NOT NULL,
  waited_ns BIGINT NOT NULL);
COMMENT ON TABLE launch IS 'From launch to execution, by kernel name; a call that launched several (a replayed graph) is divided evenly among them';
COMMENT ON COLUMN launch.run_id IS 'The run';
COMMENT ON COLUMN launch.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN launch.device IS 'Device ordinal';
COMMENT ON COLUMN launch.name IS 'Kernel name; copies and sets as the file names them';
COMMENT ON COLUMN launch.type IS 'kernel, memcpy or memset';
COMMENT ON COLUMN launch.launches IS 'Executions whose launch call is in the trace';
COMMENT ON COLUMN launch.unlaunched IS 'Executions whose launch call is not';
COMMENT ON COLUMN launch.short IS 'Launched executions that took less time than their part of the launch call';
COMMENT ON COLUMN launch.negative IS 'Executions that start before their launch call (clocks disagree)';
COMMENT ON COLUMN launch.late IS 'Executions before which the device ran nothing, and whose launch call started within that gap: the device waited for the host';
COMMENT ON COLUMN launch.late_ns IS 'Sum of the gaps before these, ns';
COMMENT ON COLUMN launch.brief IS 'Executions below 10 us, launched or not';
COMMENT ON COLUMN launch.brief_ns IS 'Sum of their durations, ns';
COMMENT ON COLUMN launch.call_ns IS 'Sum of the executions'' parts of their launch calls, ns';
COMMENT ON COLUMN launch.device_ns IS 'Sum of the executions'' durations, ns';
COMMENT ON COLUMN launch.latency_mean_ns IS 'Launch latency: start of the execution - start of the launch call, mean, ns; NULL: no launch call in the trace';
COMMENT ON COLUMN launch.latency_min_ns IS 'ns; may be negative';
COMMENT ON COLUMN launch.latency_p50_ns IS 'Nearest-rank median, ns';
COMMENT ON COLUMN launch.latency_p95_ns IS 'Nearest-rank 95th percentile, ns';
COMMENT ON COLUMN launch.latency_max_ns IS 'ns';
COMMENT ON COLUMN launch.queued_ns IS 'Sum over executions of the time from the end of the launch call to the start during which the stream was busy with earlier work, ns';
COMMENT ON COLUMN launch.waited_ns IS 'As queued_ns, but while the stream was idle, ns';

CREATE TABLE collective (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, stream BIGINT, step BIGINT, operation VARCHAR NOT NULL,
  name VARCHAR NOT NULL, process_group VARCHAR, group_size BIGINT, dtype VARCHAR, bytes DOUBLE,
  instance BIGINT NOT NULL, start_ns BIGINT NOT NULL, duration_ns BIGINT NOT NULL,
  exposed_ns BIGINT NOT NULL, arrival_skew_ns BIGINT, transfer_ns BIGINT);
COMMENT ON TABLE collective IS 'Every communication kernel (the longest 100,000), with its partners on other ranks';
COMMENT ON COLUMN collective.run_id IS 'The run';
COMMENT ON COLUMN collective.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN collective.device IS 'Device ordinal';
COMMENT ON COLUMN collective.stream IS 'Stream';
COMMENT ON COLUMN collective.step IS 'Number of the step that launched it; NULL: none';
COMMENT ON COLUMN collective.operation IS 'all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce, send_receive, barrier or other';
COMMENT ON COLUMN collective.name IS 'Kernel name';
COMMENT ON COLUMN collective.process_group IS 'Name of its process group; NULL: not known';
COMMENT ON COLUMN collective.group_size IS 'Ranks in that group; NULL: not known';
COMMENT ON COLUMN collective.dtype IS 'Data type of its elements; NULL: not known';
COMMENT ON COLUMN collective.bytes IS 'Size of the message as defined by nccl-tests (the larger of input and output of one rank), bytes; NULL: not known';
COMMENT ON COLUMN collective.instance IS '0-based position among those of the same device, operation and process group (without a group: stream number): one collective has one instance on every rank';
COMMENT ON COLUMN collective.start_ns IS 'ns on the run''s clock';
COMMENT ON COLUMN collective.duration_ns IS 'ns';
COMMENT ON COLUMN collective.exposed_ns IS 'Part of duration_ns in which nothing computed on the device, ns';
COMMENT ON COLUMN collective.arrival_skew_ns IS 'Latest start among the ranks - this start: how long it waited for the last to arrive, ns; NULL: no partner in the import';
COMMENT ON COLUMN collective.transfer_ns IS 'Shortest duration among the ranks: the time without waiting, ns; NULL: no partner in the import';

CREATE TABLE critical_path (
  run_id BIGINT NOT NULL, rank BIGINT, step BIGINT, kind VARCHAR NOT NULL, name VARCHAR NOT NULL,
  segments BIGINT NOT NULL, duration_ns BIGINT NOT NULL);
COMMENT ON TABLE critical_path IS 'The longest chain of dependent work of each step, by kind and name';
COMMENT ON COLUMN critical_path.run_id IS 'The run';
COMMENT ON COLUMN critical_path.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN critical_path.step IS 'Number of the step; NULL: the whole run, if it has no steps';
COMMENT ON COLUMN critical_path.kind IS 'host (operators, calls, and between them), launch (from the start of the launch to that of its work), compute, communication, copy, synchronisation (in waiting calls, after the work had ended), gap (between the previous work and this, or nothing recorded)';
COMMENT ON COLUMN critical_path.name IS 'Operator, call, range or kernel; for launch and gap the kernel that starts; (between operators); (nothing recorded); (other names): all beyond the step''s 100 longest';
COMMENT ON COLUMN critical_path.segments IS 'Segments of the path';
COMMENT ON COLUMN critical_path.duration_ns IS 'Their time on the path, ns; all rows of a step add up to the step';

CREATE TABLE stream (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, stream BIGINT, name VARCHAR NOT NULL,
  spans BIGINT NOT NULL, busy_ns BIGINT NOT NULL, alone_ns BIGINT NOT NULL, compute_ns BIGINT NOT NULL,
  communication_ns BIGINT NOT NULL, copy_ns BIGINT NOT NULL, start_ns BIGINT NOT NULL, end_ns BIGINT NOT NULL);
COMMENT ON TABLE stream IS 'Activity of each stream of a device';
COMMENT ON COLUMN stream.run_id IS 'The run';
COMMENT ON COLUMN stream.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN stream.device IS 'Device ordinal';
COMMENT ON COLUMN stream.stream IS 'Stream or queue';
COMMENT ON COLUMN stream.name IS 'Name of its track';
COMMENT ON COLUMN stream.spans IS 'Kernels, copies and sets';
COMMENT ON COLUMN stream.busy_ns IS 'ns in which it ran anything';
COMMENT ON COLUMN stream.alone_ns IS 'Part of busy_ns in which no other stream of the device ran anything, ns';
COMMENT ON COLUMN stream.compute_ns IS 'Sum of its computing kernels'' durations, ns';
COMMENT ON COLUMN stream.communication_ns IS 'Sum of its communication kernels'' durations, ns';
COMMENT ON COLUMN stream.copy_ns IS 'Sum of its copies'' and sets'' durations, ns';
COMMENT ON COLUMN stream.start_ns IS 'First start, ns on the run''s clock';
COMMENT ON COLUMN stream.end_ns IS 'Last end, ns on the run''s clock';

CREATE TABLE concurrency (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, step BIGINT, streams BIGINT NOT NULL,
  duration_ns BIGINT NOT NULL);
COMMENT ON TABLE concurrency IS 'How long each number of streams of a device was busy at the same time';
COMMENT ON COLUMN concurrency.run_id IS 'The run';
COMMENT ON COLUMN concurrency.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN concurrency.device IS 'Device ordinal';
COMMENT ON COLUMN concurrency.step IS 'Number of the step whose work it is; NULL: the whole run';
COMMENT ON COLUMN concurrency.streams IS 'Streams that are busy at the same time; 0: idle';
COMMENT ON COLUMN concurrency.duration_ns IS 'ns';

CREATE TABLE memory_level (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, time_ns BIGINT NOT NULL, until_ns BIGINT NOT NULL,
  allocated_low_bytes DOUBLE NOT NULL, allocated_high_bytes DOUBLE NOT NULL, reserved_bytes DOUBLE,
  provenance VARCHAR NOT NULL);
COMMENT ON TABLE memory_level IS 'Allocated memory over time (at most 2,000 segments per device)';
COMMENT ON COLUMN memory_level.run_id IS 'The run';
COMMENT ON COLUMN memory_level.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN memory_level.device IS 'Device ordinal; NULL: memory of the host';
COMMENT ON COLUMN memory_level.time_ns IS 'Start of the segment, ns on the run''s clock';
COMMENT ON COLUMN memory_level.until_ns IS 'End of the segment, ns';
COMMENT ON COLUMN memory_level.allocated_low_bytes IS 'Minimum of allocated memory in the segment, bytes';
COMMENT ON COLUMN memory_level.allocated_high_bytes IS 'Maximum of allocated memory in the segment, bytes';
COMMENT ON COLUMN memory_level.reserved_bytes IS 'Maximum that the allocator reserved in the segment, bytes; NULL: not known';
COMMENT ON COLUMN memory_level.provenance IS 'reported:allocator: its totals; analytic: sum of allocations and frees, starting from the memory that was freed but not allocated in the recording';

CREATE TABLE memory_holder (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, peak_ns BIGINT NOT NULL, operator VARCHAR NOT NULL,
  module VARCHAR, allocations BIGINT NOT NULL, bytes DOUBLE NOT NULL, freed_by VARCHAR NOT NULL);
COMMENT ON TABLE memory_holder IS 'Operators that hold the memory allocated at the peak (the 1,000 largest of each device)';
COMMENT ON COLUMN memory_holder.run_id IS 'The run';
COMMENT ON COLUMN memory_holder.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN memory_holder.device IS 'Device ordinal; NULL: memory of the host';
COMMENT ON COLUMN memory_holder.peak_ns IS 'Time of the maximum, ns on the run''s clock';
COMMENT ON COLUMN memory_holder.operator IS 'Outermost operator that allocated it; (no operator); (before recording): not allocated in the recording; (freed unseen): below 0, frees are missing; (smaller): the rest';
COMMENT ON COLUMN memory_holder.module IS 'Innermost module around that operator; NULL: none';
COMMENT ON COLUMN memory_holder.allocations IS 'Allocations that are not yet freed; (before recording): 0';
COMMENT ON COLUMN memory_holder.bytes IS 'Their sum, bytes; all rows of a device add up to what is allocated at the peak';
COMMENT ON COLUMN memory_holder.freed_by IS 'How frees are matched with allocations: address, or size (the trace has no addresses: the latest allocation of that size)';

CREATE TABLE step (
  run_id BIGINT NOT NULL, rank BIGINT, step BIGINT NOT NULL, name VARCHAR NOT NULL, start_ns BIGINT NOT NULL,
  duration_ns BIGINT NOT NULL, busy_ns BIGINT, kernel_ns BIGINT NOT NULL, kernels BIGINT NOT NULL,
  launches BIGINT NOT NULL, copies BIGINT NOT NULL, synchronisation_ns BIGINT NOT NULL,
  operators BIGINT NOT NULL, is_slow BOOLEAN NOT NULL, changed VARCHAR, changed_ns BIGINT);
COMMENT ON TABLE step IS 'Steps, and the changes in the slow ones';
COMMENT ON COLUMN step.run_id IS 'The run';
COMMENT ON COLUMN step.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN step.step IS 'Number of the step';
COMMENT ON COLUMN step.name IS 'As the file has it';
COMMENT ON COLUMN step.start_ns IS 'On the host, ns on the run''s clock';
COMMENT ON COLUMN step.duration_ns IS 'On the host, ns';
COMMENT ON COLUMN step.busy_ns IS 'Time in which a device of the rank ran work of the step (union over devices), ns; NULL: the run has no device';
COMMENT ON COLUMN step.kernel_ns IS 'Sum of its kernels'' durations, ns; on a CPU those of primitives and native kernels';
COMMENT ON COLUMN step.kernels IS 'Kernels that it launched';
COMMENT ON COLUMN step.launches IS 'Calls that launched kernels; a replayed graph counts once';
COMMENT ON COLUMN step.copies IS 'Copies and sets that it launched';
COMMENT ON COLUMN step.synchronisation_ns IS 'Time in calls that wait for a device and start in it, summed over threads, ns';
COMMENT ON COLUMN step.operators IS 'Operators that started in it, nested ones included';
COMMENT ON COLUMN step.is_slow IS 'More than 10 % and three median absolute deviations above the rank''s median';
COMMENT ON COLUMN step.changed IS 'For a slow step: the operator, call, range or kernel name whose self time grew most over the median of the rank''s steps; (outside of operators): the step''s own; NULL: not slow';
COMMENT ON COLUMN step.changed_ns IS 'The increase, ns';

CREATE TABLE tree (
  run_id BIGINT NOT NULL, rank BIGINT, node BIGINT NOT NULL, parent BIGINT, depth BIGINT NOT NULL,
  level VARCHAR NOT NULL, type VARCHAR NOT NULL, name VARCHAR NOT NULL, count BIGINT NOT NULL,
  host_ns BIGINT NOT NULL, host_self_ns BIGINT NOT NULL, device_ns BIGINT NOT NULL,
  device_self_ns BIGINT NOT NULL, kernels BIGINT NOT NULL);
COMMENT ON TABLE tree IS 'Top-down: every path of names from a root to a kernel, once (at most 20,000 nodes, the largest), without warm-up and other excluded model calls';
COMMENT ON COLUMN tree.run_id IS 'The run';
COMMENT ON COLUMN tree.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN tree.node IS '1-based; parents before children, siblings by their first start';
COMMENT ON COLUMN tree.parent IS 'The node above; NULL: a root';
COMMENT ON COLUMN tree.depth IS '0: a root';
COMMENT ON COLUMN tree.level IS 'application, model, layer, library or kernel';
COMMENT ON COLUMN tree.type IS 'Type of its spans';
COMMENT ON COLUMN tree.name IS 'Name of its spans; ProfilerStep*: steps of every number; (smaller): all smaller children in one node';
COMMENT ON COLUMN tree.count IS 'Spans; (smaller): all spans in it; 0: a module that appears only in the layers of a replayed graph';
COMMENT ON COLUMN tree.host_ns IS 'Sum of its spans'' durations on host threads, ns (work of a device: 0)';
COMMENT ON COLUMN tree.host_self_ns IS 'Part of host_ns outside of its children on the same thread, ns; all rows add up to the time of the roots';
COMMENT ON COLUMN tree.device_ns IS 'Sum of the durations of device work in and below it, ns';
COMMENT ON COLUMN tree.device_self_ns IS 'Part of device_ns with only library calls in between, ns; device work itself: all';
COMMENT ON COLUMN tree.kernels IS 'Spans of level kernel (kernels, copies, sets; primitives on a CPU) in and below it';

CREATE TABLE call_tree (
  run_id BIGINT NOT NULL, kind VARCHAR NOT NULL, node BIGINT NOT NULL, parent BIGINT,
  depth BIGINT NOT NULL, frame VARCHAR NOT NULL, module VARCHAR NOT NULL, samples BIGINT NOT NULL,
  self_samples BIGINT NOT NULL, rate_hz DOUBLE);
COMMENT ON TABLE call_tree IS 'Sampled call stacks of all threads and processes as one tree: every call path once (at most 20,000 nodes of each kind, the largest)';
COMMENT ON COLUMN call_tree.run_id IS 'The run';
COMMENT ON COLUMN call_tree.kind IS 'native: machine code, a sample is CPU time; python: Python functions, a sample is wall time, including waiting';
COMMENT ON COLUMN call_tree.node IS '1-based; callers before callees, siblings by samples';
COMMENT ON COLUMN call_tree.parent IS 'The caller; NULL: a root';
COMMENT ON COLUMN call_tree.depth IS '0: a root';
COMMENT ON COLUMN call_tree.frame IS 'The function; (smaller): all smaller callees in one node';
COMMENT ON COLUMN call_tree.module IS 'Library or program without its folder, [kernel], [jit]; for Python the source file';
COMMENT ON COLUMN call_tree.samples IS 'Samples in it and its callees';
COMMENT ON COLUMN call_tree.self_samples IS 'Samples in the function itself; (smaller): all';
COMMENT ON COLUMN call_tree.rate_hz IS 'Samples per second of a thread: a sample stands for 1 / rate_hz s; NULL: unknown';

CREATE TABLE call_tree_layer (
  run_id BIGINT NOT NULL, node BIGINT NOT NULL, layer_name VARCHAR, layer_type VARCHAR,
  self_samples BIGINT NOT NULL);
COMMENT ON TABLE call_tree_layer IS 'The samples of call_tree by the layer that was open on the sampled thread';
COMMENT ON COLUMN call_tree_layer.run_id IS 'The run';
COMMENT ON COLUMN call_tree_layer.node IS 'Node of call_tree';
COMMENT ON COLUMN call_tree_layer.layer_name IS 'Name of the outermost operator; NULL: the thread was in none, such as the helper threads of an operator';
COMMENT ON COLUMN call_tree_layer.layer_type IS 'Its type';
COMMENT ON COLUMN call_tree_layer.self_samples IS 'Samples in the function itself; those of a node add up to its self_samples';

CREATE TABLE kernel_sequence (
  run_id BIGINT NOT NULL, rank BIGINT, device BIGINT, sequence BIGINT NOT NULL, length BIGINT NOT NULL,
  kernels VARCHAR NOT NULL, occurrences BIGINT NOT NULL, duration_ns BIGINT NOT NULL,
  gap_ns BIGINT NOT NULL, operators VARCHAR);
COMMENT ON TABLE kernel_sequence IS 'Sequences of kernels that repeat on a stream (the 100 with the most time of each device)';
COMMENT ON COLUMN kernel_sequence.run_id IS 'The run';
COMMENT ON COLUMN kernel_sequence.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN kernel_sequence.device IS 'Device ordinal';
COMMENT ON COLUMN kernel_sequence.sequence IS '0-based, for each device by decreasing time';
COMMENT ON COLUMN kernel_sequence.length IS 'Number of kernels, at most 32';
COMMENT ON COLUMN kernel_sequence.kernels IS 'JSON array of their names, in order';
COMMENT ON COLUMN kernel_sequence.occurrences IS 'Number of occurrences, without overlap';
COMMENT ON COLUMN kernel_sequence.duration_ns IS 'Sum of its kernels'' durations over all occurrences, ns';
COMMENT ON COLUMN kernel_sequence.gap_ns IS 'Sum of the gaps between its kernels, over all occurrences, ns';
COMMENT ON COLUMN kernel_sequence.operators IS 'JSON array: the innermost operator of each kernel of the first occurrence, null if it has none; NULL: none has one';
