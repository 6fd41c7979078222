-- Each outlier at the quartiles of what layers of its type reach of their roof.
WITH peak AS (
  SELECT dtype, unit, max(value) AS flops_per_s FROM roof WHERE kind = 'flops' AND used GROUP BY dtype, unit),
bandwidth AS (SELECT max(value) AS bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
work AS (
  SELECT layer_index, sum(duration_ns) AS kernel_ns,
         sum(greatest(coalesce(flops / flops_per_s, 0), coalesce((read_bytes + write_bytes) / bytes_per_s, 0))) * 1e9
           AS ideal_ns
  FROM kernel k LEFT JOIN peak USING (dtype, unit) CROSS JOIN bandwidth
  WHERE point_id = $point AND layer_index IS NOT NULL
  GROUP BY layer_index HAVING kernel_ns > 0 AND ideal_ns > 0),
reached AS (
  SELECT layer_index, type, work.kernel_ns, ideal_ns / work.kernel_ns AS roof_share
  FROM work JOIN layer l USING (layer_index) WHERE l.point_id = $point),
usual AS (
  SELECT type, quantile_cont(roof_share, 0.25) AS lower_share, median(roof_share) AS usual_share,
         quantile_cont(roof_share, 0.75) AS upper_share
  FROM reached GROUP BY type HAVING count(*) >= $fewest_layers),
outlier AS (
  SELECT r.*, u.* EXCLUDE (type), sum(r.kernel_ns) OVER (PARTITION BY type) AS type_ns
  FROM reached r JOIN usual u USING (type) WHERE roof_share < $of_the_usual * usual_share),
shown AS (
  SELECT * FROM outlier WHERE type = (SELECT type FROM outlier ORDER BY type_ns DESC, type LIMIT 1))
SELECT piece, coalesce(greatest(1 - roof_share / lower_share, 0) * p.duration_ns, 0) AS low_ns,
       coalesce((1 - roof_share / usual_share) * p.duration_ns, 0) AS ns,
       coalesce((1 - roof_share / upper_share) * p.duration_ns, 0) AS high_ns
FROM shown JOIN kernel k ON k.point_id = $point AND k.layer_index = shown.layer_index
LEFT JOIN kernel_piece p ON p.point_id = $point AND p.kernel_index = k.kernel_index
WHERE k.duration_ns > 0
