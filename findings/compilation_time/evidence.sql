WITH recorded AS (
  SELECT min(run_id) AS run_id FROM run WHERE point_id = $point AND rung = 'recorded'),
spans AS (
  SELECT id, parent_id, level, type, duration_ns FROM span JOIN recorded USING (run_id)
  WHERE duration_ns IS NOT NULL AND (level = 'model' OR type = 'compile')),
compiled AS (
  SELECT count(*) AS compilations, sum(c.duration_ns) AS compile_ns
  FROM spans c LEFT JOIN spans above ON above.id = c.parent_id
  WHERE c.type = 'compile' AND above.type IS DISTINCT FROM 'compile'),
-- As long as the system monitor saw it.
program AS (
  SELECT min(time_ns) AS begin_ns, max(until_ns) AS end_ns, end_ns - begin_ns AS program_ns
  FROM system_series JOIN recorded USING (run_id))
SELECT compile_ns, compile_ns / program_ns AS compile_share, program_ns, compilations, compilations > 1 AS are_several,
       CASE WHEN program_ns IS NULL THEN
         'The system monitor saw nothing of the program, so it is not known how long it ran.' END AS abstain
FROM compiled, program
WHERE compilations > 0 AND EXISTS (SELECT 1 FROM spans WHERE level = 'model' AND parent_id = 0)
  AND (program_ns IS NULL OR compile_ns >= $much_compiling * program_ns)
