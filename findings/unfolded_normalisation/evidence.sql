-- A batch normalisation of fixed statistics is a scale and a shift for each channel: directly after a convolution or a
-- linear layer, both can be multiplied into its weights and bias. Layers are in execution order; where only the shapes
-- of several values are known, the last one is that of the output.
WITH ordered AS (
  SELECT layer_index, name, regexp_replace(lower(type), '^.*::', '') AS kind, work_ns, work_share,
         regexp_extract(shape, '(\[[0-9,]+\])\]*$', 1) AS output_shape
  FROM layer JOIN layer_time USING (point_id, layer_index) WHERE point_id = $point),
neighbour AS (
  SELECT *, lag(layer_index) OVER in_order AS before_index, lag(kind) OVER in_order AS before_kind,
         lag(output_shape) OVER in_order AS before_shape
  FROM ordered WINDOW in_order AS (ORDER BY layer_index)),
normalisation AS (
  SELECT *, kind IN ('batch_norm', 'native_batch_norm', 'cudnn_batch_norm', 'miopen_batch_norm',
                     '_native_batch_norm_legit_no_training', 'batchnorm', 'batchnormalization', 'batchnorminference',
                     'fusedbatchnorm', 'fusedbatchnormv2', 'fusedbatchnormv3') AS is_normalisation
  FROM neighbour),
found AS (
  SELECT *, is_normalisation AND before_index = layer_index - 1 AND output_shape = before_shape AND output_shape <> ''
            AND before_kind IN ('conv1d', 'conv2d', 'conv3d', 'convolution', '_convolution', 'conv_transpose1d',
                                'conv_transpose2d', 'conv_transpose3d', 'mkldnn_convolution', 'conv', 'convtranspose',
                                'conv2dbackpropinput', 'depthwiseconv2dnative', 'linear', 'addmm', 'fullyconnected',
                                'gemm') AS can_fold
  FROM normalisation),
whole AS (
  SELECT count(*) FILTER (can_fold) AS normalisations, count(*) FILTER (is_normalisation) AS all_normalisations,
         sum(work_ns) FILTER (can_fold) AS normalisation_ns, sum(work_share) FILTER (can_fold) AS share,
         arg_max(name, work_ns) FILTER (can_fold) AS name
  FROM found)
SELECT normalisations, all_normalisations, normalisations = 1 AS is_one, normalisation_ns, share, name
FROM whole
WHERE share >= $matters
  -- Whether a program of the user's own trains, with the statistics of each batch, is not recorded.
  AND NOT EXISTS (FROM run WHERE point_id = $point AND rung IN ('imported', 'recorded'))
