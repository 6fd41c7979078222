-- The gaps of the sequence, less those that remain between kernels that follow each other at once.
WITH at_once AS (
  SELECT run_id, sum(idle_ns) / sum(gaps) AS gap_ns FROM idle WHERE cause = 'kernel' AND stream IS NULL GROUP BY run_id),
saved AS (
  SELECT s.run_id, s.gap_ns / windows AS high_ns,
         greatest(s.gap_ns - (s.length - 1) * s.occurrences * coalesce(a.gap_ns, 0), 0) / windows AS expected_ns,
         expected_ns / 2 AS low_ns
  FROM kernel_sequence s JOIN run r ON r.run_id = s.run_id
  JOIN device_time d ON d.run_id = s.run_id AND d.step IS NULL
    AND d.rank IS NOT DISTINCT FROM s.rank AND d.device IS NOT DISTINCT FROM s.device
  JOIN (SELECT run_id, devices * greatest(steps, 1) AS windows FROM device_idle WHERE point_id = $point) w
    ON w.run_id = s.run_id
  LEFT JOIN at_once a ON a.run_id = s.run_id
  WHERE r.point_id = $point AND s.duration_ns / (s.length * s.occurrences) < $short_ns
    AND s.gap_ns >= $waits * (s.duration_ns + s.gap_ns) AND s.duration_ns + s.gap_ns >= $matters * d.total_ns
  ORDER BY s.gap_ns DESC LIMIT 1)
SELECT piece, greatest(0, least(duration_ns, scale * low_ns - before_ns)) AS low_ns,
       greatest(0, least(duration_ns, scale * expected_ns - before_ns)) AS ns,
       greatest(0, least(duration_ns, scale * high_ns - before_ns)) AS high_ns
FROM waiting_piece JOIN saved USING (run_id) WHERE point_id = $point
