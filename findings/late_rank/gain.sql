-- A collective starts when its last rank has come. Were the late rank on time, the second last would be the last.
WITH placed AS (
  SELECT c.run_id, c.rank, c.arrival_skew_ns, start_ns + arrival_skew_ns AS last_start_ns, step,
         operation, process_group, CASE WHEN process_group IS NULL THEN stream END AS stream, instance
  FROM collective c JOIN run USING (run_id) WHERE point_id = $point AND arrival_skew_ns IS NOT NULL),
ranks AS (
  SELECT run_id, rank, count(*) FILTER (arrival_skew_ns = 0) / count(*) AS last_share FROM placed
  WHERE rank IS NOT NULL GROUP BY run_id, rank ORDER BY last_share DESC, rank LIMIT 1),
gathered AS (
  SELECT p.run_id, min(arrival_skew_ns) FILTER (p.rank <> r.rank) AS second_ns,
         median(arrival_skew_ns) FILTER (p.rank <> r.rank) AS usual_ns,
         bool_or(p.rank = r.rank AND arrival_skew_ns = 0) AS is_late, max(step) AS step
  FROM placed p JOIN ranks r USING (run_id)
  GROUP BY p.run_id, operation, process_group, stream, instance, last_start_ns),
saved AS (
  SELECT run_id, coalesce(sum(second_ns) FILTER (is_late), 0) / windows AS expected_ns,
         coalesce(sum(usual_ns) FILTER (is_late), 0) / windows AS high_ns
  FROM gathered JOIN (SELECT run_id, steps, greatest(steps, 1) AS windows FROM device_idle WHERE point_id = $point) d
    USING (run_id)
  WHERE steps = 0 OR step IS NOT NULL GROUP BY run_id, windows),
communication AS (
  SELECT piece, run_id, duration_ns, sum(duration_ns) OVER (ORDER BY duration_ns DESC, piece) - duration_ns AS before_ns
  FROM path_piece WHERE point_id = $point AND kind = 'communication')
SELECT piece, 0 AS low_ns, greatest(0, least(duration_ns, expected_ns - before_ns)) AS ns,
       greatest(0, least(duration_ns, greatest(high_ns, expected_ns) - before_ns)) AS high_ns
FROM communication JOIN saved USING (run_id)
UNION ALL
SELECT NULL, 0, 0, 0 FROM saved WHERE run_id IN (SELECT run_id FROM path_piece WHERE point_id = $point)
