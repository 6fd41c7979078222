-- Measured models report their threads. Of a recorded program only its calls are known: each keeps at least one thread
-- busy on a CPU, so more calls at once than cores are more threads than cores.
WITH machine AS (SELECT cores FROM point WHERE point_id = $point AND cores > 0),
measured AS (
  SELECT max(r.threads) AS threads, sum(s.waited_ns) / sum(s.latency_ns) AS waited_share
  FROM sample s JOIN run r USING (run_id)
  WHERE r.point_id = $point AND r.rung = 'model' AND coalesce(s.rung, r.rung) = r.rung),
recorded AS (SELECT min(run_id) AS run_id FROM run WHERE point_id = $point AND rung = 'recorded'),
model_span AS (
  SELECT id, parent_id, track_id, start_ns, start_ns + duration_ns AS end_ns
  FROM span JOIN recorded USING (run_id) WHERE level = 'model' AND duration_ns > 0),
call AS (
  SELECT track_id, start_ns, end_ns,
         max(end_ns) OVER (ORDER BY start_ns, end_ns ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS before_ns
  FROM model_span c WHERE NOT EXISTS (SELECT 1 FROM model_span above WHERE above.id = c.parent_id)),
overlap AS (
  SELECT sum(end_ns - start_ns) / sum(greatest(0, end_ns - greatest(start_ns, coalesce(before_ns, start_ns))))
           AS calls_at_once,
         count(DISTINCT process_id) AS processes, min(start_ns) AS first_ns, max(end_ns) AS last_ns
  FROM call JOIN (SELECT track.id AS track_id, process_id FROM track JOIN recorded USING (run_id)) t USING (track_id)
  HAVING count(*) > 0),
pressure AS (
  SELECT sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS pressure_share
  FROM system_series JOIN recorded USING (run_id) CROSS JOIN overlap
  WHERE name = 'pressure.cpu_some_share' AND part = 'machine' AND time_ns >= first_ns AND until_ns <= last_ns)
SELECT threads, cores, waited_share, NULL::DOUBLE AS calls_at_once, NULL::BIGINT AS processes, false AS are_processes,
       NULL::DOUBLE AS pressure_share, cores > 1 AS are_cores
FROM machine, measured WHERE threads > cores AND waited_share >= $waiting_matters
UNION ALL
SELECT NULL, cores, NULL, calls_at_once, processes, processes > 1, pressure_share, cores > 1
FROM machine, overlap, pressure
WHERE calls_at_once >= $more_calls * cores AND pressure_share >= $pressure_matters
  AND NOT EXISTS (SELECT 1 FROM point_time WHERE point_id = $point AND has_device)
