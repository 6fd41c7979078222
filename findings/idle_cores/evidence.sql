-- Frameworks choose half as many threads as cores where a core runs two hardware threads, so only one thread, or fewer
-- than half, are too few. A thread count that was asked for (--threads) limits point.cores, too, and is no finding.
WITH chosen AS (
  SELECT run_id, rung, threads, rung = 'recorded' AS is_recorded FROM run
  WHERE point_id = $point AND rung IN ('model', 'recorded') AND process_pair IS NULL ORDER BY run_id LIMIT 1),
model_span AS (
  SELECT id, parent_id, track_id, start_ns, duration_ns, start_ns + duration_ns AS end_ns
  FROM span JOIN chosen USING (run_id) WHERE is_recorded AND level = 'model' AND duration_ns IS NOT NULL),
-- Of a recorded program: the thread with the most time in model calls.
call AS (
  SELECT track_id, start_ns, duration_ns, end_ns FROM model_span c
  WHERE NOT EXISTS (SELECT 1 FROM model_span above WHERE above.id = c.parent_id)),
loop AS (
  SELECT min(start_ns) AS first_ns, max(end_ns) AS last_ns, sum(duration_ns) / (last_ns - first_ns) AS calls_share
  FROM call
  WHERE track_id = (SELECT track_id FROM call GROUP BY track_id ORDER BY sum(duration_ns) DESC, track_id LIMIT 1)
  HAVING last_ns > first_ns),
series AS (
  SELECT name, part, sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS mean
  FROM system_series JOIN chosen USING (run_id) LEFT JOIN loop ON is_recorded
  WHERE NOT is_recorded OR (time_ns >= first_ns AND until_ns <= last_ns) GROUP BY name, part),
machine AS (
  SELECT count(*) FILTER (name = 'cpu.busy_share' AND part LIKE 'cpu %') AS cpus,
         max(mean) FILTER (name = 'cpu.busy_share' AND part = 'machine') * cpus AS busy_cores,
         least(busy_cores, max(mean) FILTER (name = 'cgroup.cpu_cores')) AS own_cores,
         bool_or(name = 'cgroup.throttled_share') AS has_quota
  FROM series),
work AS (
  SELECT coalesce(sum(piece.duration_ns) FILTER (k.type = 'primitive' AND k.duration_ns >= $shortest_ns
                                                 OR k.type = 'native' AND k.duration_ns >= $shortest_native_ns), 0)
           / (SELECT sum(duration_ns) FROM path_piece WHERE point_id = $point) AS parallel_share
  FROM kernel_piece piece JOIN kernel k USING (point_id, kernel_index)
  WHERE point_id = $point),
used AS (
  SELECT is_recorded, p.cores, parallel_share, has_quota, cpus - busy_cores AS idle,
         CASE WHEN is_recorded THEN greatest(1, own_cores) ELSE chosen.threads END AS threads
  FROM chosen JOIN point p ON p.point_id = $point CROSS JOIN machine CROSS JOIN work LEFT JOIN loop ON true
  WHERE NOT is_recorded OR calls_share >= $much_in_calls)
SELECT threads, NOT is_recorded AS is_reported, cores, least(idle, cores - threads) AS idle_cores, parallel_share,
       CASE WHEN is_recorded AND has_quota THEN
         'A CPU quota is set, and how many cores it leaves to the program is not recorded.' END AS abstain
FROM used
WHERE cores > 1 AND (2 * threads < cores OR threads <= $one_thread) AND idle >= $idle_matters
  AND idle_cores >= $idle_matters
  AND parallel_share >= $parallel_matters
  AND NOT EXISTS (SELECT 1 FROM point_time WHERE point_id = $point AND has_device)
