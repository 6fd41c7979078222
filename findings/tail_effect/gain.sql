WITH source AS (
  SELECT min(source_run) AS run_id FROM kernel WHERE point_id = $point AND type = 'kernel'),
by_name AS (
  SELECT name, sum(tail_ns) / sum(sized_ns) AS tail_share, arg_max(waves, tail_ns) AS waves
  FROM occupancy JOIN source USING (run_id) WHERE sized_ns > 0 GROUP BY name)
SELECT piece, 0 AS low_ns, 0 AS ns, duration_ns * tail_share AS high_ns
FROM path_piece JOIN by_name USING (name) WHERE point_id = $point AND kind = 'compute'
UNION ALL
SELECT NULL, 0, 0, 0 FROM path_piece WHERE point_id = $point AND run_id IS NOT NULL
