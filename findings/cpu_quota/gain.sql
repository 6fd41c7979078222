WITH usage AS (
  SELECT run_id, seconds * 1e9 AS whole_ns FROM system_usage JOIN run USING (run_id)
  WHERE point_id = $point ORDER BY seconds DESC, run_id LIMIT 1),
throttled AS (
  SELECT any_value(whole_ns) AS whole_ns,
         sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS share
  FROM system_series JOIN usage USING (run_id) WHERE name = 'cgroup.throttled_share' AND part = 'cgroup')
SELECT whole_ns, 0 AS low_ns, 0 AS ns, least(share, 1) * whole_ns AS high_ns FROM throttled WHERE share > 0
