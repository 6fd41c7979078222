WITH usage AS (
  SELECT run_id FROM system_usage JOIN run USING (run_id)
  WHERE point_id = $point ORDER BY seconds DESC, run_id LIMIT 1),
series AS (
  SELECT name, part, sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS mean, max(most) AS most
  FROM system_series JOIN usage USING (run_id)
  WHERE name IN ('nvml.gpu_busy_share', 'nvml.memory_used_bytes') AND regexp_full_match(part, 'gpu [^ ]*')
  GROUP BY name, part),
busy AS (
  SELECT count(*) AS gpus, avg(mean) AS busy_share, first(part ORDER BY mean DESC, part) AS busiest,
         max(mean) AS busiest_share
  FROM series WHERE name = 'nvml.gpu_busy_share' HAVING gpus > 0),
memory AS (SELECT max(most) AS most FROM series WHERE name = 'nvml.memory_used_bytes')
SELECT gpus, gpus > 1 AS are_several, busy_share, busiest, busiest_share,
       CASE WHEN most > 0 THEN most END AS memory_bytes
FROM busy, memory
