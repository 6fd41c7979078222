WITH device AS (
  SELECT sum(idle_share * total_ns) / sum(total_ns) AS idle_share
  FROM device_idle WHERE point_id = $point HAVING sum(total_ns) > 0),
launched AS (
  SELECT sum(launches) AS kernels, sum(short) AS short_kernels
  FROM launch JOIN run USING (run_id) WHERE point_id = $point AND type = 'kernel')
SELECT short_kernels / kernels AS short_share, short_kernels, kernels, idle_share
FROM device, launched
WHERE idle_share >= $idle_matters AND short_kernels >= $many_short * kernels
