WITH usage AS (
  SELECT run_id FROM system_usage JOIN run USING (run_id)
  WHERE point_id = $point ORDER BY seconds DESC, run_id LIMIT 1),
resources AS (
  SELECT * FROM (VALUES
    (1, 'pressure.cpu_some_share', 'a CPU'),
    (2, 'pressure.memory_some_share', 'memory'),
    (3, 'pressure.io_some_share', 'disks')) AS known(place, name, resource))
SELECT resource, sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS share
FROM system_series JOIN usage USING (run_id) JOIN resources USING (name) WHERE part = 'machine'
GROUP BY place, resource HAVING share >= $wait_matters ORDER BY place
