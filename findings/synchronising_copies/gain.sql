-- Calls that wait, in a program (XSP itself waits after each layer of a model that it runs). The device had work when
-- the call began, which ended in it; the next work of the same typical step was launched only after it.
WITH source AS (
  SELECT run_id, devices * greatest(calls, 1) AS windows, total_ns FROM device_idle i JOIN run USING (run_id)
  WHERE i.point_id = $point AND rung IN ('imported', 'recorded') ORDER BY run_id LIMIT 1),
work AS (
  SELECT t.device, t.rank, s.start_ns, s.start_ns + s.duration_ns AS end_ns
  FROM span s JOIN source USING (run_id) JOIN track t ON t.run_id = s.run_id AND t.id = s.track_id
  WHERE s.level = 'kernel' AND s.duration_ns IS NOT NULL AND t.device IS NOT NULL),
one_device AS (
  SELECT coalesce(rank, -1) AS rank FROM work GROUP BY ALL HAVING count(DISTINCT device) = 1),
done AS (
  SELECT coalesce(rank, -1) AS rank, start_ns,
         max(end_ns) OVER (PARTITION BY rank ORDER BY start_ns ROWS UNBOUNDED PRECEDING) AS end_ns FROM work),
waiting AS (
  SELECT s.id, s.parent_id, s.name, coalesce(t.rank, -1) AS rank, s.start_ns, s.start_ns + s.duration_ns AS end_ns
  FROM span s JOIN source USING (run_id) JOIN track t ON t.run_id = s.run_id AND t.id = s.track_id
  JOIN one_device o ON o.rank = coalesce(t.rank, -1)
  WHERE s.level = 'library' AND s.duration_ns > 0
    AND regexp_matches(s.name, '(Stream|Device|Event|Ctx)Synchronize|^(cuda|hip)Memcpy(2D|3D|WithStream)?$|'
                               || '^cuMemcpy[A-Z]to[A-Z](_v2)?$')),
before AS (
  SELECT w.*, d.end_ns AS drained_ns FROM waiting w ASOF JOIN done d ON w.rank = d.rank AND w.end_ns > d.start_ns),
between_work AS (
  SELECT b.*, n.start_ns AS next_ns FROM before b ASOF JOIN done n ON b.rank = n.rank AND b.end_ns <= n.start_ns
  WHERE drained_ns > b.start_ns AND drained_ns <= b.end_ns),
steps AS (
  SELECT coalesce(s.rank, -1) AS rank, start_ns, start_ns + duration_ns AS end_ns
  FROM step s JOIN source USING (run_id) LEFT JOIN device_step USING (run_id, step)
  WHERE coalesce(is_typical, true)),
drain AS (
  SELECT id, parent_id, name, next_ns - drained_ns AS idle_ns, least(idle_ns, end_ns - start_ns) AS saved_ns
  FROM between_work b
  WHERE NOT EXISTS (SELECT 1 FROM steps)
     OR EXISTS (SELECT 1 FROM steps s WHERE s.rank = b.rank AND b.start_ns >= s.start_ns AND b.next_ns < s.end_ns)),
saved AS (
  SELECT source.run_id, coalesce(sum(saved_ns), 0) / any_value(windows) AS expected_ns,
         coalesce(sum(idle_ns), 0) / any_value(windows) AS high_ns
  FROM drain, source GROUP BY source.run_id)
SELECT piece, 0 AS low_ns, greatest(0, least(duration_ns, scale * expected_ns - before_ns)) AS ns,
       greatest(0, least(duration_ns, scale * high_ns - before_ns)) AS high_ns
FROM waiting_piece JOIN saved USING (run_id) WHERE point_id = $point
