WITH usage AS (
  SELECT run_id, seconds, rung FROM system_usage JOIN run USING (run_id)
  WHERE point_id = $point ORDER BY seconds DESC, run_id LIMIT 1),
-- Of a model that XSP runs over and over, the use of the machine is no finding.
program AS (SELECT * FROM usage WHERE rung IN ('recorded', 'monitor', 'imported')),
memory AS (
  SELECT sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS used_bytes, max(most) AS most_bytes,
         arg_max(mean, time_ns) - arg_min(mean, time_ns) AS growth_bytes
  FROM system_series JOIN program USING (run_id) WHERE name = 'memory.used_bytes' AND part = 'machine'
  HAVING count(*) > 0)
SELECT used_bytes, most_bytes,
       CASE WHEN growth_bytes >= $growth_matters * most_bytes THEN growth_bytes END AS growth_bytes
FROM memory
