-- The rows of table `idle` that are of the whole run, the device's own gaps before those of its
-- streams, and of each the cause with the most time first.
SELECT r.point_id, p.batch, i.rank, i.device, i.stream, i.cause, i.gaps AS gap_count, i.idle_ns,
       i.launched_ns,
       i.idle_ns / nullif(sum(i.idle_ns) OVER one, 0) AS idle_share,
       i.idle_ns / nullif(d.total_ns, 0) AS time_share,
       i.idle_ns / nullif(i.gaps, 0) AS mean_ns, i.longest_ns, i.after, i.before,
       s.idle_ns AS step_idle_ns, s.launched_ns AS step_launched_ns
FROM idle i JOIN run r USING (run_id) JOIN point p USING (point_id)
LEFT JOIN device_time d ON d.run_id = i.run_id AND d.rank IS NOT DISTINCT FROM i.rank
  AND d.device IS NOT DISTINCT FROM i.device AND d.step IS NULL
LEFT JOIN (
  SELECT run_id, rank, device, stream, cause, sum(idle_ns)::BIGINT AS idle_ns, sum(launched_ns)::BIGINT AS launched_ns
  FROM idle WHERE step IS NOT NULL GROUP BY ALL) s
  ON s.run_id = i.run_id AND s.rank IS NOT DISTINCT FROM i.rank AND s.device IS NOT DISTINCT FROM i.device
  AND s.stream IS NOT DISTINCT FROM i.stream AND s.cause = i.cause
WHERE i.step IS NULL
WINDOW one AS (PARTITION BY i.run_id, i.rank, i.device, i.stream)
ORDER BY r.point_id, i.run_id, i.rank NULLS FIRST, i.device NULLS FIRST,
         i.stream NULLS FIRST, i.idle_ns DESC, i.cause
