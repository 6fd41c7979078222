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
  SELECT s.*, median(duration_ns) OVER (PARTITION BY s.run_id, s.rank) AS median_ns,
         count(*) OVER (PARTITION BY s.run_id, s.rank) AS of_rank, waited_share,
         -- A call that lost time to other programs is slow for no reason of its own.
         is_slow AND NOT EXISTS (SELECT 1 FROM sample c WHERE c.run_id = s.run_id AND c.disturbed
                                   AND c.latency_ns = s.duration_ns) AS is_undisturbed
  FROM step s JOIN run USING (run_id)
  LEFT JOIN waited w ON (w.run_id, w.step) = (s.run_id, s.step) AND w.rank IS NOT DISTINCT FROM s.rank
  WHERE point_id = $point),
judged AS (SELECT *, is_undisturbed AND coalesce(waited_share, 0) < $waited AS is_outlier FROM steps),
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
       arg_max(changed_ns, duration_ns / median_ns) FILTER (is_outlier) AS changed_ns,
       CASE WHEN count(*) FILTER (is_outlier) = 0 THEN
         'For half of each slow step or more a program waited for a core: others may have made them slow.'
       END AS abstain
FROM judged, calls
HAVING count(*) FILTER (is_undisturbed) > 0 AND min(of_rank) >= $few_steps
   AND coalesce(ratio, max(duration_ns / median_ns) FILTER (is_undisturbed)) >= $slowest
   AND (any_value(calls) = 0 OR (slow > 0 AND any_value(slowest_call) >= $slowest))
