-- Views over the experiment tables that analyses and reports share. They are made when experiments are opened; nothing of
-- them is stored. A time counts against the call of its own run: the quotient of times of two runs is no share (but
-- see device_idle).
-- {lead} stands for "experiment, " where several experiments are open, else for nothing.

CREATE VIEW run_pair AS
WITH timed AS (
  SELECT {lead}point_id, run_id, rung, graph, latency_ns, baseline_ns,
         max(graph) FILTER (rung = 'layer') OVER (PARTITION BY {lead}point_id) AS layer_graph,
         coalesce(latency_low_ns / latency_ns, 1) AS low, coalesce(latency_high_ns / latency_ns, 1) AS high
  FROM run WHERE latency_ns > 0 AND process_pair IS NULL),
pair AS (
  SELECT {lead}point_id, a.run_id, d.run_id AS deeper_run_id, a.latency_ns AS calls_ns,
         coalesce(d.baseline_ns, d.latency_ns) AS again_ns, again_ns / calls_ns AS ratio,
         ratio * d.low / a.high AS ratio_low, ratio * d.high / a.low AS ratio_high,
         d.baseline_ns IS NOT NULL AS is_same_work
  FROM timed a JOIN timed d USING ({lead}point_id)
  WHERE a.graph IS NOT DISTINCT FROM d.graph
    AND ((a.rung, d.rung) IN (('model', 'layer'), ('layer', 'kernel'))
         -- A replayed graph, whose layers were measured without replaying it.
         OR ((a.rung, d.rung) = ('model', 'kernel') AND d.layer_graph <> d.graph)))
SELECT {lead}point_id, run_id, deeper_run_id, calls_ns, again_ns, ratio, ratio_low, ratio_high,
       NOT (ratio_high < 1 / 1.25 OR (is_same_work AND ratio_low > 1.25)) AS agree
FROM pair;
COMMENT ON VIEW run_pair IS 'The same calls in two processes of a point: those of a run, and those that the process of the next deeper run made in the rung of the first';
COMMENT ON COLUMN run_pair.point_id IS 'The point';
COMMENT ON COLUMN run_pair.run_id IS 'The less profiled run';
COMMENT ON COLUMN run_pair.deeper_run_id IS 'The next deeper run of the same graph (column graph)';
COMMENT ON COLUMN run_pair.calls_ns IS 'Latency of a call of the first, ns';
COMMENT ON COLUMN run_pair.again_ns IS 'Latency of such a call in the process of the other, ns; without baseline calls that of its own calls, which profiling can only make longer';
COMMENT ON COLUMN run_pair.ratio IS 'again_ns over calls_ns';
COMMENT ON COLUMN run_pair.ratio_low IS 'Smallest ratio within the 95 % intervals of both runs';
COMMENT ON COLUMN run_pair.ratio_high IS 'Largest ratio within them';
COMMENT ON COLUMN run_pair.agree IS 'False: even the intervals are more than a factor of 1.25 apart (without baseline calls only if the deeper run is the faster one)';

CREATE VIEW point_time AS
WITH layers AS (
  SELECT {lead}point_id, any_value(source_run) AS run_id, sum(latency_ns) AS layers_ns, sum(device_ns) AS device_ns
  FROM layer GROUP BY {lead}point_id),
kernels AS (
  SELECT {lead}point_id, any_value(source_run) AS run_id, sum(duration_ns) AS kernels_ns,
         sum(duration_ns) FILTER (layer_index IS NULL) AS outside_ns
  FROM kernel GROUP BY {lead}point_id),
devices AS (
  SELECT {lead}point_id FROM device_time JOIN run USING ({lead}run_id)
  WHERE step IS NULL AND busy_ns > 0 GROUP BY {lead}point_id),
agreement AS (SELECT {lead}point_id, bool_and(agree) AS runs_agree FROM run_pair GROUP BY {lead}point_id),
layer_call AS (
  SELECT {lead}point_id, layers_ns, device_ns, latency_ns AS call_ns, l.run_id IS NULL AS is_unnamed,
         coalesce(coalesce(overhead_ratio_low, overhead_ratio) > 0.25, false) AS is_distorted
  FROM layers l LEFT JOIN (SELECT {lead}run_id, latency_ns, overhead_ratio, overhead_ratio_low FROM run) r USING ({lead}run_id)),
kernel_call AS (
  SELECT {lead}point_id, kernels_ns, outside_ns, latency_ns AS call_ns, k.run_id IS NULL AS is_unnamed
  FROM kernels k LEFT JOIN (SELECT {lead}run_id, latency_ns FROM run) r USING ({lead}run_id)),
joined AS (
  SELECT {lead}point_id, p.latency_ns, l.layers_ns, k.kernels_ns,
         CASE WHEN l.is_unnamed THEN p.latency_ns ELSE l.call_ns END AS layer_call_ns,
         CASE WHEN k.is_unnamed THEN p.latency_ns ELSE k.call_ns END AS kernel_call_ns,
         CASE WHEN d.point_id IS NOT NULL
              THEN nullif(coalesce(l.device_ns, 0) + coalesce(k.outside_ns, 0), 0) END AS device_work_ns,
         coalesce(a.runs_agree, true) AS runs_agree,
         d.point_id IS NULL AND coalesce(l.is_distorted, false) AS layers_distorted
  FROM point p
  LEFT JOIN layer_call l USING ({lead}point_id)
  LEFT JOIN kernel_call k USING ({lead}point_id)
  LEFT JOIN devices d USING ({lead}point_id)
  LEFT JOIN agreement a USING ({lead}point_id))
SELECT {lead}point_id, latency_ns, layer_call_ns, layers_ns,
       CASE WHEN layers_distorted THEN nullif(layers_ns, 0)
            WHEN layer_call_ns > 0 THEN greatest(layer_call_ns, layers_ns) END AS layer_whole_ns,
       kernel_call_ns, kernels_ns,
       CASE WHEN kernel_call_ns > 0 THEN greatest(kernel_call_ns, kernels_ns) END AS kernel_whole_ns,
       device_work_ns, device_work_ns IS NOT NULL AS has_device, runs_agree,
       layers_distorted
