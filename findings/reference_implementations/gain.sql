-- Each fallback at the quartiles of what other primitives of its kind, the first word of the name, reach of their roof.
-- Without three of these: of all primitives that are none.
WITH peak AS (
  SELECT dtype, unit, max(value) AS flops_per_s FROM roof WHERE kind = 'flops' AND used GROUP BY dtype, unit),
bandwidth AS (SELECT max(value) AS bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
reached AS (
  SELECT kernel_index, split_part(name, ' ', 1) AS kind, duration_ns,
         implementation LIKE 'ref%' OR implementation LIKE '%:ref:%' AS is_reference,
         greatest(coalesce(flops / flops_per_s, 0), coalesce((read_bytes + write_bytes) / bytes_per_s, 0)) * 1e9
           / duration_ns AS roof_share
  FROM kernel k LEFT JOIN peak USING (dtype, unit) CROSS JOIN bandwidth
  WHERE point_id = $point AND duration_ns > 0),
usual AS (
  SELECT kind, quantile_cont(roof_share, 0.25) AS lower_share, median(roof_share) AS usual_share,
         quantile_cont(roof_share, 0.75) AS upper_share
  FROM reached WHERE NOT coalesce(is_reference, false) AND roof_share > 0 GROUP BY GROUPING SETS ((kind), ())
  HAVING count(*) >= $enough_others),
judged AS (
  SELECT r.kernel_index, r.roof_share, coalesce(k.lower_share, a.lower_share) AS lower_share,
         coalesce(k.usual_share, a.usual_share) AS usual_share, coalesce(k.upper_share, a.upper_share) AS upper_share
  FROM reached r LEFT JOIN usual k ON k.kind = r.kind LEFT JOIN usual a ON a.kind IS NULL
  WHERE r.is_reference AND r.roof_share > 0)
SELECT piece, coalesce(greatest(1 - roof_share / lower_share, 0) * p.duration_ns, 0) AS low_ns,
       CASE WHEN usual_share IS NOT NULL THEN coalesce(greatest(1 - roof_share / usual_share, 0) * p.duration_ns, 0) END AS ns,
       coalesce(greatest(1 - roof_share / upper_share, 0) * p.duration_ns, 0) AS high_ns
FROM judged LEFT JOIN kernel_piece p ON p.point_id = $point AND p.kernel_index = judged.kernel_index
