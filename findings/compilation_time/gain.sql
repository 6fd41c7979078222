WITH recorded AS (
  SELECT min(run_id) AS run_id FROM run WHERE point_id = $point AND rung = 'recorded'),
spans AS (
  SELECT id, parent_id, type, duration_ns FROM span JOIN recorded USING (run_id)
  WHERE duration_ns IS NOT NULL AND type = 'compile'),
compiled AS (
  SELECT sum(c.duration_ns) AS compile_ns FROM spans c LEFT JOIN spans above ON above.id = c.parent_id
  WHERE above.type IS DISTINCT FROM 'compile'),
program AS (SELECT max(until_ns) - min(time_ns) AS program_ns FROM system_series JOIN recorded USING (run_id))
SELECT program_ns AS whole_ns, 0 AS low_ns, compile_ns AS ns, compile_ns AS high_ns FROM compiled, program
