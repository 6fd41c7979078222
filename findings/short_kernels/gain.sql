-- Gaps that end with such a kernel because its launch came late.
WITH whole AS (
  SELECT run_id, devices * greatest(calls, 1) AS windows FROM device_idle WHERE point_id = $point),
saved AS (
  SELECT run_id, sum(late_ns * short / launches) / any_value(windows) AS expected_ns, expected_ns / 2 AS low_ns,
         expected_ns AS high_ns
  FROM launch JOIN whole USING (run_id) WHERE type = 'kernel' AND launches > 0 GROUP BY run_id)
SELECT piece, greatest(0, least(duration_ns, scale * low_ns - before_ns)) AS low_ns,
       greatest(0, least(duration_ns, scale * expected_ns - before_ns)) AS ns,
       greatest(0, least(duration_ns, scale * high_ns - before_ns)) AS high_ns
FROM waiting_piece JOIN saved USING (run_id) WHERE point_id = $point
