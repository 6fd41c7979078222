-- Waiting for a loader that is known; else what overlapping the calls with the rest can hide: the shorter of the two.
WITH recorded AS (
  SELECT min(run_id) AS run_id FROM run WHERE point_id = $point AND rung = 'recorded'),
spans AS (
  SELECT level, name, parent_id, track_id, start_ns, duration_ns, start_ns + duration_ns AS end_ns
  FROM span JOIN recorded USING (run_id)
  WHERE duration_ns IS NOT NULL AND (level = 'model' OR name LIKE 'enumerate(DataLoader)%')),
call AS (
  SELECT track_id, start_ns, duration_ns, end_ns FROM spans
  WHERE level = 'model' AND parent_id = 0 AND track_id = (
    SELECT track_id FROM spans WHERE level = 'model' AND parent_id = 0
    GROUP BY track_id ORDER BY sum(duration_ns) DESC, track_id LIMIT 1)),
loop AS (
  SELECT sum(duration_ns) AS calls_ns, min(start_ns) AS first_ns, max(end_ns) AS last_ns, last_ns - first_ns AS loop_ns,
         any_value(track_id) AS track_id
  FROM call),
-- Nothing is gained beside a device that works, for a call before or for anything else.
work AS (
  SELECT s.start_ns, s.start_ns + s.duration_ns AS end_ns
  FROM span s JOIN recorded USING (run_id) JOIN track t ON t.run_id = s.run_id AND t.id = s.track_id
  WHERE s.level = 'kernel' AND s.duration_ns IS NOT NULL AND t.device IS NOT NULL),
island AS (
  SELECT min(start_ns) AS start_ns, max(end_ns) AS end_ns FROM (
    SELECT *, count(*) FILTER (coalesce(start_ns > reached_ns, true)) OVER (ORDER BY start_ns, end_ns) AS number FROM (
      SELECT *, max(end_ns) OVER (ORDER BY start_ns, end_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached_ns
      FROM work)) GROUP BY number),
between_calls AS (
  SELECT end_ns AS start_ns, lead(start_ns) OVER (ORDER BY start_ns) AS end_ns FROM call),
-- Waiting inside of a call is the call's.
wait AS (
  SELECT w.start_ns, w.end_ns
  FROM spans w JOIN loop l ON w.track_id = l.track_id AND w.start_ns >= l.first_ns AND w.end_ns <= l.last_ns
  WHERE w.name LIKE 'enumerate(DataLoader)%'
    AND NOT EXISTS (SELECT 1 FROM call c WHERE c.start_ns <= w.start_ns AND c.end_ns >= w.end_ns)),
beside AS (
  SELECT greatest(coalesce(sum((least(i.end_ns, b.end_ns) - greatest(i.start_ns, b.start_ns)) * sign), 0), 0) AS device_ns
  FROM island i JOIN (SELECT start_ns, end_ns, 1 AS sign FROM between_calls
                      UNION ALL SELECT start_ns, end_ns, -1 FROM wait) b
    ON i.start_ns < b.end_ns AND i.end_ns > b.start_ns),
waiting AS (SELECT coalesce(sum(end_ns - start_ns), 0) AS wait_ns FROM wait)
SELECT loop_ns AS whole_ns, 0 AS low_ns,
       CASE WHEN wait_ns >= $much_of_loop * loop_ns THEN least(wait_ns, loop_ns)
            ELSE greatest(0, least(in_calls_ns, loop_ns - in_calls_ns)) END AS ns,
       greatest(least(wait_ns, loop_ns), loop_ns - in_calls_ns) AS high_ns
FROM (SELECT *, least(calls_ns + device_ns, loop_ns) AS in_calls_ns FROM loop, waiting, beside) WHERE loop_ns > 0
