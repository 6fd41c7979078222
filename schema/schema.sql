-- Every table that XSP stores, with the meaning of each column; those of timeline plugins are in
-- tables/NAME.sql. The single source: run directories are written with these types, `xsp query`
-- shows these comments, docs/schema.md and the TypeScript types of the web page are generated from
-- it (tools/generate, npm run schema), and C++ has a struct for the rows of each experiment table
-- (tools/generate_rows.py).
-- Types: times are BIGINT nanoseconds, traffic DOUBLE bytes, work DOUBLE FLOP. NULL: not known.

-- Raw tables: one set per run, as Parquet files of the same name in the run's folder. ------------

CREATE TABLE span (
  id BIGINT NOT NULL, parent_id BIGINT NOT NULL, level VARCHAR NOT NULL, type VARCHAR NOT NULL,
  name VARCHAR NOT NULL, track_id BIGINT NOT NULL, start_ns BIGINT NOT NULL, duration_ns BIGINT,
  placed_by VARCHAR NOT NULL, correlation_id BIGINT, lane BIGINT);
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
COMMENT ON COLUMN span.lane IS '0-based line of its track in which it is drawn: below the spans of the track that contain it, where it overlaps none; in lane 255 spans may overlap; NULL: format version 3 or older';

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

CREATE TABLE diagnostic (name VARCHAR NOT NULL, count BIGINT NOT NULL, example VARCHAR NOT NULL, hint VARCHAR NOT NULL,
  kind VARCHAR);
COMMENT ON TABLE diagnostic IS 'Problems and notes of reading, placing and storing events';
COMMENT ON COLUMN diagnostic.name IS 'Stable id';
COMMENT ON COLUMN diagnostic.count IS 'Number of occurrences';
COMMENT ON COLUMN diagnostic.example IS 'The first one';
COMMENT ON COLUMN diagnostic.hint IS 'What to do';
COMMENT ON COLUMN diagnostic.kind IS 'loss: something could not be kept or read as it stood; note: nothing of the source is missing, it has less or was placed by an assumption; NULL: stored by a version without this column';

CREATE TABLE timeline_block (
  bucket_ns BIGINT NOT NULL, start_ns BIGINT NOT NULL, end_ns BIGINT NOT NULL, track_id BIGINT NOT NULL,
  lane BIGINT NOT NULL, spans BIGINT NOT NULL, busy_ns BIGINT NOT NULL, longest_id BIGINT NOT NULL,
  longest_ns BIGINT NOT NULL, level VARCHAR NOT NULL, name VARCHAR NOT NULL);
COMMENT ON TABLE timeline_block IS 'The timeline at several levels of detail: in each, spans that are shorter than a bucket and follow each other in a lane are merged; sorted by descending bucket_ns, then start_ns';
COMMENT ON COLUMN timeline_block.bucket_ns IS 'The level of detail: the width of its buckets, a power of 4, ns. Buckets count from the first start of the run';
COMMENT ON COLUMN timeline_block.start_ns IS 'Start of its first span, ns on the run''s clock';
COMMENT ON COLUMN timeline_block.end_ns IS 'End of its last span, ns on the run''s clock';
COMMENT ON COLUMN timeline_block.track_id IS 'The track';
COMMENT ON COLUMN timeline_block.lane IS 'The lane of the track, as span.lane';
COMMENT ON COLUMN timeline_block.spans IS 'How many spans it stands for; a span as long as a bucket is alone';
COMMENT ON COLUMN timeline_block.busy_ns IS 'Sum of the durations of its spans, ns';
COMMENT ON COLUMN timeline_block.longest_id IS 'Its longest span; the first of several';
COMMENT ON COLUMN timeline_block.longest_ns IS 'Duration of longest_id, ns';
COMMENT ON COLUMN timeline_block.level IS 'Level of longest_id';
COMMENT ON COLUMN timeline_block.name IS 'Name of longest_id';

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

-- Experiment tables made from a run's timeline: tables/NAME.sql, one file for each plugin of
-- src/derive/timeline. rank: NULL where a run has one process only. step: its number; NULL: the whole run.
