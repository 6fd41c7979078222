-- Half of the kernels in float64 (by their names where no type is known, as in evidence.sql), all of the conversions (a copy that reads and writes values of different sizes).
WITH part AS (
  SELECT p.piece, p.duration_ns, read_bytes <> write_bytes AND contains(k.name, 'copy') AS is_conversion,
         CASE WHEN device = 'cpu' THEN 0.75 ELSE 1 - 1 / 64 END AS high
  FROM kernel k JOIN point USING (point_id) LEFT JOIN kernel_piece p USING (point_id, kernel_index)
  WHERE k.point_id = $point AND k.duration_ns > 0
    AND (k.dtype = 'float64'
      OR (k.dtype IS NULL AND regexp_matches(k.name, '[<( ]double[>,) ]|dgemm|f64f64')
          AND NOT regexp_matches(k.name, '[<( ]float[>,) ]|Half|BFloat16|bfloat16|f32f32|sgemm'))))
SELECT piece, coalesce(duration_ns * CASE WHEN is_conversion THEN 0.5 ELSE 0.25 END, 0) AS low_ns,
       coalesce(duration_ns * CASE WHEN is_conversion THEN 1 ELSE 0.5 END, 0) AS ns,
       coalesce(duration_ns * CASE WHEN is_conversion THEN 1 ELSE high END, 0) AS high_ns
FROM part
