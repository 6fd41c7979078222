-- The table `stream` with shares, the busiest stream of each device first.
SELECT r.point_id, p.batch, s.rank, s.device, s.stream, s.name, s.spans AS work_count, s.busy_ns,
       s.busy_ns / nullif(d.total_ns, 0) AS busy_share, s.alone_ns,
       s.busy_ns - s.alone_ns AS overlapped_ns,
       (s.busy_ns - s.alone_ns) / nullif(s.busy_ns, 0) AS overlapped_share,
       s.compute_ns, s.communication_ns, s.copy_ns
FROM stream s JOIN run r USING (run_id) JOIN point p USING (point_id)
LEFT JOIN device_time d ON d.run_id = s.run_id AND d.rank IS NOT DISTINCT FROM s.rank
  AND d.device IS NOT DISTINCT FROM s.device AND d.step IS NULL
ORDER BY r.point_id, s.run_id, s.rank NULLS FIRST, s.device NULLS FIRST, s.busy_ns DESC,
         s.stream NULLS FIRST, s.name
