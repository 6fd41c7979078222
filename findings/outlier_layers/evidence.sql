-- Layers that stay far further below their roof than others of their type: something is wrong with these, not with the
-- type. The type whose outliers take the most time is shown.
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
  SELECT name, type, layer_index, work.kernel_ns, ideal_ns / work.kernel_ns AS roof_share
  FROM work JOIN layer l USING (layer_index) WHERE l.point_id = $point),
usual AS (
  SELECT type, median(roof_share) AS usual_share FROM reached GROUP BY type HAVING count(*) >= $fewest_layers),
outlier AS (
  SELECT r.*, usual_share FROM reached r JOIN usual USING (type) WHERE roof_share < $of_the_usual * usual_share),
whole AS (
  SELECT *, count(*) OVER of_type AS layers, sum(kernel_ns) OVER of_type AS type_ns,
         sum(kernel_ns * roof_share) OVER of_type / sum(kernel_ns) OVER of_type AS type_roof_share,
         type_ns / (SELECT sum(duration_ns) FROM kernel WHERE point_id = $point) AS time_share
  FROM outlier WINDOW of_type AS (PARTITION BY type))
SELECT name, type, kernel_ns, roof_share, usual_share, type_roof_share, time_share, layers = 1 AS is_one,
       CASE WHEN layers > 3 THEN layers - 3 END AS more
FROM whole
WHERE type = (SELECT type FROM whole ORDER BY type_ns DESC, type LIMIT 1) AND time_share >= $matters
ORDER BY kernel_ns DESC, layer_index LIMIT 3
