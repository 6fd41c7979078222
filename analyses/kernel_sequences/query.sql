-- Sequences of kernels, those with the most time first, beside all computing time of their device.
WITH compute AS (
  SELECT run_id, rank, device, sum(compute_ns) AS compute_ns
  FROM stream GROUP BY run_id, rank, device)
SELECT r.point_id, s.rank, s.device,
       array_to_string(list_transform(from_json(s.kernels, '["VARCHAR"]'), lambda name:
         coalesce(nullif(trim(regexp_extract(
           replace(regexp_replace(name, '^void ', ''), '(anonymous namespace)::', ''),
           '^[^<(]*')), ''), name)), ', ') AS kernels,
       s.length, s.occurrences, s.duration_ns,
       s.duration_ns / nullif(c.compute_ns, 0) AS compute_share,
       s.duration_ns / (s.length * s.occurrences) AS mean_kernel_ns,
       s.gap_ns, s.gap_ns / nullif(s.duration_ns + s.gap_ns, 0) AS gap_share,
       array_to_string(list_transform(from_json(s.operators, '["VARCHAR"]'),
                                      lambda name: coalesce(name, '-')), ', ') AS operators
FROM kernel_sequence s JOIN run r USING (run_id)
LEFT JOIN compute c ON c.run_id = s.run_id AND c.rank IS NOT DISTINCT FROM s.rank
  AND c.device IS NOT DISTINCT FROM s.device
ORDER BY r.point_id, s.run_id, s.rank NULLS FIRST, s.device NULLS FIRST, s.sequence
