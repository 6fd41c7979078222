-- In evaluation mode dropout returns its operand and starts no kernel. In training mode batch normalisation counts its
-- batches first (a scalar is added to in the same module) and writes the statistics beside its result. A model that
-- computes gradients trains.
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
             AND (coalesce(write_bytes > elements * 4, false) OR coalesce(is_counting, false)))))
SELECT count(*) FILTER (is_dropout) AS dropouts, sum(work_share) FILTER (is_dropout) AS dropout_share,
       count(*) FILTER (NOT is_dropout) AS norms, sum(work_share) FILTER (NOT is_dropout) AS norm_share,
       arg_min(name, layer_index) AS name, dropouts > 0 AND norms > 0 AS has_both, dropouts = 1 AS is_one_dropout,
       norms = 1 AS is_one_norm
FROM in_training HAVING count(*) > 0