FROM joined;
COMMENT ON VIEW point_time IS 'Denominators for shares of a point''s time: the calls of the runs of its layers and kernels';
COMMENT ON COLUMN point_time.point_id IS 'The point';
COMMENT ON COLUMN point_time.latency_ns IS 'As point.latency_ns: of the least profiled run, ns';
COMMENT ON COLUMN point_time.layer_call_ns IS 'Latency of a call in the run of the layers'' latencies, ns; if the table does not name that run, point.latency_ns';
COMMENT ON COLUMN point_time.layers_ns IS 'Sum of the layers'' latencies, ns';
COMMENT ON COLUMN point_time.layer_whole_ns IS 'Denominator of shares of layers, ns: the greater of the two (layers that overlap add up to more than the call); layers_ns if layers_distorted';
COMMENT ON COLUMN point_time.kernel_call_ns IS 'Latency of a call in the run of the kernels, ns';
COMMENT ON COLUMN point_time.kernels_ns IS 'Sum of the kernels'' durations, ns';
COMMENT ON COLUMN point_time.kernel_whole_ns IS 'The greater of the two, ns';
COMMENT ON COLUMN point_time.device_work_ns IS 'If a device did the work: device time of the layers and of the kernels outside of them, ns; NULL: the host did';
COMMENT ON COLUMN point_time.has_device IS 'A device did the work: layers are ranked by device time';
COMMENT ON COLUMN point_time.runs_agree IS 'False: runs of the point disagree by more than their noise allows (run_pair)';
COMMENT ON COLUMN point_time.layers_distorted IS 'Profiling makes a call of the run with the layers at least 25 % longer (lower end of the interval), on the host: the time between layers is not known';

CREATE VIEW device_step AS
WITH timed AS (
  SELECT {lead}run_id, step, total_ns > 2 * median(total_ns) OVER device AND count(*) OVER device >= 3 AS is_slow
  FROM device_time WHERE step IS NOT NULL
  WINDOW device AS (PARTITION BY {lead}run_id, rank, device)),
judged AS (SELECT {lead}run_id, step, bool_or(is_slow) AS is_slow FROM timed GROUP BY {lead}run_id, step)
SELECT {lead}run_id, step, NOT bool_and(is_slow) OVER (PARTITION BY {lead}run_id ORDER BY step) AS is_typical
FROM judged;
COMMENT ON VIEW device_step IS 'The steps in which a device worked';
COMMENT ON COLUMN device_step.run_id IS 'The run';
COMMENT ON COLUMN device_step.step IS 'As device_time.step, of all ranks';
COMMENT ON COLUMN device_step.is_typical IS 'False: of the first steps of a program, in which libraries are loaded and kernels chosen. These are the first ones, without a gap, that take more than twice the median of at least three steps on any device of their rank';

CREATE VIEW device_idle AS
WITH device AS (
  SELECT {lead}run_id, rank, device, count(DISTINCT step) AS steps, count(DISTINCT step) FILTER (is_typical) AS calls,
         CASE WHEN calls > 0 THEN sum(total_ns) FILTER (is_typical) ELSE any_value(total_ns) FILTER (step IS NULL) END AS total_ns,
         CASE WHEN calls > 0 THEN sum(busy_ns) FILTER (is_typical) ELSE any_value(busy_ns) FILTER (step IS NULL) END AS busy_ns,
         CASE WHEN calls > 0 THEN sum(idle_ns) FILTER (is_typical) ELSE any_value(idle_ns) FILTER (step IS NULL) END AS idle_ns
  FROM device_time LEFT JOIN device_step USING ({lead}run_id, step) GROUP BY {lead}run_id, rank, device),
whole AS (
  SELECT {lead}run_id, count(*) AS devices, max(calls) AS calls, max(steps) AS steps, sum(total_ns) AS total_ns,
         sum(busy_ns) AS busy_ns, sum(idle_ns) AS idle_ns
  FROM device GROUP BY {lead}run_id),
joined AS (
  SELECT {lead}point_id, {lead}run_id, devices, calls, steps, total_ns, idle_ns,
         CASE WHEN rung = 'kernel' THEN 1 - busy_ns / nullif(calls, 0) / nullif(latency_ns * devices, 0) END AS latency_share
  FROM whole JOIN (SELECT {lead}run_id, {lead}point_id, rung FROM run) r USING ({lead}run_id)
  JOIN (SELECT {lead}point_id, latency_ns FROM point) p USING ({lead}point_id))
SELECT {lead}point_id, {lead}run_id, devices, calls, steps, total_ns, idle_ns,
       CASE WHEN latency_share BETWEEN 0 AND 1 THEN latency_share ELSE idle_ns / nullif(total_ns, 0) END AS idle_share
FROM joined;
COMMENT ON VIEW device_idle IS 'How long the devices of a run were idle during its typical steps (without steps: from their first to their last work)';
COMMENT ON COLUMN device_idle.point_id IS 'The point';
COMMENT ON COLUMN device_idle.run_id IS 'The run';
COMMENT ON COLUMN device_idle.devices IS 'Number of devices';
COMMENT ON COLUMN device_idle.calls IS 'Typical steps (profiler steps or model calls; view device_step) of a device; 0: none are known';
COMMENT ON COLUMN device_idle.steps IS 'All steps of a device, by which sums over a run are divided';
COMMENT ON COLUMN device_idle.total_ns IS 'Time of all devices, ns';
COMMENT ON COLUMN device_idle.idle_ns IS 'Part of it in which nothing ran, ns';
COMMENT ON COLUMN device_idle.idle_share IS 'idle_ns over total_ns; for a run of rung kernel the share of the point''s latency that is not busy: recording kernels makes the host slower, but not the device';

