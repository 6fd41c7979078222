-- One row per model (of each experiment, backend and device): batch size 1 for the online latency,
-- the batch size of the highest throughput for everything else.
WITH series AS (
  SELECT *, batch * 1e9 / nullif(latency_ns, 0) AS throughput_per_s
  FROM point WHERE latency_ns IS NOT NULL),
chosen AS (
  SELECT * FROM series
  QUALIFY row_number() OVER (PARTITION BY experiment, model, backend, device, settings
                             ORDER BY throughput_per_s DESC NULLS LAST, batch, point_id) = 1),
online AS (
  SELECT experiment, model, backend, device, settings, any_value(latency_ns) AS latency_ns
  FROM series WHERE batch = 1 GROUP BY ALL),
layers AS (
  -- Every kind of convolution (conv2d, Conv2D, depthwise, transposed), but nothing that converts.
  SELECT experiment, point_id, sum(latency_ns) AS latency_ns, sum(device_ns) AS device_ns,
         coalesce(sum(latency_ns) FILTER (regexp_matches(lower(type), 'conv($|[^e])')), 0)
           AS convolution_ns
  FROM layer GROUP BY experiment, point_id),
peak AS (
  SELECT experiment, dtype, unit, max(value) AS peak_flops_per_s
  FROM roof WHERE kind = 'flops' AND used GROUP BY ALL),
bandwidth AS (
  SELECT experiment, max(value) AS peak_bytes_per_s
  FROM roof WHERE kind = 'bandwidth' AND used GROUP BY ALL),
by_type AS (
  SELECT experiment, point_id, dtype, unit, sum(kernel_ns) AS kernel_ns,
         sum(kernel_ns) FILTER (layer_index IS NULL) AS outside_ns,
         sum(flops) AS flops, sum(read_bytes) AS read_bytes, sum(write_bytes) AS write_bytes,
         sum(occupied_ns) AS occupied_ns, sum(with_occupancy_ns) AS with_occupancy_ns
  FROM layer_work SEMI JOIN chosen USING (experiment, point_id)
  GROUP BY experiment, point_id, dtype, unit),
kernels AS (
  SELECT experiment, point_id, sum(kernel_ns) AS kernel_ns,
         coalesce(sum(outside_ns), 0) AS outside_ns, sum(flops) AS flops,
         sum(read_bytes) AS read_bytes, sum(write_bytes) AS write_bytes,
         sum(flops) / nullif(sum(read_bytes) + sum(write_bytes), 0) AS intensity,
         sum(occupied_ns) / nullif(sum(with_occupancy_ns), 0) AS occupancy,
         CASE WHEN sum(flops) FILTER (peak_flops_per_s > 0) < 0.95 * sum(flops) THEN NULL
              WHEN count(DISTINCT peak_flops_per_s) FILTER (flops > 0) = 1
              THEN max(peak_flops_per_s) FILTER (flops > 0)
              ELSE sum(flops) FILTER (peak_flops_per_s > 0)
                   / nullif(sum(flops / peak_flops_per_s), 0) END AS peak_flops_per_s
  FROM by_type LEFT JOIN peak USING (experiment, dtype, unit)
  GROUP BY experiment, point_id),
joined AS (
  SELECT c.*, o.latency_ns AS online_latency_ns, l.convolution_ns, k.kernel_ns, k.flops,
         k.read_bytes, k.write_bytes, k.intensity, k.occupancy, t.layer_whole_ns, t.kernel_whole_ns,
         coalesce(l.device_ns + k.outside_ns, k.kernel_ns) AS device_ns,
         k.peak_flops_per_s / nullif(b.peak_bytes_per_s, 0) AS ridge
  FROM chosen c
  LEFT JOIN online o ON (c.experiment, c.model, c.backend, c.device, c.settings)
                      = (o.experiment, o.model, o.backend, o.device, o.settings)
  LEFT JOIN layers l ON (l.experiment, l.point_id) = (c.experiment, c.point_id)
  LEFT JOIN kernels k ON (k.experiment, k.point_id) = (c.experiment, c.point_id)
  LEFT JOIN point_time t ON (t.experiment, t.point_id) = (c.experiment, c.point_id)
  LEFT JOIN bandwidth b ON b.experiment = c.experiment)
SELECT experiment, model, online_latency_ns, batch AS optimal_batch,
       throughput_per_s AS highest_throughput_per_s,
       convolution_ns / nullif(layer_whole_ns, 0) AS convolution_share,
       device_ns / nullif(kernel_whole_ns, 0) AS device_share,
       CASE WHEN intensity = 0 OR intensity < ridge THEN 'memory'
            WHEN intensity >= ridge THEN 'compute' END AS bound,
       intensity AS intensity_flops_per_byte,
       flops * 1e9 / nullif(kernel_ns, 0) AS throughput_flops_per_s,
       flops, read_bytes, write_bytes, occupancy, latency_ns AS optimal_latency_ns, model_bytes,
       backend, device, precision
FROM joined
ORDER BY highest_throughput_per_s DESC NULLS LAST, experiment, model, backend, device, point_id
