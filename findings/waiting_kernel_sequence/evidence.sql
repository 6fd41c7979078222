SELECT s.length AS kernels, s.occurrences, s.duration_ns / (s.length * s.occurrences) AS kernel_ns, s.gap_ns,
       s.gap_ns / (s.duration_ns + s.gap_ns) AS gap_share, s.duration_ns, d.total_ns AS device_ns
FROM kernel_sequence s JOIN run r ON r.run_id = s.run_id
JOIN device_time d ON d.run_id = s.run_id AND d.step IS NULL
  AND d.rank IS NOT DISTINCT FROM s.rank AND d.device IS NOT DISTINCT FROM s.device
WHERE r.point_id = $point AND kernel_ns < $short_ns AND s.gap_ns >= $waits * (s.duration_ns + s.gap_ns)
  AND s.duration_ns + s.gap_ns >= $matters * d.total_ns
ORDER BY s.gap_ns DESC LIMIT 1
