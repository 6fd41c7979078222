WITH recorded AS (
  SELECT min(run_id) AS run_id FROM run WHERE point_id = $point AND rung = 'recorded'),
spans AS (
  SELECT level, type, parent_id, track_id, start_ns, duration_ns, start_ns + duration_ns AS end_ns
  FROM span JOIN recorded USING (run_id) WHERE duration_ns IS NOT NULL AND level = 'model'),
-- The thread with the most time in model calls.
call AS (
  SELECT track_id, type, start_ns, duration_ns, end_ns FROM spans
  WHERE level = 'model' AND parent_id = 0 AND track_id = (
    SELECT track_id FROM spans WHERE level = 'model' AND parent_id = 0
    GROUP BY track_id ORDER BY sum(duration_ns) DESC, track_id LIMIT 1)),
loop AS (
  SELECT bool_and(type = 'train') AS is_training, min(start_ns) AS first_ns, max(end_ns) AS last_ns
  FROM call HAVING count(*) > 0),
-- As long as the system monitor saw it.
program AS (
  SELECT min(time_ns) AS begin_ns, max(until_ns) AS end_ns, end_ns - begin_ns AS program_ns
  FROM system_series JOIN recorded USING (run_id))
SELECT program_ns, first_ns - begin_ns AS before_ns, end_ns - last_ns AS after_ns,
       (before_ns + after_ns) / program_ns AS outside_share, is_training,
       CASE WHEN program_ns IS NULL THEN
         'The system monitor saw nothing of the program, so it is not known how long it ran.' END AS abstain
FROM loop, program
WHERE program_ns IS NULL
  OR (before_ns >= 0 AND after_ns >= 0 AND before_ns + after_ns >= $most_of_program * program_ns)
