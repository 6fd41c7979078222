-- All kernels of each point together. kernel_share is of the call in the run that shows the kernels;
-- throughput is FLOPs over kernel time.
WITH peak AS (
  SELECT dtype, unit, max(value) AS peak_flops_per_s
  FROM roof WHERE kind = 'flops' AND used GROUP BY dtype, unit),
bandwidth AS (
  SELECT max(value) AS peak_bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
summed AS (
  -- The peak of kernels of several data types is the one at which all their FLOPs would take as
  -- long as each at its own peak; not known when more than 5 % of the FLOPs have no roof.
  SELECT point_id, sum(kernel_count)::BIGINT AS kernel_count, sum(kernel_ns) AS kernel_ns,
         sum(flops) AS flops, sum(read_bytes) AS read_bytes, sum(write_bytes) AS write_bytes,
         sum(read_bytes) + sum(write_bytes) AS traffic_bytes,
         sum(occupied_ns) / nullif(sum(with_occupancy_ns), 0) AS occupancy,
         coalesce(sum(known_ns), 0) / nullif(sum(kernel_ns), 0) AS known_time_share,
         CASE WHEN sum(flops) FILTER (peak_flops_per_s > 0) < 0.95 * sum(flops) THEN NULL
              WHEN count(DISTINCT peak_flops_per_s) FILTER (flops > 0) = 1
              THEN max(peak_flops_per_s) FILTER (flops > 0)
              ELSE sum(flops) FILTER (peak_flops_per_s > 0)
                   / nullif(sum(flops / peak_flops_per_s), 0) END AS peak_flops_per_s
  FROM layer_work LEFT JOIN peak USING (dtype, unit)
  GROUP BY point_id),
placed AS (
  SELECT s.*, peak_bytes_per_s,
         s.flops / nullif(s.traffic_bytes, 0) AS intensity,
         s.peak_flops_per_s / nullif(peak_bytes_per_s, 0) AS ridge
  FROM summed s CROSS JOIN bandwidth)
SELECT s.point_id, p.batch, p.latency_ns, s.kernel_ns,
       s.kernel_ns / nullif(t.kernel_whole_ns, 0) AS kernel_share,
       CASE WHEN s.intensity = 0 OR s.intensity < s.ridge THEN 'memory'
            WHEN s.intensity >= s.ridge THEN 'compute' END AS bound,
       CASE WHEN s.intensity >= s.ridge THEN s.flops / s.peak_flops_per_s
            WHEN s.intensity = 0 OR s.intensity < s.ridge
            THEN s.traffic_bytes / s.peak_bytes_per_s END * 1e9 / nullif(s.kernel_ns, 0)
         AS roof_fraction,
       s.intensity AS intensity_flops_per_byte,
       s.flops * 1e9 / nullif(s.kernel_ns, 0) AS throughput_flops_per_s,
       s.flops, s.read_bytes, s.write_bytes, s.occupancy, s.kernel_count, s.known_time_share,
       s.peak_flops_per_s, s.peak_bytes_per_s, s.ridge AS ridge_flops_per_byte,
       p.model, p.backend, p.precision
FROM placed s
JOIN point_time t USING (point_id)
JOIN point p USING (point_id)
ORDER BY p.model, p.backend, p.device, p.settings, p.batch, s.point_id
