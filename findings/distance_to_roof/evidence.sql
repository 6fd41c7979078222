-- The least time that each kernel could take under its two roofs (the roofline model), summed.
WITH peak AS (
  SELECT dtype, unit, max(value) AS flops_per_s FROM roof WHERE kind = 'flops' AND used GROUP BY dtype, unit),
bandwidth AS (SELECT max(value) AS bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
whole AS (
  SELECT sum(greatest(coalesce(flops / flops_per_s, 0), coalesce((read_bytes + write_bytes) / bytes_per_s, 0))) * 1e9
           AS ideal_ns,
         sum(duration_ns) FILTER (flops > 0 OR read_bytes + write_bytes > 0) AS kernel_ns,
         kernel_ns / sum(duration_ns) AS known_share
  FROM kernel k LEFT JOIN peak USING (dtype, unit) CROSS JOIN bandwidth WHERE point_id = $point)
SELECT ideal_ns, kernel_ns, ideal_ns / kernel_ns AS reached_share, ideal_ns > kernel_ns AS is_above,
       known_share, known_share < $nearly_all AS is_partly_known,
       CASE WHEN known_share < $enough_known THEN
         'FLOPs or bytes are known of only ' ||
         CASE WHEN known_share < 0.01 THEN 'less than 1' ELSE floor(known_share * 100)::INTEGER::VARCHAR END ||
         ' % of kernel time' END AS abstain
FROM whole WHERE ideal_ns > 0 AND kernel_ns > 0
