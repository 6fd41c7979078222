-- Kernels of cuBLAS, cuDNN and CUTLASS that compute a product in float32 on vector units, by the parts of their names.
-- Matrix-vector products cannot use tensor cores; Winograd's and Fourier algorithms replace the product.
WITH kernels AS (
  SELECT name, duration_ns,
         regexp_matches(lower(name), 'sgemm|scudnn|_ffma_|dgrad_engine|wgrad_alg|[dw]grad2d_alg|gemm_f32_f32|f32f32_f32f32_f32')
           AND NOT regexp_matches(lower(name), 'tensorop|tf32|s1688|s16816|tensor16x8x8|bf16|f16|half|wino|fft|gemv|cijk_') AS is_vector,
         regexp_matches(lower(name), 'gemm|cudnn_[0-9]|_fprop_|_dgrad_|_wgrad_|tensorop|nvjet|flash|fmha|dgrad_engine|wgrad_alg|convolve|cutlass_')
           AS is_product,
         regexp_matches(lower(name), 'ampere_|sm8[0-9]_|sm9[0-9]|sm1[0-9][0-9]_|cutlass_[89]|tf32') AS is_ampere,
         regexp_matches(lower(name), 'volta_|turing_|sm7[0-9]_') AS is_volta
  FROM kernel WHERE point_id = $point AND type = 'kernel'),
-- What the device can do: its data sheet, else the architecture in the names of libraries' kernels.
device AS (
  SELECT (SELECT bool_or(dtype = 'tfloat32') FROM roof WHERE kind = 'flops' AND unit = 'tensor' AND used) AS has_tfloat32,
         (SELECT bool_or(dtype = 'float16') FROM roof WHERE kind = 'flops' AND unit = 'tensor' AND used) AS has_float16,
         (SELECT bool_or(is_ampere) FROM kernels) AS is_ampere, (SELECT bool_or(is_volta) FROM kernels) AS is_volta),
able AS (
  SELECT CASE WHEN has_tfloat32 OR (has_float16 IS NULL AND is_ampere) THEN 'TF32'
              WHEN has_float16 OR is_volta THEN 'float16' END AS type FROM device),
summed AS (
  SELECT sum(duration_ns) FILTER (is_vector) AS vector_ns, sum(duration_ns) FILTER (is_vector OR is_product) AS product_ns,
         sum(duration_ns) AS all_ns, count(*) FILTER (is_vector) AS kernels FROM kernels),
longest AS (
  SELECT name FROM kernels WHERE is_vector GROUP BY name ORDER BY sum(duration_ns) DESC, name LIMIT 1)
SELECT vector_ns / all_ns AS vector_share, vector_ns / product_ns AS product_share, kernels, name, type,
       kernels > 1 AS are_several, type = 'float16' AS needs_cast
FROM summed, longest, able WHERE type IS NOT NULL AND vector_ns >= $matters * all_ns
