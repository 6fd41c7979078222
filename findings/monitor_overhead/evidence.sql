-- Holds where another finding about the machine does, which it explains.
WITH usage AS (
  SELECT run_id, monitor_share, u.samples, rung IN ('recorded', 'monitor', 'imported') AS is_program
  FROM system_usage u JOIN run USING (run_id) WHERE point_id = $point ORDER BY seconds DESC, run_id LIMIT 1),
series AS (
  SELECT name, part, sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS mean,
         sum(mean * (until_ns - time_ns)) / 1e9 AS total
  FROM system_series JOIN usage USING (run_id) GROUP BY name, part),
traffic AS (
  SELECT sum(total) FILTER (regexp_full_match(part, 'disk [^ ]*')) AS disks,
         sum(total) FILTER (regexp_full_match(part, 'network [^ ]*')) AS network
  FROM series WHERE name LIKE '%_bytes_per_s')
SELECT monitor_share, samples FROM usage, traffic
WHERE is_program AND (greatest(disks, network) >= $traffic_matters OR EXISTS (
    SELECT 1 FROM series WHERE name IN ('cpu.busy_share', 'memory.used_bytes') AND part = 'machine'))
  OR EXISTS (
    SELECT 1 FROM series
    WHERE name = 'nvml.gpu_busy_share'
      OR (name = 'nvml.power_watts' OR name = 'rapl.power_watts' AND regexp_full_match(part, 'package-[^ ]*'))
        AND total > 0
      OR (name IN ('cpu.steal_share', 'cgroup.throttled_share') OR name LIKE 'nvml.throttled_by_%')
        AND mean >= $slow_matters
      OR name LIKE 'pressure.%_some_share' AND mean >= $wait_matters)
