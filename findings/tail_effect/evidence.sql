-- Kernels whose last wave of blocks leaves multiprocessors (SMs) idle.
WITH source AS (
  SELECT min(source_run) AS run_id FROM kernel WHERE point_id = $point AND type = 'kernel'),
by_name AS (
  SELECT name, sum(tail_ns) / sum(sized_ns) AS tail_share, arg_max(waves, tail_ns) AS waves
  FROM occupancy JOIN source USING (run_id) WHERE sized_ns > 0 GROUP BY name),
called AS (
  SELECT k.name, k.duration_ns, b.tail_share, b.waves FROM kernel k LEFT JOIN by_name b USING (name)
  WHERE point_id = $point AND type = 'kernel' AND k.duration_ns > 0),
longest AS (
  SELECT name, any_value(waves) AS waves FROM called WHERE tail_share > 0
  GROUP BY name ORDER BY sum(duration_ns * tail_share) DESC, name LIMIT 1)
SELECT sum(duration_ns * tail_share) / sum(duration_ns) AS tail_share, count(*) FILTER (tail_share > 0) AS kernels,
       kernels > 1 AS are_several,
       (SELECT name FROM longest) AS name, (SELECT waves FROM longest) AS waves
FROM called HAVING sum(duration_ns * tail_share) >= $matters * sum(duration_ns)
