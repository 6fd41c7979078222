-- All time of each of these layers. The bias that folding adds is free where the library's primitive computes it.
WITH ordered AS (
  SELECT layer_index, regexp_replace(lower(type), '^.*::', '') AS kind,
         regexp_extract(shape, '(\[[0-9,]+\])\]*$', 1) AS output_shape
  FROM layer WHERE point_id = $point),
neighbour AS (
  SELECT *, lag(layer_index) OVER in_order AS before_index, lag(kind) OVER in_order AS before_kind,
         lag(output_shape) OVER in_order AS before_shape
  FROM ordered WINDOW in_order AS (ORDER BY layer_index)),
found AS (
  SELECT layer_index, before_index FROM neighbour
  WHERE kind IN ('batch_norm', 'native_batch_norm', 'cudnn_batch_norm', 'miopen_batch_norm',
                 '_native_batch_norm_legit_no_training', 'batchnorm', 'batchnormalization', 'batchnorminference',
                 'fusedbatchnorm', 'fusedbatchnormv2', 'fusedbatchnormv3')
    AND before_index = layer_index - 1 AND output_shape = before_shape AND output_shape <> ''
    AND before_kind IN ('conv1d', 'conv2d', 'conv3d', 'convolution', '_convolution', 'conv_transpose1d',
                        'conv_transpose2d', 'conv_transpose3d', 'mkldnn_convolution', 'conv', 'convtranspose',
                        'conv2dbackpropinput', 'depthwiseconv2dnative', 'linear', 'addmm', 'fullyconnected', 'gemm')),
bias AS (
  SELECT f.layer_index,
         coalesce(bool_or(k.type = 'primitive'
                          AND regexp_matches(k.name, '^(convolution|deconvolution|inner_product)')),
                  false) AS is_free,
         coalesce(bool_or(k.name ILIKE '%elementwise%'), false) AS is_paid
  FROM found f LEFT JOIN kernel k ON k.point_id = $point AND k.layer_index = f.before_index
  GROUP BY f.layer_index),
part AS (
  SELECT k.layer_index, p.piece, coalesce(p.duration_ns, 0) AS duration_ns
  FROM kernel k LEFT JOIN kernel_piece p USING (point_id, kernel_index) WHERE k.point_id = $point AND k.duration_ns > 0
  UNION ALL
  SELECT layer_index, piece, duration_ns FROM path_piece WHERE point_id = $point AND kind = 'layer')
SELECT piece, CASE WHEN is_free THEN duration_ns ELSE 0 END AS low_ns,
       CASE WHEN is_free OR is_paid OR NOT has_device THEN duration_ns ELSE 0 END AS ns, duration_ns AS high_ns
FROM bias JOIN part USING (layer_index), point_time WHERE point_time.point_id = $point
