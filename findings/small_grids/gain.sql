WITH source AS (
  SELECT min(source_run) AS run_id FROM kernel WHERE point_id = $point AND type = 'kernel'),
by_name AS (
  SELECT name, max(multiprocessors) AS sms, sum(small_launches) / sum(launches) AS small_kernels,
         sum(small_ns) / sum(duration_ns) AS small_share, sum(unused_ns) / sum(duration_ns) AS idle_share
  FROM occupancy JOIN source USING (run_id) GROUP BY name)
SELECT piece, 0 AS low_ns, 0 AS ns, duration_ns * idle_share AS high_ns
FROM path_piece JOIN by_name USING (name) WHERE point_id = $point AND kind = 'compute'
UNION ALL
SELECT NULL, 0, 0, 0 FROM path_piece WHERE point_id = $point AND run_id IS NOT NULL
