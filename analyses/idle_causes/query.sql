-- The rows of table `idle` that are of the whole run, the device's own gaps before those of its
-- streams, and of each the cause with the most time first.
SELECT r.point_id, p.batch, i.rank, i.device, i.stream, i.cause, i.gaps AS gap_count, i.idle_ns,
       i.launched_ns,
       i.idle_ns / nullif(sum(i.idle_ns) OVER one, 0) AS idle_share,
       i.idle_ns / nullif(d.total_ns, 0) AS time_share,
       i.idle_ns / nullif(i.gaps, 0) AS mean_ns, i.longest_ns, i.after, i.before
FROM idle i JOIN run r USING (run_id) JOIN point p USING (point_id)
LEFT JOIN device_time d ON d.run_id = i.run_id AND d.rank IS NOT DISTINCT FROM i.rank
  AND d.device IS NOT DISTINCT FROM i.device AND d.step IS NULL
WHERE i.step IS NULL
WINDOW one AS (PARTITION BY i.run_id, i.rank, i.device, i.stream)
ORDER BY r.point_id, i.run_id, i.rank NULLS FIRST, i.device NULLS FIRST,
         i.stream NULLS FIRST, i.idle_ns DESC, i.cause
