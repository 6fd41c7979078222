SELECT piece, coalesce(p.duration_ns / 2, 0) AS low_ns, coalesce(p.duration_ns, 0) AS ns,
       coalesce(p.duration_ns, 0) AS high_ns
FROM kernel k LEFT JOIN kernel_piece p ON p.point_id = $point AND p.kernel_index = k.kernel_index
WHERE k.point_id = $point AND k.type = 'kernel' AND k.duration_ns > 0
  AND regexp_matches(lower(k.name), 'nchwtonhwc|nhwctonchw|batched_transpose')
