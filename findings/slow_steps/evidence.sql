WITH steps AS (
  SELECT s.*, median(duration_ns) OVER (PARTITION BY run_id, rank) AS median_ns,
         count(*) OVER (PARTITION BY run_id, rank) AS of_rank,
         -- A call that lost time to other programs is slow for no reason of its own.
         is_slow AND NOT EXISTS (SELECT 1 FROM sample c WHERE c.run_id = s.run_id AND c.disturbed
                                   AND c.latency_ns = s.duration_ns) AS is_outlier
  FROM step s JOIN run USING (run_id) WHERE point_id = $point)
SELECT count(*) FILTER (is_outlier) AS slow, count(*) AS steps,
       -- Measured calls are no steps of a program.
       (SELECT bool_and(rung NOT IN ('imported', 'recorded')) FROM run WHERE point_id = $point) AS is_call,
       arg_max(step, duration_ns / median_ns) FILTER (is_outlier) AS step,
       max(duration_ns / median_ns) FILTER (is_outlier) AS ratio,
       arg_max(changed, duration_ns / median_ns) FILTER (is_outlier) AS changed,
       arg_max(changed_ns, duration_ns / median_ns) FILTER (is_outlier) AS changed_ns
FROM steps HAVING slow > 0 AND min(of_rank) >= $few_steps AND ratio >= $slowest