CREATE VIEW layer_time AS
SELECT {lead}point_id, layer_index, t.layer_call_ns AS call_ns,
       l.latency_ns / nullif(t.layer_whole_ns, 0) AS share,
       l.latency_ns * t.latency_ns / nullif(CASE WHEN t.layers_distorted THEN t.layer_whole_ns ELSE t.layer_call_ns END, 0) AS model_ns,
       coalesce(l.kernel_run_ns, l.latency_ns * t.kernel_call_ns / nullif(t.layer_call_ns, 0)) AS kernel_run_ns,
       CASE WHEN t.has_device THEN coalesce(l.device_ns, 0) / t.device_work_ns END AS device_share,
       CASE WHEN t.has_device THEN coalesce(l.device_ns, 0) ELSE l.latency_ns END AS work_ns,
       CASE WHEN t.has_device THEN coalesce(l.device_ns, 0) / t.device_work_ns
            ELSE l.latency_ns / nullif(t.layer_whole_ns, 0) END AS work_share
FROM layer l JOIN point_time t USING ({lead}point_id);
COMMENT ON VIEW layer_time IS 'Every layer''s time as a share of the call in the same run';
COMMENT ON COLUMN layer_time.point_id IS 'The point';
COMMENT ON COLUMN layer_time.layer_index IS 'As layer.layer_index';
COMMENT ON COLUMN layer_time.call_ns IS 'Latency of a call in the run of layer.latency_ns, ns';
COMMENT ON COLUMN layer_time.share IS 'layer.latency_ns divided by that call; divided by the sum of the layers if they overlap and add up to more, or if profiling distorts the call (point_time.layers_distorted). Never above 1';
COMMENT ON COLUMN layer_time.model_ns IS 'layer.latency_ns scaled to the latency of the point (model rung), ns; if profiling distorts the call, as if layers were all of it';
COMMENT ON COLUMN layer_time.kernel_run_ns IS 'Its latency in the run of its kernels, ns; if that was not stored, layer.latency_ns scaled to that run';
COMMENT ON COLUMN layer_time.device_share IS 'Share of the device''s work (point_time.device_work_ns); NULL: the host did the work';
COMMENT ON COLUMN layer_time.work_ns IS 'The time by which layers are ranked: device_ns if a device did the work, else latency_ns';
COMMENT ON COLUMN layer_time.work_share IS 'device_share if a device did the work, else share';

CREATE VIEW kernel_time AS
SELECT {lead}point_id, kernel_index, t.kernel_call_ns AS call_ns,
       k.duration_ns / nullif(t.kernel_whole_ns, 0) AS share,
       k.duration_ns * t.latency_ns / nullif(t.kernel_call_ns, 0) AS model_ns
FROM kernel k JOIN point_time t USING ({lead}point_id);
COMMENT ON VIEW kernel_time IS 'Every kernel''s time as a share of the call in the same run';
COMMENT ON COLUMN kernel_time.point_id IS 'The point';
COMMENT ON COLUMN kernel_time.kernel_index IS 'As kernel.kernel_index';
COMMENT ON COLUMN kernel_time.call_ns IS 'Latency of a call in the run of kernel.duration_ns, ns';
COMMENT ON COLUMN kernel_time.share IS 'kernel.duration_ns divided by that call; by the sum of the kernels if they overlap and add up to more. Never above 1';
COMMENT ON COLUMN kernel_time.model_ns IS 'kernel.duration_ns scaled to the latency of the point (model rung), ns';

CREATE VIEW layer_work AS
WITH of_kernels AS (
  SELECT {lead}point_id, layer_index, dtype, unit, count(*) AS kernel_count, sum(duration_ns) AS kernel_ns,
         sum(flops) AS flops, sum(read_bytes) AS read_bytes, sum(write_bytes) AS write_bytes,
         sum(occupancy * duration_ns) AS occupied_ns,
         sum(duration_ns) FILTER (occupancy IS NOT NULL) AS with_occupancy_ns,
         sum(duration_ns) FILTER (flops + read_bytes + write_bytes IS NOT NULL) AS known_ns,
         sum(duration_ns) FILTER (flops IS NULL AND unit IS NOT NULL) AS together_ns
  FROM kernel GROUP BY {lead}point_id, layer_index, dtype, unit),
known AS (
  SELECT {lead}point_id, layer_index, coalesce(sum(flops), 0) AS flops, coalesce(sum(read_bytes), 0) AS read_bytes,
         coalesce(sum(write_bytes), 0) AS write_bytes, arg_max(dtype, together_ns) AS dtype,
         arg_max(unit, together_ns) AS unit, sum(together_ns) AS together_ns
  FROM of_kernels WHERE layer_index IS NOT NULL GROUP BY {lead}point_id, layer_index),
together AS (
  SELECT {lead}point_id, layer_index, k.dtype, k.unit, k.together_ns, greatest(l.flops - k.flops, 0) AS flops,
         greatest(l.read_bytes - k.read_bytes, 0) AS read_bytes, greatest(l.write_bytes - k.write_bytes, 0) AS write_bytes
  FROM layer l JOIN known k USING ({lead}point_id, layer_index)
  WHERE k.together_ns > 0 AND (l.flops > k.flops * 1.000001 OR l.read_bytes > k.read_bytes * 1.000001))
SELECT {lead}point_id, layer_index, dtype, unit, kernel_count, kernel_ns, flops, read_bytes, write_bytes, occupied_ns,
       with_occupancy_ns, known_ns
FROM of_kernels
UNION ALL
SELECT {lead}point_id, layer_index, dtype, unit, 0, 0, flops, read_bytes, write_bytes, NULL, NULL, together_ns
FROM together;
COMMENT ON VIEW layer_work IS 'Work by layer, data type and unit: of its kernels, and in a row of its own what several kernels did together, which only the layer has. Sums count nothing twice';
COMMENT ON COLUMN layer_work.point_id IS 'The point';
COMMENT ON COLUMN layer_work.layer_index IS 'As kernel.layer_index';
COMMENT ON COLUMN layer_work.dtype IS 'As kernel.dtype';
COMMENT ON COLUMN layer_work.unit IS 'As kernel.unit';
COMMENT ON COLUMN layer_work.kernel_count IS 'Kernels; 0: the work of several, which are counted in other rows';
COMMENT ON COLUMN layer_work.kernel_ns IS 'Sum of the kernels'' durations, ns; 0: likewise';
COMMENT ON COLUMN layer_work.flops IS 'FLOP';
COMMENT ON COLUMN layer_work.read_bytes IS 'Bytes read from memory';
COMMENT ON COLUMN layer_work.write_bytes IS 'Bytes written to memory';
COMMENT ON COLUMN layer_work.occupied_ns IS 'Sum of occupancy times duration, ns';
COMMENT ON COLUMN layer_work.with_occupancy_ns IS 'Duration of the kernels with known occupancy, ns';
COMMENT ON COLUMN layer_work.known_ns IS 'Duration of the kernels whose FLOPs and traffic are known, alone or together, ns';

