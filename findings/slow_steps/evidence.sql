WITH steps AS (
  SELECT s.*, median(duration_ns) OVER (PARTITION BY run_id, rank) AS median_ns,
         count(*) OVER (PARTITION BY run_id, rank) AS of_rank,
         -- A call that lost time to other programs is slow for no reason of its own.
         is_slow AND NOT EXISTS (SELECT 1 FROM sample c WHERE c.run_id = s.run_id AND c.disturbed
                                   AND c.latency_ns = s.duration_ns) AS is_outlier
  FROM step s JOIN run USING (run_id) WHERE point_id = $point),
-- Profiling makes calls uneven. What it shows as slow counts only where calls without it are uneven, too.
plain AS (
  SELECT c.latency_ns, c.disturbed, median(c.latency_ns) OVER () AS median_ns
  FROM sample c JOIN run r USING (run_id)
  WHERE r.point_id = $point AND r.rung = 'model' AND r.process_pair IS NULL AND coalesce(c.rung, 'model') = 'model'
    AND c.queue_ns IS NULL),
calls AS (
  SELECT count(*) AS calls, count(*) FILTER (latency_ns > 1.1 * median_ns AND NOT disturbed) AS slow_calls,
         max(latency_ns / median_ns) FILTER (NOT disturbed) AS slowest_call
  FROM plain)
SELECT CASE WHEN any_value(calls) > 0 THEN any_value(slow_calls) ELSE count(*) FILTER (is_outlier) END AS slow,
       CASE WHEN any_value(calls) > 0 THEN any_value(calls) ELSE count(*) END AS steps,
       any_value(calls) > 0 AS is_profiled,
       -- Measured calls are no steps of a program.
       (SELECT bool_and(rung NOT IN ('imported', 'recorded')) FROM run WHERE point_id = $point) AS is_call,
       arg_max(step, duration_ns / median_ns) FILTER (is_outlier) AS step,
       max(duration_ns / median_ns) FILTER (is_outlier) AS ratio,
       arg_max(changed, duration_ns / median_ns) FILTER (is_outlier) AS changed,
       arg_max(changed_ns, duration_ns / median_ns) FILTER (is_outlier) AS changed_ns
FROM steps, calls
HAVING count(*) FILTER (is_outlier) > 0 AND min(of_rank) >= $few_steps AND ratio >= $slowest
   AND (any_value(calls) = 0 OR (slow > 0 AND any_value(slowest_call) >= $slowest))
