-- Dropout, the statistics of batch normalisation and the count of batches before it, in the layers of evidence.sql.
WITH training AS (
  SELECT 1 FROM tree JOIN run USING (run_id)
  WHERE point_id = $point
    AND (type = 'train' OR regexp_matches(name, '^autograd::engine|Backward\d*(<|$)|AccumulateGrad|^Optimizer\.'))
  LIMIT 1),
placed AS (
  SELECT layer_index, name, type, shape, path, work_ns, work_share,
         lag(type) OVER before AS type_before, lag(path) OVER before AS path_before,
         lag(shape) OVER before AS shape_before,
         list_product(list_transform(string_split(regexp_extract(shape, '\[([0-9,]+)\]\]?$', 1), ','),
                                     lambda n: TRY_CAST(n AS DOUBLE)))
           AS elements
  FROM layer JOIN layer_time USING (point_id, layer_index) WHERE point_id = $point
  WINDOW before AS (ORDER BY layer_index)),
worked AS (
  SELECT layer_index, sum(duration_ns) AS kernels_ns, bool_or(contains(name, 'batch_norm')) AS has_norm,
         max(write_bytes) FILTER (contains(name, 'batch_norm') AND dtype = 'float32') AS write_bytes
  FROM kernel WHERE point_id = $point AND duration_ns > 0 GROUP BY layer_index),
in_training AS (
  SELECT layer_index, name, work_share, regexp_matches(type, 'dropout') AS is_dropout,
         type_before = 'aten::add_' AND path_before IS NOT DISTINCT FROM path
           AND coalesce(shape_before, '[]') IN ('[]', '[[],[],[]]', '[[],[]]') AS is_counting
  FROM placed JOIN worked USING (layer_index)
  WHERE NOT EXISTS (FROM training) AND work_ns > 0
    AND (regexp_matches(type, '^aten::(native_|feature_|alpha_|feature_alpha_)?dropout_?$')
         OR (regexp_matches(type, '^aten::(native_|cudnn_|_native_)?batch_norm')
             AND (coalesce(write_bytes > elements * 4, false) OR coalesce(is_counting, false))))),
saved AS (
  SELECT layer_index,
         CASE WHEN is_dropout THEN 1 WHEN device = 'cpu' THEN $of_statistics_low ELSE $of_statistics_device / 2 END AS low,
         CASE WHEN is_dropout THEN 1 WHEN device = 'cpu' THEN $of_statistics ELSE $of_statistics_device END AS expected
  FROM in_training CROSS JOIN (SELECT device FROM point WHERE point_id = $point)
  UNION ALL
  SELECT layer_index - 1, 1, 1 FROM in_training WHERE NOT is_dropout AND is_counting),
part AS (
  SELECT p.piece, p.duration_ns, low, expected
  FROM kernel k JOIN saved USING (layer_index)
  LEFT JOIN kernel_piece p ON p.point_id = $point AND p.kernel_index = k.kernel_index
  WHERE k.point_id = $point AND k.duration_ns > 0
  UNION ALL
  SELECT piece, duration_ns, low, expected FROM path_piece JOIN saved USING (layer_index)
  WHERE point_id = $point AND kind = 'layer' AND expected = 1)
SELECT piece, coalesce(duration_ns * low, 0) AS low_ns, coalesce(duration_ns * expected, 0) AS ns,
       coalesce(duration_ns, 0) AS high_ns
FROM part