CREATE VIEW path_piece AS
WITH kernel_run AS (SELECT {lead}point_id, any_value(source_run) AS kernel_run FROM kernel GROUP BY {lead}point_id),
busy AS (
  SELECT {lead}run_id, avg(busy_ns) FILTER (is_typical) AS step_ns, avg(busy_ns) FILTER (step IS NULL) AS run_ns
  FROM device_time LEFT JOIN device_step USING ({lead}run_id, step) GROUP BY {lead}run_id HAVING run_ns > 0),
traced AS (
  SELECT {lead}point_id, run_id, rung, coalesce(step_ns, run_ns) AS busy_ns,
         row_number() OVER (PARTITION BY {lead}point_id ORDER BY run_id IS DISTINCT FROM kernel_run, run_id) AS place
  FROM busy JOIN run USING ({lead}run_id) LEFT JOIN kernel_run USING ({lead}point_id)),
-- The mean typical step: of the ranks, too.
numbered AS (
  SELECT {lead}run_id, kind, name, duration_ns, step,
         dense_rank() OVER (PARTITION BY {lead}run_id ORDER BY coalesce(rank, -1), coalesce(step, -1)) AS number
  FROM critical_path LEFT JOIN device_step USING ({lead}run_id, step) WHERE coalesce(is_typical, true)),
path AS (
  SELECT {lead}run_id, kind, name, sum(duration_ns) / any_value(steps) AS ns, bool_or(step IS NOT NULL) AS has_steps,
         kind IN ('compute', 'communication', 'copy') AS is_work
  FROM (SELECT *, max(number) OVER (PARTITION BY {lead}run_id) AS steps FROM numbered) GROUP BY {lead}run_id, kind, name),
whole_path AS (
  SELECT {lead}run_id, sum(ns) AS path_ns, coalesce(sum(ns) FILTER (is_work), 0) AS work_ns, bool_or(has_steps) AS has_steps
  FROM path GROUP BY {lead}run_id HAVING path_ns > 0),
-- Profiling makes the host slower but not the device: work keeps its time, the rest is what the call has left. While
-- the host is on the path beside a busy device, nothing is saved before the device is faster, too.
scaled AS (
  SELECT {lead}point_id, run_id, path_ns, work_ns,
         CASE WHEN rung IN ('imported', 'recorded') THEN path_ns ELSE coalesce(latency_ns, path_ns) END AS call_ns,
         CASE WHEN rung NOT IN ('imported', 'recorded') THEN 'call' WHEN has_steps THEN 'step' ELSE 'recording' END AS whole,
         least(work_ns, call_ns) AS call_work_ns,
         CASE WHEN work_ns < path_ns THEN greatest(least(busy_ns, call_ns, path_ns) - call_work_ns, 0) ELSE 0 END
           AS beside_ns
  FROM traced JOIN whole_path USING ({lead}run_id)
  JOIN (SELECT {lead}point_id, latency_ns FROM point) p USING ({lead}point_id)
  WHERE place = 1),
traced_piece AS (
  SELECT {lead}point_id, run_id, kind, name, whole,
         ns * CASE WHEN NOT is_work THEN (call_ns - call_work_ns - beside_ns) / (path_ns - work_ns)
                   WHEN work_ns < path_ns THEN call_work_ns / work_ns ELSE call_ns / work_ns END AS duration_ns,
         ns * CASE WHEN is_work THEN 1 ELSE greatest(path_ns - work_ns - beside_ns, 0) / (path_ns - work_ns) END AS recorded_ns
  FROM path JOIN scaled USING ({lead}run_id)
  UNION ALL
  SELECT {lead}point_id, run_id, 'beside', '(host, while the device works)', whole, beside_ns, beside_ns FROM scaled),
-- Without a device: the layers share the call, kernels their layer. Kernels outside of layers share what is left.
host AS (
  SELECT {lead}point_id,
         coalesce(nullif(latency_ns, 0), nullif(layer_call_ns, 0), nullif(layers_ns, 0), nullif(kernels_ns, 0)) AS call_ns,
         call_ns / layer_whole_ns AS layer_scale, call_ns / kernel_whole_ns AS kernel_scale,
         kernel_call_ns / nullif(layer_call_ns, 0) AS kernel_run_scale
  FROM point_time LEFT JOIN (SELECT DISTINCT {lead}point_id, true AS is_traced FROM traced) t USING ({lead}point_id)
  WHERE is_traced IS NULL),
host_kernel AS (
  SELECT {lead}point_id, layer_index, sum(duration_ns) AS kernels_ns FROM kernel
  WHERE layer_index IS NOT NULL AND duration_ns > 0 GROUP BY {lead}point_id, layer_index),
host_layer AS (
  SELECT {lead}point_id, layer_index, l.name, l.latency_ns, l.latency_ns * layer_scale AS ns, k.kernels_ns,
         CASE WHEN k.kernels_ns > 0
              THEN coalesce(least(1, coalesce(l.device_ns, k.kernels_ns)
                                     / nullif(coalesce(l.kernel_run_ns, l.latency_ns * kernel_run_scale), 0)), 1)
              ELSE 0 END AS kernel_share
  FROM layer l JOIN host h USING ({lead}point_id) LEFT JOIN host_kernel k USING ({lead}point_id, layer_index)
  WHERE l.latency_ns * layer_scale > 0),
