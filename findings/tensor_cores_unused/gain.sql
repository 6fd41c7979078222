WITH peak AS (
  SELECT max(value) FILTER (dtype = 'float32' AND unit = 'vector') AS vector_per_s,
         coalesce(max(value) FILTER (dtype = 'tfloat32' AND unit = 'tensor'),
                  max(value) FILTER (dtype = 'float16' AND unit = 'tensor')) AS tensor_per_s
  FROM roof WHERE kind = 'flops' AND used),
bandwidth AS (SELECT max(value) AS bytes_per_s FROM roof WHERE kind = 'bandwidth' AND used),
reached AS (
  SELECT sum(flops) / sum(duration_ns) * 1e9 AS flops_per_s FROM kernel
  WHERE point_id = $point AND type = 'kernel' AND unit = 'tensor' AND flops > 0 AND duration_ns > 0),
product AS (
  SELECT kernel_index, duration_ns AS all_ns, least(flops / vector_per_s * 1e9, duration_ns) AS vector_ns,
         flops / tensor_per_s * 1e9 AS tensor_ns, flops / reached.flops_per_s * 1e9 AS usual_ns,
         vector_per_s / tensor_per_s AS ratio, coalesce((read_bytes + write_bytes) / bytes_per_s * 1e9, 0) AS memory_ns
  FROM kernel, peak, bandwidth, reached
  WHERE point_id = $point AND type = 'kernel' AND flops > 0 AND duration_ns > 0 AND tensor_per_s > vector_per_s
    AND regexp_matches(lower(name), 'sgemm|scudnn|_ffma_|dgrad_engine|wgrad_alg|[dw]grad2d_alg|gemm_f32_f32|f32f32_f32f32_f32')
    AND NOT regexp_matches(lower(name), 'tensorop|tf32|s1688|s16816|tensor16x8x8|bf16|f16|half|wino|fft|gemv|cijk_')),
saved AS (
  SELECT kernel_index, greatest(vector_ns - tensor_ns, 0) / all_ns AS share,
         greatest(least(share, coalesce(1 - usual_ns / all_ns, 0)), 0) AS low_share,
         greatest(share, 1 - greatest(ratio, memory_ns / all_ns)) AS high_share
  FROM product)
SELECT piece, coalesce(low_share * duration_ns, 0) AS low_ns, coalesce(share * duration_ns, 0) AS ns,
       coalesce(high_share * duration_ns, 0) AS high_ns
FROM saved LEFT JOIN kernel_piece p ON p.point_id = $point AND p.kernel_index = saved.kernel_index
