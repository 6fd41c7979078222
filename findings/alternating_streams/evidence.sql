-- The device whose streams overlap least, of those with several streams that work.
SELECT count(*) FILTER (s.busy_ns >= $stream_works * d.busy_ns) AS streams,
       sum(s.busy_ns - s.alone_ns) / sum(s.busy_ns) AS overlap_share,
       sum(s.busy_ns - s.alone_ns) AS overlapped_ns, sum(s.busy_ns) AS streams_ns, s.rank, s.device
FROM stream s JOIN run USING (run_id) JOIN device_time d ON d.run_id = s.run_id
  AND d.rank IS NOT DISTINCT FROM s.rank AND d.device IS NOT DISTINCT FROM s.device AND d.step IS NULL
WHERE point_id = $point GROUP BY s.run_id, s.rank, s.device
HAVING streams > 1 AND overlap_share < $hardly_overlaps
ORDER BY overlap_share, s.run_id, s.rank, s.device LIMIT 1