loose AS (
  SELECT {lead}point_id, kernel_index, k.name, k.duration_ns, k.duration_ns * kernel_scale AS ns,
         sum(k.duration_ns * kernel_scale) OVER (PARTITION BY {lead}point_id) AS all_ns
  FROM kernel k JOIN host h USING ({lead}point_id)
  LEFT JOIN (SELECT {lead}point_id, layer_index, true AS is_in_layer FROM host_layer) i USING ({lead}point_id, layer_index)
  WHERE is_in_layer IS NULL AND k.duration_ns * kernel_scale > 0),
room AS (
  SELECT {lead}point_id, h.call_ns, greatest(h.call_ns - coalesce(layers_ns, 0), 0) AS room_ns,
         layers_ns IS NOT NULL AS has_layers
  FROM host h LEFT JOIN (SELECT {lead}point_id, sum(ns) AS layers_ns FROM host_layer GROUP BY {lead}point_id) l
    USING ({lead}point_id)),
placed_loose AS (
  SELECT {lead}point_id, kernel_index, name, duration_ns AS recorded_ns, ns * least(1, room_ns / nullif(all_ns, 0)) AS ns
  FROM loose JOIN room USING ({lead}point_id)),
divided AS (
  SELECT {lead}point_id, run_id, kind || ':' || name AS piece, kind, name, NULL::BIGINT AS layer_index,
         NULL::BIGINT AS kernel_index, duration_ns, recorded_ns, whole
  FROM traced_piece
  UNION ALL
  SELECT {lead}point_id, NULL, 'kernel:' || kernel_index, 'compute', k.name, layer_index, kernel_index,
         l.ns * l.kernel_share * k.duration_ns / l.kernels_ns, k.duration_ns, 'call'
  FROM kernel k JOIN (SELECT {lead}point_id, layer_index, ns, kernel_share, kernels_ns FROM host_layer) l
    USING ({lead}point_id, layer_index)
  WHERE k.duration_ns > 0
  UNION ALL
  SELECT {lead}point_id, NULL, 'layer:' || layer_index, 'layer', name, layer_index, NULL, ns * (1 - kernel_share),
         latency_ns * (1 - kernel_share), 'call'
  FROM host_layer
  UNION ALL
  SELECT {lead}point_id, NULL, 'kernel:' || kernel_index, 'compute', name, NULL, kernel_index, ns, recorded_ns, 'call'
  FROM placed_loose
  UNION ALL
  SELECT {lead}point_id, NULL, 'between', 'between',
         CASE WHEN has_layers THEN '(between layers)' WHEN loose_ns > 0 THEN '(outside of kernels)' ELSE '(call)' END,
         NULL, NULL, room_ns - coalesce(loose_ns, 0), NULL, 'call'
  FROM room LEFT JOIN (SELECT {lead}point_id, sum(ns) AS loose_ns FROM placed_loose GROUP BY {lead}point_id) p
    USING ({lead}point_id))
SELECT {lead}point_id, run_id, piece, kind, name, layer_index, kernel_index, duration_ns, recorded_ns, whole
FROM divided WHERE duration_ns > 0;
COMMENT ON VIEW path_piece IS 'The time of a model call, cut into pieces that add up to it: where a device works, the critical path of the mean typical step by kind and name; else kernels, the time of layers outside of kernels, and the time between layers. Work off the path has no piece';
COMMENT ON COLUMN path_piece.point_id IS 'The point';
COMMENT ON COLUMN path_piece.run_id IS 'The run of the critical path; NULL: no device works';
COMMENT ON COLUMN path_piece.piece IS 'Names the piece within the point: KIND:NAME on a critical path, else kernel:INDEX, layer:INDEX or between';
COMMENT ON COLUMN path_piece.kind IS 'As critical_path.kind, of which host, launch, gap and synchronisation are the part while the device is idle, and beside: all of that while it works (saved only if the device becomes faster, too); without a device: compute (kernels), layer (in a layer, outside of its kernels) or between (outside of layers)';
COMMENT ON COLUMN path_piece.name IS 'As critical_path.name; else the kernel or layer';
COMMENT ON COLUMN path_piece.layer_index IS 'As layer.layer_index; NULL: on a critical path, or outside of layers';
COMMENT ON COLUMN path_piece.kernel_index IS 'As kernel.kernel_index; NULL: on a critical path, or no kernel';
COMMENT ON COLUMN path_piece.duration_ns IS 'Its time in a call without profiling, ns: layers and kernels have their share of it. On a critical path of a measured model device work keeps its time and the rest is scaled to what the call has left; an imported or recorded step is taken as it is';
COMMENT ON COLUMN path_piece.recorded_ns IS 'Its time in the run where it was recorded, per call or step, ns; NULL: that of no event';
COMMENT ON COLUMN path_piece.whole IS 'What the pieces add up to: call, step (the mean typical one of an imported or recorded program) or recording (a whole one without steps)';

CREATE VIEW waiting_piece AS
SELECT {lead}point_id, run_id, piece, kind, name, duration_ns,
       sum(duration_ns) OVER (PARTITION BY {lead}point_id ORDER BY duration_ns DESC, piece) - duration_ns AS before_ns,
       sum(duration_ns) OVER (PARTITION BY {lead}point_id) / sum(recorded_ns) OVER (PARTITION BY {lead}point_id) AS scale
FROM path_piece WHERE run_id IS NOT NULL AND kind IN ('host', 'launch', 'gap', 'synchronisation');
COMMENT ON VIEW waiting_piece IS 'The pieces of path_piece in which the device is idle. Of idle time only the amount is known: findings take it from the longest pieces, so that two that mean the same idle time claim the same pieces';
COMMENT ON COLUMN waiting_piece.point_id IS 'The point';
COMMENT ON COLUMN waiting_piece.run_id IS 'As path_piece.run_id';
COMMENT ON COLUMN waiting_piece.piece IS 'As path_piece.piece';
COMMENT ON COLUMN waiting_piece.kind IS 'host, launch, gap or synchronisation';
COMMENT ON COLUMN waiting_piece.name IS 'As path_piece.name';
COMMENT ON COLUMN waiting_piece.duration_ns IS 'As path_piece.duration_ns';
COMMENT ON COLUMN waiting_piece.before_ns IS 'Sum of duration_ns of the longer pieces, ns: of an amount this piece has greatest(0, least(duration_ns, amount - before_ns))';
COMMENT ON COLUMN waiting_piece.scale IS 'Idle time of a call over that of the recorded one, by which amounts of the recording are multiplied';

