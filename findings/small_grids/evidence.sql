-- Kernels with fewer blocks than the device has multiprocessors (SMs).
WITH source AS (
  SELECT min(source_run) AS run_id FROM kernel WHERE point_id = $point AND type = 'kernel'),
by_name AS (
  SELECT name, max(multiprocessors) AS sms, sum(small_launches) / sum(launches) AS small_kernels,
         sum(small_ns) / sum(duration_ns) AS small_share, sum(unused_ns) / sum(duration_ns) AS idle_share
  FROM occupancy JOIN source USING (run_id) GROUP BY name),
called AS (
  SELECT k.name, k.duration_ns, b.* EXCLUDE (name) FROM kernel k LEFT JOIN by_name b USING (name)
  WHERE point_id = $point AND type = 'kernel' AND k.duration_ns > 0),
longest AS (
  SELECT name FROM called WHERE small_share > 0 GROUP BY name ORDER BY sum(duration_ns * small_share) DESC, name LIMIT 1)
SELECT sum(duration_ns * small_share) / sum(duration_ns) AS small_share, max(sms)::BIGINT AS sms,
       round(sum(small_kernels))::BIGINT AS kernels, count(*) AS all_kernels,
       1 - sum(duration_ns * idle_share) / sum(duration_ns * small_share) AS used_share,
       (SELECT name FROM longest) AS name
FROM called HAVING sum(duration_ns * small_share) >= $matters * sum(duration_ns)
