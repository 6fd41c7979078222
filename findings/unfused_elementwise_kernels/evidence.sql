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
  FROM member WHERE follows OR is_followed),
sequence AS (
  SELECT chain, count(*) AS kernels, sum(duration_ns) AS ns, sum(c.read_bytes + c.write_bytes) AS bytes,
         sum(reread_bytes + rewritten_bytes) AS saved_bytes,
         string_agg(coalesce(l.type, '(no operator)'), ', ' ORDER BY place) AS operators
  FROM chained c LEFT JOIN layer l ON l.point_id = $point AND l.layer_index = c.layer_index
  GROUP BY chain),
example AS (
  SELECT operators FROM sequence WHERE kernels <= 8 GROUP BY operators ORDER BY sum(ns) DESC, operators LIMIT 1)
SELECT sum(ns) / (SELECT sum(duration_ns) FROM ordered) AS share, sum(kernels)::BIGINT AS kernels, count(*) AS sequences,
       count(*) > 1 AS are_several, coalesce((SELECT operators FROM example), max(kernels) || ' kernels') AS example,
       sum(saved_bytes) / sum(bytes) AS saved_share
FROM sequence HAVING share >= $matters