CREATE VIEW kernel_piece AS
WITH part AS MATERIALIZED (
  SELECT {lead}point_id, piece, kind, name, kernel_index, duration_ns FROM path_piece
  WHERE kind IN ('compute', 'communication', 'copy')),
named AS (
  SELECT {lead}point_id, name, sum(duration_ns) AS all_ns FROM kernel WHERE duration_ns > 0 GROUP BY {lead}point_id, name)
SELECT {lead}point_id, kernel_index, piece, duration_ns FROM part WHERE kernel_index IS NOT NULL
UNION ALL
SELECT {lead}point_id, k.kernel_index, piece, p.duration_ns * least(1, k.duration_ns / all_ns)
FROM kernel k JOIN named USING ({lead}point_id, name) JOIN part p USING ({lead}point_id, name)
WHERE k.duration_ns > 0 AND p.kernel_index IS NULL;
COMMENT ON VIEW kernel_piece IS 'The time of every kernel on the path of a call (path_piece); kernels of one name share the time of their piece';
COMMENT ON COLUMN kernel_piece.point_id IS 'The point';
COMMENT ON COLUMN kernel_piece.kernel_index IS 'As kernel.kernel_index; a kernel that is never on the path has no row';
COMMENT ON COLUMN kernel_piece.piece IS 'As path_piece.piece';
COMMENT ON COLUMN kernel_piece.duration_ns IS 'Its time on the path, ns';

CREATE VIEW training_phase AS
WITH RECURSIVE
-- Steps of recorded programs hold their phases as ranges. Steps of imported traces are the profiler's, and what is in
-- them tells by its name: '' belongs to no phase, NULL (a Python function) is opened to look below.
recorded AS (
  SELECT {lead}run_id, rank, node, count, host_ns, device_ns, kernels FROM tree WHERE level = 'model' AND type = 'train'),
imported AS (
  SELECT {lead}run_id, rank, node, count, host_ns, device_ns, kernels
  FROM tree LEFT JOIN (SELECT DISTINCT {lead}run_id, true AS is_recorded FROM recorded) USING ({lead}run_id)
  WHERE level = 'application' AND type = 'step' AND is_recorded IS NULL),
named AS (
  SELECT {lead}run_id, rank, node, parent, count, host_ns, device_ns, kernels,
         CASE WHEN name LIKE 'Optimizer.step#%' THEN 'optimizer'
              WHEN name LIKE 'Optimizer.zero_grad#%' THEN 'zero_grad'
              WHEN name LIKE 'enumerate(DataLoader)#%' THEN 'data loading'
              -- Before PyTorch 1.9 only the nodes themselves: AddmmBackward, torch::autograd::AccumulateGrad.
              WHEN level = 'layer' AND regexp_matches(name, '^autograd::engine::evaluate_function:|^[\w:]+Backward\d*$|::AccumulateGrad$')
                THEN 'backward'
              WHEN type = 'python' THEN CASE WHEN name LIKE '%run_backward%' THEN 'backward' END
              WHEN type = 'range' THEN name
              WHEN level <> 'layer' OR name IN ('aten::to', 'aten::copy_', 'aten::item', 'aten::is_nonzero') THEN ''
              ELSE 'forward' END AS phase
  FROM tree JOIN (SELECT DISTINCT {lead}run_id FROM imported) USING ({lead}run_id)),
below AS (
  SELECT {lead}run_id, n.rank, n.node, phase, n.count, n.host_ns, n.device_ns, n.kernels
  FROM (SELECT {lead}run_id, node AS parent FROM imported) JOIN named n USING ({lead}run_id, parent)
  UNION ALL
  SELECT {lead}run_id, n.rank, n.node, n.phase, n.count, n.host_ns, n.device_ns, n.kernels
  FROM (SELECT {lead}run_id, node AS parent FROM below WHERE phase IS NULL) JOIN named n USING ({lead}run_id, parent)),
turned AS (
  SELECT *, min(node) FILTER (phase IN ('backward', 'optimizer')) OVER (PARTITION BY {lead}run_id, rank) AS turn
  FROM below),
trains AS (
  SELECT {lead}run_id, bool_or(phase = 'backward') AS waits FROM turned WHERE turn IS NOT NULL GROUP BY {lead}run_id),
-- Work for a device is launched by autograd's own threads, while the thread of the steps waits.
beside AS (
  SELECT {lead}run_id, rank, node, count, CASE WHEN waits THEN 0 ELSE host_ns END AS host_ns, device_ns, kernels
  FROM named JOIN trains USING ({lead}run_id) WHERE parent IS NULL AND phase = 'backward'),
phase_node AS (
  SELECT {lead}run_id, rank, name AS phase, count, host_ns, device_ns, kernels, node
  FROM tree JOIN (SELECT {lead}run_id, node AS parent FROM recorded) USING ({lead}run_id, parent)
  WHERE level = 'application'
  UNION ALL
  SELECT {lead}run_id, rank, phase, count, host_ns, device_ns, kernels, node
  FROM turned WHERE turn IS NOT NULL AND phase <> '' AND (phase <> 'forward' OR node < turn)
  UNION ALL
  SELECT {lead}run_id, rank, 'backward', count, host_ns, device_ns, kernels, node FROM beside),
whole AS (
  SELECT {lead}run_id, rank, sum(count) AS steps, sum(host_ns) AS steps_ns,
         sum(device_ns) AS steps_device_ns, sum(kernels) AS steps_kernels
  FROM (SELECT * FROM recorded UNION ALL SELECT * FROM imported
        UNION ALL SELECT {lead}run_id, rank, node, 0, 0, device_ns, kernels FROM beside)
  GROUP BY {lead}run_id, rank)
