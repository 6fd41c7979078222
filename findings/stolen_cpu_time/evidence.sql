WITH usage AS (
  SELECT run_id FROM system_usage JOIN run USING (run_id)
  WHERE point_id = $point ORDER BY seconds DESC, run_id LIMIT 1)
SELECT sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS share
FROM system_series JOIN usage USING (run_id) WHERE name = 'cpu.steal_share' AND part = 'machine'
HAVING share >= $slow_matters
