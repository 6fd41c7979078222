-- One row per kernel, the longest first, compared with the roofs of its own data type and unit.
WITH peak AS (
  SELECT dtype, unit, max(value) AS peak_flops_per_s
  FROM roof WHERE kind = 'flops' AND used GROUP BY dtype, unit),
bandwidth AS (
  SELECT max(value) AS peak_bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
placed AS (
  SELECT k.*, peak_flops_per_s, peak_bytes_per_s,
         k.read_bytes + k.write_bytes AS traffic_bytes,
         k.flops / nullif(k.read_bytes + k.write_bytes, 0) AS intensity,
         peak_flops_per_s / nullif(peak_bytes_per_s, 0) AS ridge
  FROM kernel k
  LEFT JOIN peak USING (dtype, unit)
  CROSS JOIN bandwidth)
SELECT k.point_id, p.batch, k.kernel_index, k.layer_index, k.name, k.duration_ns,
       t.share AS latency_share,
       -- Without FLOPs the intensity is 0, below any ridge: only the bandwidth holds it back.
       CASE WHEN k.intensity = 0 OR k.intensity < k.ridge THEN 'memory'
            WHEN k.intensity >= k.ridge THEN 'compute' END AS bound,
       -- The time it would take under the roofs over the time it took.
       CASE WHEN k.intensity >= k.ridge THEN k.flops / k.peak_flops_per_s
            WHEN k.intensity = 0 OR k.intensity < k.ridge
            THEN k.traffic_bytes / k.peak_bytes_per_s END * 1e9 / nullif(k.duration_ns, 0)
         AS roof_fraction,
       k.intensity AS intensity_flops_per_byte,
       k.flops * 1e9 / nullif(k.duration_ns, 0) AS throughput_flops_per_s,
       k.flops, k.read_bytes, k.write_bytes, k.occupancy, l.type AS layer_type,
       CASE k.type WHEN 'primitive' THEN split_part(k.name, ' ', 1) ELSE k.type END AS kind,
       k.dtype, k.unit, k.implementation
FROM placed k
JOIN kernel_time t USING (point_id, kernel_index)
JOIN point p USING (point_id)
LEFT JOIN layer l USING (point_id, layer_index)
ORDER BY k.point_id, k.duration_ns DESC NULLS LAST, k.kernel_index
