-- Layers whose intensity is known, with the roofs of the data types that their kernels use.
WITH peak AS (
  SELECT dtype, unit, max(value) AS peak_flops_per_s
  FROM roof WHERE kind = 'flops' AND used GROUP BY dtype, unit),
bandwidth AS (
  SELECT max(value) AS peak_bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
summed AS (
  -- The peak of kernels of several data types is the one at which all their FLOPs would take as
  -- long as each at its own peak; not known when more than 5 % of the FLOPs have no roof.
  SELECT point_id, layer_index, sum(kernel_ns) AS kernel_ns, sum(flops) AS flops,
         sum(read_bytes) + sum(write_bytes) AS traffic_bytes,
         CASE WHEN sum(flops) FILTER (peak_flops_per_s > 0) < 0.95 * sum(flops) THEN NULL
              WHEN count(DISTINCT peak_flops_per_s) FILTER (flops > 0) = 1
              THEN max(peak_flops_per_s) FILTER (flops > 0)
              ELSE sum(flops) FILTER (peak_flops_per_s > 0)
                   / nullif(sum(flops / peak_flops_per_s), 0) END AS peak_flops_per_s
  FROM layer_work LEFT JOIN peak USING (dtype, unit)
  WHERE layer_index IS NOT NULL
  GROUP BY point_id, layer_index),
placed AS (
  SELECT s.*, peak_bytes_per_s,
         s.flops / s.traffic_bytes AS intensity,
         s.flops * 1e9 / nullif(s.kernel_ns, 0) AS throughput,
         s.peak_flops_per_s / nullif(peak_bytes_per_s, 0) AS ridge
  FROM summed s CROSS JOIN bandwidth
  WHERE s.flops > 0 AND s.traffic_bytes > 0)
SELECT s.point_id, p.batch, s.layer_index, l.name, l.type, l.latency_ns, s.kernel_ns,
       s.intensity AS intensity_flops_per_byte,
       s.throughput AS throughput_flops_per_s,
       s.peak_flops_per_s, s.peak_bytes_per_s, s.ridge AS ridge_flops_per_byte,
       CASE WHEN s.intensity < s.ridge THEN 'memory'
            WHEN s.intensity >= s.ridge THEN 'compute' END AS bound,
       s.throughput / CASE WHEN s.intensity < s.ridge THEN s.intensity * s.peak_bytes_per_s
                           WHEN s.intensity >= s.ridge THEN s.peak_flops_per_s END AS roof_fraction
FROM placed s
JOIN layer l USING (point_id, layer_index)
JOIN point p USING (point_id)
ORDER BY s.point_id, s.layer_index
