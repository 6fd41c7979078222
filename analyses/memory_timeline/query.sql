-- Allocated and reserved memory by segment of time, of each device and of the host.
WITH stretch AS (
  SELECT *, min(time_ns) OVER (PARTITION BY run_id) AS origin_ns,
         max(allocated_high_bytes) OVER device AS peak_bytes
  FROM memory_level
  WINDOW device AS (PARTITION BY run_id, rank, device))
SELECT r.point_id, s.rank, s.device, s.time_ns - s.origin_ns AS start_ns,
       s.until_ns - s.time_ns AS duration_ns, s.allocated_low_bytes, s.allocated_high_bytes,
       s.reserved_bytes, s.allocated_high_bytes / nullif(s.peak_bytes, 0) AS peak_share,
       s.time_ns = min(s.time_ns) FILTER (s.allocated_high_bytes = s.peak_bytes)
         OVER (PARTITION BY s.run_id, s.rank, s.device) AS is_peak,
       s.provenance AS level_from
FROM stretch s JOIN run r USING (run_id)
ORDER BY r.point_id, s.run_id, s.rank NULLS FIRST, s.device NULLS LAST, s.time_ns
