-- Of kernels of unknown type the name decides: float64 where it names double and no narrower type (scalars of an
-- optimizer are double, too).
WITH typed AS (
  SELECT kernel_index, kernel.name,
         CASE WHEN kernel.dtype IS NOT NULL THEN kernel.dtype
              WHEN regexp_matches(kernel.name, '[<( ]float[>,) ]|Half|BFloat16|bfloat16|f32f32|sgemm') THEN 'float32'
              WHEN regexp_matches(kernel.name, '[<( ]double[>,) ]|dgemm|f64f64') THEN 'float64' END AS dtype,
         duration_ns, kernel.read_bytes, kernel.write_bytes, l.name AS layer
  FROM kernel LEFT JOIN layer l ON l.point_id = kernel.point_id AND l.layer_index = kernel.layer_index
  WHERE kernel.point_id = $point AND duration_ns > 0),
doubles AS (
  SELECT sum(duration_ns) FILTER (dtype = 'float64') AS double_ns, sum(duration_ns) AS all_ns,
         count(*) FILTER (dtype = 'float64') AS kernels, count(*) AS all_kernels,
         coalesce(sum(duration_ns) FILTER (dtype IN ('float32', 'tfloat32', 'float16', 'bfloat16')), 0) AS narrow_ns,
         count(*) FILTER (dtype = 'float64' AND read_bytes <> write_bytes AND contains(name, 'copy')) AS conversions,
         arg_min(layer, kernel_index) FILTER (dtype = 'float64') AS layer
  FROM typed),
narrow AS (
  SELECT arg_max(dtype, ns) AS other_type FROM (
    SELECT dtype, sum(duration_ns) AS ns FROM typed
    WHERE dtype IN ('float32', 'tfloat32', 'float16', 'bfloat16') GROUP BY dtype))
SELECT double_ns / all_ns AS share, double_ns, kernels, all_kernels,
       double_ns < $nearly_all * (double_ns + narrow_ns) AS is_part,
       other_type, layer, conversions
FROM doubles, narrow WHERE share >= $matters
