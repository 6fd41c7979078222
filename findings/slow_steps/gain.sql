-- Of measured calls slow ones are no part of the latency, which is a trimmed mean.
WITH steps AS (
  SELECT s.*, median(duration_ns) OVER (PARTITION BY run_id, rank) AS median_ns,
         is_slow AND NOT EXISTS (SELECT 1 FROM sample c WHERE c.run_id = s.run_id AND c.disturbed
                                   AND c.latency_ns = s.duration_ns) AS is_outlier
  FROM step s JOIN run USING (run_id) WHERE point_id = $point AND rung IN ('imported', 'recorded')),
saved AS (
  SELECT sum(duration_ns - median_ns) FILTER (is_outlier) / sum(duration_ns) AS share,
         coalesce(sum(duration_ns - median_ns) FILTER (is_outlier AND step > first_step), 0) / sum(duration_ns)
           AS later_share
  FROM (SELECT *, min(step) OVER (PARTITION BY run_id, rank) AS first_step FROM steps))
SELECT piece, later_share * duration_ns AS low_ns, later_share * duration_ns AS ns, share * duration_ns AS high_ns
FROM path_piece, saved WHERE point_id = $point AND whole = 'step' AND share > 0
