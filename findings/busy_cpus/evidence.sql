WITH usage AS (
  SELECT run_id, seconds, rung FROM system_usage JOIN run USING (run_id)
  WHERE point_id = $point ORDER BY seconds DESC, run_id LIMIT 1),
-- Of a model that XSP runs over and over, the use of the machine is no finding.
program AS (SELECT * FROM usage WHERE rung IN ('recorded', 'monitor', 'imported')),
series AS (
  SELECT part, sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS mean, max(most) AS most
  FROM system_series JOIN program USING (run_id) WHERE name = 'cpu.busy_share' GROUP BY part),
cores AS (
  SELECT count(*) AS cpus, max(mean) AS core_share, first(part ORDER BY mean DESC, part) AS core
  FROM series WHERE regexp_full_match(part, 'cpu [^ ]*')),
stated AS (
  SELECT *, cpus > 1 AND mean < $machine_not_full AND core_share >= $core_full AS is_alone
  FROM series, cores, program WHERE part = 'machine')
SELECT CASE cpus WHEN 0 THEN 'The CPUs were' WHEN 1 THEN 'The CPU was' ELSE format('The {} CPUs were', cpus) END
         AS subject,
       mean AS busy_share, seconds * 1e9 AS time_ns, most AS most_share, cpus,
       CASE WHEN is_alone THEN core END AS core, CASE WHEN is_alone THEN core_share END AS core_share
FROM stated
