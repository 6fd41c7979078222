WITH chosen AS (
  SELECT run_id, rung, threads, rung = 'recorded' AS is_recorded FROM run
  WHERE point_id = $point AND rung IN ('model', 'recorded') AND process_pair IS NULL ORDER BY run_id LIMIT 1),
model_span AS (
  SELECT id, parent_id, track_id, start_ns, duration_ns, start_ns + duration_ns AS end_ns
  FROM span JOIN chosen USING (run_id) WHERE is_recorded AND level = 'model' AND duration_ns IS NOT NULL),
call AS (
  SELECT track_id, start_ns, duration_ns, end_ns FROM model_span c
  WHERE NOT EXISTS (SELECT 1 FROM model_span above WHERE above.id = c.parent_id)),
loop AS (
  SELECT min(start_ns) AS first_ns, max(end_ns) AS last_ns
  FROM call
  WHERE track_id = (SELECT track_id FROM call GROUP BY track_id ORDER BY sum(duration_ns) DESC, track_id LIMIT 1)),
series AS (
  SELECT name, part, sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS mean
  FROM system_series JOIN chosen USING (run_id) LEFT JOIN loop ON is_recorded
  WHERE NOT is_recorded OR (time_ns >= first_ns AND until_ns <= last_ns) GROUP BY name, part),
machine AS (
  SELECT count(*) FILTER (name = 'cpu.busy_share' AND part LIKE 'cpu %') AS cpus,
         max(mean) FILTER (name = 'cpu.busy_share' AND part = 'machine') * cpus AS busy_cores,
         least(busy_cores, max(mean) FILTER (name = 'cgroup.cpu_cores')) AS own_cores
  FROM series),
used AS (
  SELECT CASE WHEN is_recorded THEN greatest(1, own_cores) ELSE chosen.threads END AS used_threads,
         used_threads / least(p.cores, used_threads + cpus - busy_cores) AS remaining
  FROM chosen JOIN point p ON p.point_id = $point CROSS JOIN machine)
SELECT piece, 0 AS low_ns,
       CASE WHEN k.type = 'primitive' AND k.duration_ns >= $shortest_ns THEN (1 - remaining) * p.duration_ns
            ELSE 0 END AS ns,
       (1 - remaining) * p.duration_ns AS high_ns
FROM kernel_piece p JOIN kernel k USING (point_id, kernel_index) CROSS JOIN used WHERE point_id = $point
