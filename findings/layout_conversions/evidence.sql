-- cuDNN's nchwToNhwcKernel and nhwcToNchwKernel, MIOpen's batched_transpose.
WITH kernels AS (
  SELECT name, duration_ns, regexp_matches(lower(name), 'nchwtonhwc|nhwctonchw|batched_transpose') AS converts
  FROM kernel WHERE point_id = $point AND type = 'kernel'),
longest AS (SELECT name FROM kernels WHERE converts GROUP BY name ORDER BY sum(duration_ns) DESC, name LIMIT 1)
SELECT sum(duration_ns) FILTER (converts) / sum(duration_ns) AS share,
       sum(duration_ns) FILTER (converts) AS conversion_ns,
       count(*) FILTER (converts) AS conversions, count(*) AS kernels, (SELECT name FROM longest) AS name
FROM kernels HAVING share >= $matters
