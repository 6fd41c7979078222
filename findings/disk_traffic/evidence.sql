WITH usage AS (
  SELECT run_id, seconds, rung FROM system_usage JOIN run USING (run_id)
  WHERE point_id = $point ORDER BY seconds DESC, run_id LIMIT 1),
-- Of a model that XSP runs over and over, the use of the machine is no finding.
program AS (SELECT * FROM usage WHERE rung IN ('recorded', 'monitor', 'imported')),

traffic AS (
  SELECT coalesce(sum(mean * (until_ns - time_ns)) FILTER (name = 'disk.read_bytes_per_s'), 0) / 1e9 AS read_bytes,
         coalesce(sum(mean * (until_ns - time_ns)) FILTER (name = 'disk.write_bytes_per_s'), 0) / 1e9 AS written_bytes
  FROM system_series JOIN program USING (run_id) WHERE regexp_full_match(part, 'disk [^ ]*'))
SELECT * FROM traffic WHERE read_bytes + written_bytes >= $traffic_matters
