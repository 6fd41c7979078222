-- What is on the critical path of the transfers, and the computation beside which it could run.
WITH device AS (
  SELECT run_id, avg(compute_ns - compute_communication_ns) AS compute_ns
  FROM device_time d JOIN run USING (run_id) JOIN device_idle i USING (run_id) LEFT JOIN device_step USING (run_id, step)
  WHERE run.point_id = $point
    AND CASE WHEN i.calls > 0 THEN is_typical ELSE step IS NULL END
  GROUP BY run_id),
transfer AS (
  SELECT piece, p.duration_ns, least(1, d.compute_ns / sum(p.duration_ns) OVER ()) AS hidden_share
  FROM path_piece p JOIN device d USING (run_id) WHERE point_id = $point AND kind IN ('communication', 'copy'))
SELECT piece, 0 AS low_ns, duration_ns * hidden_share AS ns, duration_ns AS high_ns FROM transfer
UNION ALL
-- Without a transfer on the path there is nothing to gain, which is known where there is a path.
SELECT NULL, 0, 0, 0 FROM device WHERE run_id IN (SELECT run_id FROM path_piece WHERE point_id = $point)
