-- Kernel by kernel, as far as they are on the path.
WITH peak AS (
  SELECT dtype, unit, max(value) AS flops_per_s FROM roof WHERE kind = 'flops' AND used GROUP BY dtype, unit),
bandwidth AS (SELECT max(value) AS bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
ideal AS (
  SELECT kernel_index, duration_ns,
         greatest(coalesce(flops / flops_per_s, 0), coalesce((read_bytes + write_bytes) / bytes_per_s, 0)) * 1e9 AS ideal_ns
  FROM kernel k LEFT JOIN peak USING (dtype, unit) CROSS JOIN bandwidth
  WHERE point_id = $point AND duration_ns > 0 AND (flops > 0 OR read_bytes + write_bytes > 0))
SELECT piece, 0 AS low_ns, 0 AS ns,
       CASE WHEN ideal_ns > 0 THEN coalesce(greatest(1 - ideal_ns / i.duration_ns, 0) * p.duration_ns, 0) ELSE 0 END AS high_ns
FROM ideal i LEFT JOIN kernel_piece p ON p.point_id = $point AND p.kernel_index = i.kernel_index
