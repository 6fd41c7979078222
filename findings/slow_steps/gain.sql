-- Of the steps of a program. Of measured calls slow ones are no part of the latency, which is a trimmed mean.
WITH
-- The part of a slow step in which a program waited for a core, as the system monitor saw it: such a step is slow for
-- no reason of its own, either.
waited AS (
  SELECT s.run_id, s.rank, s.step,
         sum(mean * (least(until_ns, s.start_ns + s.duration_ns) - greatest(time_ns, s.start_ns))) / s.duration_ns
           AS waited_share
  FROM step s JOIN run r USING (run_id)
  JOIN system_series w ON w.run_id = s.run_id AND w.name = 'pressure.cpu_some_share' AND w.part = 'machine'
    AND time_ns < s.start_ns + s.duration_ns AND until_ns > s.start_ns
  WHERE r.point_id = $point AND r.rung = 'recorded' AND s.is_slow
  GROUP BY s.run_id, s.rank, s.step, s.duration_ns),
steps AS (
  SELECT s.*, median(duration_ns) OVER of_rank AS median_ns, min(s.step) OVER of_rank AS first_step,
         is_slow AND NOT EXISTS (SELECT 1 FROM sample c WHERE c.run_id = s.run_id AND c.disturbed
                                   AND c.latency_ns = s.duration_ns)
           AND coalesce(waited_share, 0) < $waited AS is_outlier
  FROM step s JOIN run USING (run_id)
  LEFT JOIN waited w ON (w.run_id, w.step) = (s.run_id, s.step) AND w.rank IS NOT DISTINCT FROM s.rank
  WHERE point_id = $point AND rung IN ('imported', 'recorded')
  WINDOW of_rank AS (PARTITION BY s.run_id, s.rank)),
-- The gain of compilations of a recorded program is that of compilation_time.
compile AS (
  SELECT run_id, id, parent_id, start_ns, duration_ns FROM span JOIN run USING (run_id)
  WHERE point_id = $point AND rung = 'recorded' AND type = 'compile' AND span.duration_ns IS NOT NULL),
compiled AS (
  SELECT s.run_id, s.rank, s.step, sum(c.duration_ns) AS compile_ns
  FROM steps s JOIN compile c ON c.run_id = s.run_id AND c.start_ns BETWEEN s.start_ns AND s.start_ns + s.duration_ns
  WHERE is_outlier AND NOT EXISTS (SELECT 1 FROM compile above WHERE (above.run_id, above.id) = (c.run_id, c.parent_id))
  GROUP BY ALL),
outlier AS (
  SELECT s.step > first_step AS is_later, greatest(duration_ns - coalesce(compile_ns, 0) - median_ns, 0) AS excess_ns
  FROM steps s LEFT JOIN compiled c ON (c.run_id, c.step) = (s.run_id, s.step) AND c.rank IS NOT DISTINCT FROM s.rank
  WHERE is_outlier),
-- The time of a rank, from its first step to its last, with what lies between them: the whole that other gains of the
-- program have, so that they compare. The ranks of a program run side by side.
rank_time AS (
  SELECT count(*) AS ranks, avg(greatest(steps_ns, extent_ns)) AS whole_ns
  FROM (SELECT sum(duration_ns) AS steps_ns, max(start_ns + duration_ns) - min(start_ns) AS extent_ns
        FROM steps GROUP BY run_id, rank)),
saved AS (
  SELECT sum(excess_ns) AS all_ns, coalesce(sum(excess_ns) FILTER (is_later), 0) AS later_ns FROM outlier)
SELECT whole_ns, later_ns / ranks AS low_ns, later_ns / ranks AS ns, all_ns / ranks AS high_ns
FROM rank_time, saved WHERE all_ns > 0
