-- Kernels that compute each element of their output by itself, in order of execution. A chain goes on while the next
-- such kernel writes as many bytes as the one before, and reads at least those.
WITH ordered AS (
  SELECT kernel_index, layer_index, duration_ns, read_bytes, write_bytes,
         row_number() OVER (ORDER BY kernel_index) AS place,
         regexp_matches(name, 'elementwise_kernel|bn_fw_inf|batch_norm_transform_input|op_tensor_kernel')
           AND write_bytes > 0 AND read_bytes > 0 AS is_elementwise
  FROM kernel WHERE point_id = $point AND type = 'kernel' AND duration_ns > 0),
linked AS (
  SELECT *, coalesce(is_elementwise AND lag(is_elementwise) OVER w AND write_bytes = lag(write_bytes) OVER w
                     AND read_bytes >= lag(write_bytes) OVER w, false) AS follows
  FROM ordered WINDOW w AS (ORDER BY place)),
member AS (
  SELECT *, sum((NOT follows)::INTEGER) OVER (ORDER BY place) AS chain,
         lead(follows, 1, false) OVER (ORDER BY place) AS is_followed
  FROM linked),
chained AS (
  SELECT *, CASE WHEN follows THEN write_bytes ELSE 0 END AS reread_bytes,
         CASE WHEN is_followed THEN write_bytes ELSE 0 END AS rewritten_bytes
  FROM member WHERE follows OR is_followed)
SELECT piece, coalesce(p.duration_ns * reread_bytes / (read_bytes + write_bytes), 0) AS low_ns,
       coalesce(p.duration_ns * (reread_bytes + rewritten_bytes) / (read_bytes + write_bytes), 0) AS ns,
       coalesce(p.duration_ns, 0) AS high_ns
FROM chained LEFT JOIN kernel_piece p ON p.point_id = $point AND p.kernel_index = chained.kernel_index
