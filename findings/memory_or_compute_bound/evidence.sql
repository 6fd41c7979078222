-- Each kernel is compared with the ridge of its own data type and unit; the ridge that is printed is that of the type
-- with the most FLOPs.
WITH peak AS (
  SELECT dtype, unit, max(value) AS flops_per_s FROM roof WHERE kind = 'flops' AND used GROUP BY dtype, unit),
bandwidth AS (SELECT max(value) AS bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
judged AS (
  SELECT k.*, flops_per_s / bytes_per_s AS ridge, flops / nullif(read_bytes + write_bytes, 0) < ridge AS is_memory_bound
  FROM kernel k LEFT JOIN peak USING (dtype, unit) CROSS JOIN bandwidth WHERE point_id = $point),
whole AS (
  SELECT sum(duration_ns) FILTER (is_memory_bound IS NOT NULL) AS known_ns,
         coalesce(known_ns, 0) / sum(duration_ns) AS known_share,
         coalesce(sum(duration_ns) FILTER (is_memory_bound), 0) / known_ns AS memory_share,
         (SELECT max(ridge) FROM judged WHERE flops > 0 GROUP BY dtype, unit ORDER BY sum(flops) DESC, dtype, unit LIMIT 1) AS ridge,
         coalesce(bool_and(traffic_provenance = 'analytic'), false) AS is_algorithmic
  FROM judged)
SELECT CASE WHEN memory_share >= $mostly THEN memory_share END AS memory_share,
       CASE WHEN memory_share < $mostly AND 1 - memory_share >= $mostly THEN 1 - memory_share END AS compute_share,
       CASE WHEN memory_share < $mostly AND 1 - memory_share < $mostly THEN 1 - memory_share END AS mixed_share,
       known_ns, known_share, known_share < $nearly_all AS is_partly_known, ridge, is_algorithmic,
       CASE WHEN known_share < $enough_known THEN
         'FLOPs and bytes are known of only ' ||
         CASE WHEN known_share < 0.01 THEN 'less than 1' ELSE floor(known_share * 100)::INTEGER::VARCHAR END ||
         ' % of kernel time' END AS abstain
FROM whole WHERE ridge > 0 AND known_share IS NOT NULL
