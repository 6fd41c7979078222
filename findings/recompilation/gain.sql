-- Compilations and loaded code in the third and later steps. What begins within another of the same thread is a part of
-- it.
WITH source AS (
  SELECT min(run_id) AS run_id FROM step JOIN run USING (run_id)
  WHERE point_id = $point AND rung IN ('imported', 'recorded')),
steps AS (
  SELECT rank, step, start_ns, duration_ns, row_number() OVER (PARTITION BY rank ORDER BY start_ns) AS place
  FROM step JOIN source USING (run_id)),
events AS (
  SELECT s.name, t.rank, s.track_id, s.start_ns, s.duration_ns
  FROM span s JOIN source USING (run_id) JOIN track t ON t.run_id = s.run_id AND t.id = s.track_id
  WHERE s.level <> 'kernel' AND s.duration_ns > 0
    AND (s.type = 'compile'
      OR (s.type NOT IN ('python', 'python_function')
          AND regexp_matches(s.name, '\(dynamo_timed\)$|^(cu|hip)(Module|Library)Load|^(nv|hip)rtcCompileProgram|'
                                     || '^Lazy Function Loading$|^XlaCompile')))),
outer_event AS (
  SELECT * EXCLUDE (busy_until_ns) FROM (
    SELECT *, max(start_ns + duration_ns) OVER (PARTITION BY track_id ORDER BY start_ns, duration_ns DESC
                                                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS busy_until_ns
    FROM events)
  WHERE busy_until_ns IS NULL OR busy_until_ns <= start_ns),
later AS (
  SELECT s.rank, s.step, e.name, least(e.duration_ns, s.start_ns + s.duration_ns - e.start_ns) AS ns
  FROM outer_event e JOIN steps s ON e.start_ns >= s.start_ns AND e.start_ns < s.start_ns + s.duration_ns
    AND (e.rank IS NOT DISTINCT FROM s.rank)
  WHERE s.place > $first_steps),
program AS (
  SELECT coalesce((SELECT max(until_ns) - min(time_ns) FROM system_series JOIN source USING (run_id)),
                  max(start_ns + duration_ns) - min(start_ns)) AS whole_ns, count(DISTINCT coalesce(rank, -1)) AS ranks
  FROM steps)
SELECT whole_ns, 0 AS low_ns, sum(ns) / ranks AS ns, sum(ns) / ranks AS high_ns
FROM program, later GROUP BY whole_ns, ranks
