-- Only where page faults explain it, and of the point that the other findings are about.
WITH calls AS (
  SELECT point_id, sum(s.system_ns) / sum(s.latency_ns * p.cores) AS system_share, avg(s.page_faults) AS page_faults,
         -- Waiting for a core that other programs use shortens with the work that is left.
         coalesce(sum(s.waited_ns) FILTER (r.threads <= p.cores), 0) AS others_ns,
         sum(s.system_ns) / greatest(sum(s.latency_ns * p.cores) - others_ns, sum(s.system_ns)) AS expected_share,
         sum(s.system_ns) / greatest(sum(s.latency_ns) - others_ns, sum(s.system_ns)) AS serial_share
  FROM sample s JOIN run r USING (run_id) JOIN point p USING (point_id)
  WHERE r.rung = 'model' AND coalesce(s.rung, r.rung) = r.rung
  GROUP BY point_id HAVING system_share BETWEEN $telling_share AND 1 ORDER BY system_share DESC, point_id LIMIT 1)
SELECT piece, 0 AS low_ns, expected_share * duration_ns AS ns, serial_share * duration_ns AS high_ns
FROM calls JOIN path_piece USING (point_id) WHERE point_id = $point AND page_faults >= $many_faults