SELECT {lead}run_id, p.rank, phase, sum(count) AS count, sum(host_ns) AS host_ns, sum(device_ns) AS device_ns,
       sum(kernels) AS kernels, min(node) AS place, any_value(steps) AS steps, any_value(steps_ns) AS steps_ns,
       any_value(steps_device_ns) AS steps_device_ns, any_value(steps_kernels) AS steps_kernels
FROM phase_node p JOIN whole w USING ({lead}run_id)
WHERE p.rank IS NOT DISTINCT FROM w.rank
GROUP BY {lead}run_id, p.rank, phase;
COMMENT ON VIEW training_phase IS 'Phases of training steps; analyses/phases/README.md has the definitions';
COMMENT ON COLUMN training_phase.run_id IS 'The run';
COMMENT ON COLUMN training_phase.rank IS 'Process of a distributed execution; NULL: the only one';
COMMENT ON COLUMN training_phase.phase IS 'Name from the program or its framework';
COMMENT ON COLUMN training_phase.count IS 'Spans of the phase in all steps';
COMMENT ON COLUMN training_phase.host_ns IS 'Sum of their durations on the host, ns; for nodes on autograd''s own threads those durations, unless the wait for them was recorded';
COMMENT ON COLUMN training_phase.device_ns IS 'Sum of the durations of device work that they launched, ns';
COMMENT ON COLUMN training_phase.kernels IS 'Spans of level kernel in them';
COMMENT ON COLUMN training_phase.place IS 'Phases in order of their first start';
COMMENT ON COLUMN training_phase.steps IS 'Training steps of the rank';
COMMENT ON COLUMN training_phase.steps_ns IS 'Sum of their durations on the host, ns';
COMMENT ON COLUMN training_phase.steps_device_ns IS 'Sum of the durations of device work launched in them, ns';
COMMENT ON COLUMN training_phase.steps_kernels IS 'Spans of level kernel in them';

CREATE VIEW layer_bound AS
WITH
-- An operator can use as many cores as the framework has threads for it; where that is not known, all.
point_threads AS (
  SELECT {lead}point_id, CASE WHEN bool_and(coalesce(threads, 0) > 0) THEN max(threads) END AS threads
  FROM run WHERE latency_ns > 0 GROUP BY {lead}point_id),
ceiling AS (
  SELECT {lead}1 AS one, kind, split_part(name, ' ', 1) AS level, split_part(name, ' ', 2) AS access, dtype, unit,
         coalesce(cores, 0) AS cores, value, how
  FROM roof),
point_cores AS (
  SELECT {lead}point_id, 1 AS one, coalesce(min(cores) FILTER (cores >= threads), max(cores)) AS cores
  FROM (SELECT {lead}point_id, 1 AS one FROM point) LEFT JOIN point_threads USING ({lead}point_id)
  JOIN (SELECT DISTINCT {lead}one, cores FROM ceiling) USING ({lead}one)
  GROUP BY {lead}point_id),
peak AS (
  SELECT {lead}one, cores, dtype, unit, max(value) AS flops_per_s
  FROM ceiling WHERE kind = 'flops' GROUP BY {lead}one, cores, dtype, unit),
peak_of_dtype AS (
  SELECT {lead}one, cores, dtype, max(flops_per_s) AS flops_per_s FROM peak GROUP BY {lead}one, cores, dtype),
-- held_bytes: what the levels nearer to the core may hold. A level was measured with a set that does not fit into them,
-- DRAM with at least twice the last cache; of a device the data sheet states the last cache. Both directions have their
-- own rate, a triad two reads for each write; a rate without a direction is that of both together.
bandwidth AS (
  SELECT {lead}one, cores, level,
         CASE WHEN bool_or(access = 'read')
              THEN max(value * CASE access WHEN 'read' THEN 1 WHEN 'triad' THEN 2 / 3 END) END AS read_per_s,
         CASE WHEN bool_or(access = 'write')
              THEN max(value * CASE access WHEN 'write' THEN 1 WHEN 'triad' THEN 1 / 3 END) END AS write_per_s,
         max(value) FILTER (access = '') AS total_per_s,
         CASE WHEN level = 'L1' THEN 0
              WHEN bool_or(contains(how, 'from the cache')) THEN NULL
              ELSE coalesce(
                max(CAST(nullif(regexp_extract(how, '([0-9]+) KiB per core', 1), '') AS DOUBLE)) * 1024 * cores
                  / CASE WHEN level = 'DRAM' THEN 2 ELSE 1 END,
                max(CAST(nullif(regexp_extract(how, 'last cache ([0-9.]+) MiB', 1), '') AS DOUBLE)) * 1048576) END
           AS held_bytes
  FROM ceiling WHERE kind = 'bandwidth' GROUP BY {lead}one, cores, level),
-- Share of a convolution's multiply-adds that are not with padding, which an implementation may skip: in each dimension
-- the positions of the kernel that meet the input.
problem_sizes AS (
  SELECT problem, unnest(regexp_extract_all(problem, 'i[dhw][0-9]+o[dhw][0-9]+k[dhw][0-9]+s[dhw][0-9]+d[dhw][0-9]+p[dhw][0-9]+')) AS size
  FROM (SELECT DISTINCT problem FROM kernel WHERE name LIKE 'convolution%')),
problem_numbers AS (
  SELECT problem, size, list_transform(regexp_extract_all(size, '[0-9]+'), lambda n: CAST(n AS BIGINT)) AS n FROM problem_sizes),
unpadded AS (
  SELECT problem, product(list_sum([greatest(0, least(n[2] - 1, floor((n[1] - 1 + n[6] - k * (n[5] + 1)) / n[4]))
                                               - greatest(0, ceil((n[6] - k * (n[5] + 1)) / n[4])) + 1)
                                    FOR k IN range(n[3])]) / (n[2] * n[3])) AS share
  FROM problem_numbers WHERE n[2] * n[3] * n[4] > 0 GROUP BY problem),
