-- Gaps of typical steps before work that the host launched too late, in the proportion of such gaps in which it was such
-- a kernel.
WITH gap AS (
  SELECT run_id,
         coalesce(sum(i.idle_ns) FILTER (stream IS NULL AND cause = 'host'
                                         AND CASE WHEN calls > 0 THEN is_typical ELSE step IS NULL END), 0)
           / any_value(devices * greatest(calls, 1)) AS late_ns
  FROM device_idle LEFT JOIN idle i USING (run_id) LEFT JOIN device_step USING (run_id, step)
  WHERE point_id = $point GROUP BY run_id),
short_part AS (
  SELECT run_id, sum(late_ns * short / launches) FILTER (type = 'kernel') / nullif(sum(late_ns), 0) AS share
  FROM launch WHERE launches > 0 GROUP BY run_id),
saved AS (
  SELECT run_id, coalesce(late_ns * share, 0) AS expected_ns, expected_ns / 2 AS low_ns, expected_ns AS high_ns
  FROM gap JOIN short_part USING (run_id))
SELECT piece, greatest(0, least(duration_ns, scale * low_ns - before_ns)) AS low_ns,
       greatest(0, least(duration_ns, scale * expected_ns - before_ns)) AS ns,
       greatest(0, least(duration_ns, scale * high_ns - before_ns)) AS high_ns
FROM waiting_piece JOIN saved USING (run_id) WHERE point_id = $point
