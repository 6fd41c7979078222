-- The rows of table `concurrency` that are of the whole run, with shares.
SELECT r.point_id, p.batch, c.rank, c.device, c.streams AS stream_count, c.duration_ns,
       c.duration_ns / nullif(sum(c.duration_ns) OVER one, 0) AS time_share,
       CASE WHEN c.streams > 0 THEN
         c.duration_ns / nullif(sum(c.duration_ns) FILTER (c.streams > 0) OVER one, 0) END
         AS busy_share
FROM concurrency c JOIN run r USING (run_id) JOIN point p USING (point_id)
WHERE c.step IS NULL
WINDOW one AS (PARTITION BY c.run_id, c.rank, c.device)
ORDER BY r.point_id, c.run_id, c.rank NULLS FIRST, c.device NULLS FIRST, c.streams
