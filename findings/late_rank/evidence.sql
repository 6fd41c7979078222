WITH placed AS (
  SELECT c.*, start_ns + duration_ns AS end_ns,
         -- Ranks leave a collective together: ends that differ show clocks that differ.
         max(start_ns + duration_ns) OVER (
           PARTITION BY run_id, operation, process_group, CASE WHEN process_group IS NULL THEN stream END, instance,
                        start_ns + arrival_skew_ns) AS last_end_ns
  FROM collective c JOIN run USING (run_id) WHERE point_id = $point AND arrival_skew_ns IS NOT NULL),
ranks AS (
  SELECT run_id, rank, count(*) AS calls, sum(arrival_skew_ns) AS waited_ns,
         count(*) FILTER (arrival_skew_ns = 0) AS last_calls, median(last_end_ns - end_ns) AS end_skew_ns
  FROM placed GROUP BY run_id, rank),
timed AS (
  SELECT r.*, d.device_ns FROM ranks r
  JOIN (SELECT run_id, rank, sum(total_ns) AS device_ns FROM device_time WHERE step IS NULL GROUP BY run_id, rank) d
    ON d.run_id = r.run_id AND d.rank IS NOT DISTINCT FROM r.rank),
whole AS (
  SELECT run_id, count(*) AS ranks, sum(waited_ns) AS waited_ns, sum(device_ns) AS device_ns, sum(calls) AS calls,
         max(end_skew_ns) AS end_skew_ns
  FROM timed GROUP BY run_id),
latest AS (
  SELECT t.rank, t.last_calls / t.calls AS last_share,
         (w.waited_ns - t.waited_ns) / (w.device_ns - t.device_ns) AS waited_share,
         t.calls, w.ranks, w.end_skew_ns / (w.waited_ns / w.calls) AS clock_share
  FROM timed t JOIN whole w USING (run_id)
  WHERE w.ranks > 1 AND t.rank IS NOT NULL ORDER BY last_share DESC, t.rank LIMIT 1)
SELECT *,
       CASE WHEN clock_share > $clocks_agree THEN format(
         'Rank {} comes last most often, but the clocks of the ranks disagree by {:.0f} % of the mean wait.',
         rank, 100 * clock_share) END AS abstain
FROM latest
WHERE calls >= $few_calls AND last_share * ranks >= $out_of_turn AND waited_share >= $wait_matters
