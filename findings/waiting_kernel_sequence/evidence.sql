-- Recording prolongs gaps: of a measured model they are scaled to the idle time of a call without it (waiting_piece).
WITH whole AS (SELECT any_value(scale) AS scale FROM waiting_piece WHERE point_id = $point)
SELECT s.length AS kernels, s.occurrences, s.duration_ns / (s.length * s.occurrences) AS kernel_ns,
       CAST(s.gap_ns * coalesce(scale, 1) AS BIGINT) AS gap_ns,
       s.gap_ns * coalesce(scale, 1) / (s.duration_ns + s.gap_ns * coalesce(scale, 1)) AS gap_share,
       s.duration_ns, d.total_ns AS device_ns
FROM kernel_sequence s JOIN run r ON r.run_id = s.run_id
JOIN device_time d ON d.run_id = s.run_id AND d.step IS NULL
  AND d.rank IS NOT DISTINCT FROM s.rank AND d.device IS NOT DISTINCT FROM s.device
CROSS JOIN whole
WHERE r.point_id = $point AND kernel_ns < $short_ns AND gap_share >= $waits
  AND s.duration_ns + s.gap_ns >= $matters * d.total_ns
ORDER BY s.gap_ns DESC LIMIT 1
