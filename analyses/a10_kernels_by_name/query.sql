-- Kernels summed by name and data type, the most time first. Intensity, throughput and bound are
-- computed from the sums; occupancy is weighted by time.
WITH peak AS (
  SELECT dtype, unit, max(value) AS peak_flops_per_s
  FROM roof WHERE kind = 'flops' AND used GROUP BY dtype, unit),
bandwidth AS (
  SELECT max(value) AS peak_bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
summed AS (
  SELECT point_id, name, type, dtype, unit, count(*) AS kernel_count,
         sum(duration_ns) AS duration_ns, sum(share) AS share, sum(flops) AS flops,
         sum(read_bytes) AS read_bytes, sum(write_bytes) AS write_bytes,
         sum(occupancy * duration_ns)
           / nullif(sum(duration_ns) FILTER (occupancy IS NOT NULL), 0) AS occupancy,
         sum(duration_ns) FILTER (flops + read_bytes + write_bytes IS NOT NULL) AS known_ns
  FROM kernel JOIN kernel_time USING (point_id, kernel_index)
  GROUP BY point_id, name, type, dtype, unit),
placed AS (
  SELECT s.*, peak_flops_per_s, peak_bytes_per_s,
         s.read_bytes + s.write_bytes AS traffic_bytes,
         s.flops / nullif(s.read_bytes + s.write_bytes, 0) AS intensity,
         peak_flops_per_s / nullif(peak_bytes_per_s, 0) AS ridge
  FROM summed s
  LEFT JOIN peak USING (dtype, unit)
  CROSS JOIN bandwidth)
SELECT s.point_id, p.batch, s.name, s.kernel_count, s.duration_ns,
       s.share AS latency_share,
       CASE WHEN s.intensity = 0 OR s.intensity < s.ridge THEN 'memory'
            WHEN s.intensity >= s.ridge THEN 'compute' END AS bound,
       CASE WHEN s.intensity >= s.ridge THEN s.flops / s.peak_flops_per_s
            WHEN s.intensity = 0 OR s.intensity < s.ridge
            THEN s.traffic_bytes / s.peak_bytes_per_s END * 1e9 / nullif(s.duration_ns, 0)
         AS roof_fraction,
       s.intensity AS intensity_flops_per_byte,
       s.flops * 1e9 / nullif(s.duration_ns, 0) AS throughput_flops_per_s,
       s.duration_ns / nullif(sum(s.duration_ns) OVER (PARTITION BY s.point_id), 0)
         AS kernel_time_share,
       s.flops, s.read_bytes, s.write_bytes, s.occupancy,
       CASE s.type WHEN 'primitive' THEN split_part(s.name, ' ', 1) ELSE s.type END AS kind,
       s.dtype, coalesce(s.known_ns, 0) / nullif(s.duration_ns, 0) AS known_time_share
FROM placed s
JOIN point p USING (point_id)
ORDER BY s.point_id, s.duration_ns DESC NULLS LAST, s.name, s.dtype, s.unit