-- The FLOPs of a convolution are those of the direct algorithm; Winograd's and Fourier transforms need fewer. An operator
-- of unknown cost may read only some of its operands, as a lookup does, or hold them in a smaller type.
spelled_kernel AS (
  SELECT *, contains(spelling, 'wino') OR contains(spelling, 'fft') AS is_fast
  FROM (SELECT *, lower(concat_ws(' ', name, implementation)) AS spelling FROM kernel)),
part AS (
  SELECT {lead}point_id, layer_index, dtype, coalesce(unit, 'vector') AS unit,
         CASE WHEN flops IS NULL AND traffic_provenance = 'analytic' THEN least(read_bytes, 0) ELSE read_bytes END AS read_bytes,
         write_bytes, duration_ns AS known_ns, coalesce(traffic_provenance, 'analytic') = 'analytic' AS is_analytic,
         CASE WHEN flops_provenance <> 'analytic' THEN flops
              WHEN NOT is_fast THEN flops * coalesce(u.share, 1) END AS flops
  FROM spelled_kernel
  LEFT JOIN unpadded u USING (problem)
  WHERE layer_index IS NOT NULL AND coalesce(flops, read_bytes) IS NOT NULL
  UNION ALL
  SELECT {lead}point_id, layer_index, w.dtype, coalesce(w.unit, 'vector'), w.read_bytes, w.write_bytes, w.known_ns,
         coalesce(l.traffic_provenance, 'analytic') = 'analytic',
         CASE WHEN NOT (coalesce(k.is_fast, false) AND l.flops_provenance = 'analytic') THEN w.flops END
  FROM layer_work w JOIN layer l USING ({lead}point_id, layer_index)
  LEFT JOIN (SELECT {lead}point_id, layer_index, bool_or(is_fast) AS is_fast
             FROM spelled_kernel GROUP BY {lead}point_id, layer_index) k USING ({lead}point_id, layer_index)
  WHERE w.kernel_count = 0),
by_unit AS (
  SELECT {lead}point_id, layer_index, unit, arg_max(dtype, flops) AS dtype,
         sum(flops / coalesce(own.flops_per_s, best.flops_per_s)) * 1e9 AS ns
  FROM (SELECT * FROM part WHERE flops > 0) JOIN point_cores USING ({lead}point_id)
  LEFT JOIN peak own USING ({lead}one, cores, dtype, unit)
  LEFT JOIN peak_of_dtype best USING ({lead}one, cores, dtype)
  GROUP BY {lead}point_id, layer_index, unit),
crossing AS (
  SELECT {lead}point_id, layer_index, level, read_per_s, write_per_s, total_per_s,
         CASE WHEN is_analytic THEN greatest(read_bytes - held_bytes, 0) WHEN level = 'DRAM' THEN read_bytes END AS read_bytes,
         CASE WHEN is_analytic THEN greatest(write_bytes - held_bytes, 0) WHEN level = 'DRAM' THEN write_bytes END AS write_bytes
  FROM (SELECT * FROM part WHERE read_bytes IS NOT NULL AND write_bytes IS NOT NULL)
  JOIN point_cores USING ({lead}point_id) JOIN bandwidth USING ({lead}one, cores)),
by_level AS (
  SELECT {lead}point_id, layer_index, level,
         greatest(sum(read_bytes / read_per_s), sum(write_bytes / write_per_s),
                  sum((read_bytes + write_bytes) / total_per_s)) * 1e9 AS ns
  FROM crossing GROUP BY {lead}point_id, layer_index, level),
compute AS (
  SELECT {lead}point_id, layer_index, max(ns) AS compute_ns, arg_max(concat_ws(' ', dtype, unit), ns) AS roof
  FROM by_unit GROUP BY {lead}point_id, layer_index),
memory AS (
  SELECT {lead}point_id, layer_index, max(ns) AS memory_ns, arg_max(level, ns) AS roof
  FROM by_level GROUP BY {lead}point_id, layer_index),
known AS (SELECT {lead}point_id, layer_index, sum(known_ns) AS known_ns FROM part GROUP BY {lead}point_id, layer_index),
kernels AS (SELECT {lead}point_id, layer_index, sum(duration_ns) AS kernel_ns FROM kernel GROUP BY {lead}point_id, layer_index)
SELECT {lead}point_id, layer_index, t.work_ns AS measured_ns, compute_ns, memory_ns,
       greatest(compute_ns, memory_ns) AS bound_ns,
       CASE WHEN coalesce(memory_ns, 0) > coalesce(compute_ns, 0) THEN m.roof ELSE c.roof END AS resource,
       least(known_ns / nullif(kernel_ns, 0), 1) AS known_share
FROM layer_time t
LEFT JOIN compute c USING ({lead}point_id, layer_index)
LEFT JOIN memory m USING ({lead}point_id, layer_index)
LEFT JOIN known USING ({lead}point_id, layer_index)
LEFT JOIN kernels USING ({lead}point_id, layer_index);
COMMENT ON VIEW layer_bound IS 'The least time that each layer could take under the roofs of the machine (docs/ideal-latency.md)';
COMMENT ON COLUMN layer_bound.point_id IS 'The point';
COMMENT ON COLUMN layer_bound.layer_index IS 'As layer.layer_index';
COMMENT ON COLUMN layer_bound.measured_ns IS 'As layer_time.work_ns: device time if a device did the work, else latency, ns';
COMMENT ON COLUMN layer_bound.compute_ns IS 'FLOPs over the peak of their data type and unit, of the busiest unit, ns; NULL: no FLOPs with a peak';
COMMENT ON COLUMN layer_bound.memory_ns IS 'Bytes that have to cross a level of the memory over its bandwidth, of the busiest level, ns; NULL: no known traffic or no bandwidth';
COMMENT ON COLUMN layer_bound.bound_ns IS 'The greater of the two, ns; NULL: neither is known';
COMMENT ON COLUMN layer_bound.resource IS 'What bounds it: data type and unit, or the level of the memory';
COMMENT ON COLUMN layer_bound.known_share IS 'Share of its kernel time behind the bound, 0 to 1';
