-- Streams that share the work of a device, each as long as the longest.
WITH streams AS (
  SELECT s.run_id, s.rank, s.device, any_value(d.busy_ns) AS device_ns, max(s.busy_ns) AS longest_ns,
         sum(s.busy_ns - s.alone_ns) / sum(s.busy_ns) AS overlap_share
  FROM stream s JOIN run USING (run_id) JOIN device_time d ON d.run_id = s.run_id
    AND d.rank IS NOT DISTINCT FROM s.rank AND d.device IS NOT DISTINCT FROM s.device AND d.step IS NULL
  WHERE point_id = $point GROUP BY s.run_id, s.rank, s.device
  HAVING count(*) FILTER (s.busy_ns >= $stream_works * d.busy_ns) > 1 AND overlap_share < $hardly_overlaps
  ORDER BY overlap_share, s.run_id, s.rank, s.device LIMIT 1),
saved AS (
  SELECT run_id, greatest(device_ns - longest_ns, 0) / (devices * greatest(steps, 1)) AS high_ns
  FROM streams JOIN (SELECT run_id, devices, steps FROM device_idle WHERE point_id = $point) d USING (run_id)),
work AS (
  SELECT piece, run_id, duration_ns, sum(duration_ns) OVER (ORDER BY duration_ns DESC, piece) - duration_ns AS before_ns
  FROM path_piece WHERE point_id = $point AND kind IN ('compute', 'communication', 'copy'))
SELECT piece, 0 AS low_ns, 0 AS ns, greatest(0, least(duration_ns, high_ns - before_ns)) AS high_ns
FROM work JOIN saved USING (run_id)
UNION ALL
SELECT NULL, 0, 0, 0 FROM saved WHERE run_id IN (SELECT run_id FROM path_piece WHERE point_id = $point)
