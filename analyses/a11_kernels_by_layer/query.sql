-- Kernels summed by the layer that they belong to, the longest layer first. Kernels of no layer are
-- a row of their own.
WITH peak AS (
  SELECT dtype, unit, max(value) AS peak_flops_per_s
  FROM roof WHERE kind = 'flops' AND used GROUP BY dtype, unit),
bandwidth AS (
  SELECT max(value) AS peak_bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
summed AS (
  -- The peak of kernels of several data types is the one at which all their FLOPs would take as
  -- long as each at its own peak; not known when more than 5 % of the FLOPs have no roof.
  SELECT point_id, layer_index, sum(kernel_count) AS kernel_count, sum(kernel_ns) AS kernel_ns,
         sum(flops) AS flops, sum(read_bytes) AS read_bytes, sum(write_bytes) AS write_bytes,
         sum(occupied_ns) / nullif(sum(with_occupancy_ns), 0) AS occupancy,
         coalesce(sum(known_ns), 0) / nullif(sum(kernel_ns), 0) AS known_time_share,
         CASE WHEN sum(flops) FILTER (peak_flops_per_s > 0) < 0.95 * sum(flops) THEN NULL
              WHEN count(DISTINCT peak_flops_per_s) FILTER (flops > 0) = 1
              THEN max(peak_flops_per_s) FILTER (flops > 0)
              ELSE sum(flops) FILTER (peak_flops_per_s > 0)
                   / nullif(sum(flops / peak_flops_per_s), 0) END AS peak_flops_per_s
  FROM layer_work LEFT JOIN peak USING (dtype, unit)
  GROUP BY point_id, layer_index),
joined AS (
  SELECT coalesce(l.point_id, s.point_id) AS point_id, coalesce(l.layer_index, s.layer_index)
           AS layer_index, l.name, l.type, l.latency_ns,
         coalesce(s.kernel_count, 0)::BIGINT AS kernel_count, s.kernel_ns, s.flops, s.read_bytes,
         s.write_bytes, s.occupancy, s.known_time_share, s.peak_flops_per_s,
         s.read_bytes + s.write_bytes AS traffic_bytes,
         s.flops / nullif(s.read_bytes + s.write_bytes, 0) AS intensity
  FROM layer l
  FULL JOIN summed s ON l.point_id = s.point_id AND l.layer_index = s.layer_index),
placed AS (
  SELECT j.*, b.peak_bytes_per_s,
         j.peak_flops_per_s / nullif(b.peak_bytes_per_s, 0) AS ridge
  FROM joined j CROSS JOIN bandwidth b)
SELECT s.point_id, p.batch, s.layer_index, coalesce(s.name, '(no layer)') AS name, s.type,
       s.latency_ns, s.kernel_ns, s.kernel_count,
       CASE WHEN s.intensity = 0 OR s.intensity < s.ridge THEN 'memory'
            WHEN s.intensity >= s.ridge THEN 'compute' END AS bound,
       CASE WHEN s.intensity >= s.ridge THEN s.flops / s.peak_flops_per_s
            WHEN s.intensity = 0 OR s.intensity < s.ridge
            THEN s.traffic_bytes / s.peak_bytes_per_s END * 1e9 / nullif(s.kernel_ns, 0)
         AS roof_fraction,
       s.intensity AS intensity_flops_per_byte,
       s.flops * 1e9 / nullif(s.kernel_ns, 0) AS throughput_flops_per_s,
       s.flops, s.read_bytes, s.write_bytes, s.occupancy, s.known_time_share
FROM placed s
JOIN point p USING (point_id)
LEFT JOIN layer_time t ON t.point_id = s.point_id AND t.layer_index = s.layer_index
WHERE EXISTS (FROM summed)
ORDER BY s.point_id, t.work_ns DESC NULLS LAST, s.latency_ns DESC NULLS LAST, s.layer_index
