WITH usage AS (
  SELECT run_id FROM system_usage JOIN run USING (run_id)
  WHERE point_id = $point ORDER BY seconds DESC, run_id LIMIT 1),
parts AS (
  SELECT sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS mean_watts,
         sum(mean * (until_ns - time_ns)) / 1e9 AS joules
  FROM system_series JOIN usage USING (run_id)
  WHERE name = 'rapl.power_watts' AND regexp_full_match(part, 'package-[^ ]*') GROUP BY part)
SELECT count(*) > 1 AS are_several, sum(mean_watts) AS mean_watts, sum(joules) AS joules, count(*) AS count
FROM parts HAVING sum(joules) > 0
