-- Of the steps of a program. Of measured calls slow ones are no part of the latency, which is a trimmed mean.
WITH steps AS (
  SELECT s.*, median(duration_ns) OVER of_rank AS median_ns, min(step) OVER of_rank AS first_step,
         is_slow AND NOT EXISTS (SELECT 1 FROM sample c WHERE c.run_id = s.run_id AND c.disturbed
                                   AND c.latency_ns = s.duration_ns) AS is_outlier
  FROM step s JOIN run USING (run_id) WHERE point_id = $point AND rung IN ('imported', 'recorded')
  WINDOW of_rank AS (PARTITION BY run_id, rank)),
-- The time of a rank: the ranks of a program run side by side.
saved AS (
  SELECT count(DISTINCT (run_id, coalesce(rank, -1))) AS ranks, sum(duration_ns) / ranks AS whole_ns,
         coalesce(sum(duration_ns - median_ns) FILTER (is_outlier), 0) / ranks AS all_ns,
         coalesce(sum(duration_ns - median_ns) FILTER (is_outlier AND step > first_step), 0) / ranks AS later_ns
  FROM steps HAVING count(*) > 0)
SELECT whole_ns, later_ns AS low_ns, later_ns AS ns, all_ns AS high_ns FROM saved WHERE all_ns > 0
