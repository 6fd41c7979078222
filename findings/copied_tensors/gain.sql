-- All of the time of the layers that only copy (as in evidence.sql), on a CPU also what they spend outside of kernels.
WITH copying AS (
  SELECT layer_index
  FROM kernel JOIN layer l USING (point_id, layer_index)
  WHERE point_id = $point AND kernel.duration_ns > 0 AND regexp_matches(l.type,
    '^(aten::(contiguous|clone|copy_|cat|concat|concatenate|stack|hstack|vstack|index_select|repeat|tile)|'
      || 'aten::(repeat_interleave|reshape|flatten|to|_to_copy|roll|flip)|Transpose|Concat|ConcatV2|Tile)$')
  GROUP BY layer_index
  HAVING bool_and(kernel.type <> 'memcpy' OR contains(kernel.name, 'DtoD'))
     AND (any_value(l.type) NOT IN ('aten::to', 'aten::_to_copy', 'aten::copy_')
          OR coalesce(bool_and(kernel.read_bytes = kernel.write_bytes), bool_and(kernel.type = 'memcpy')))),
saved AS (
  SELECT p.piece, p.duration_ns
  FROM kernel k JOIN copying USING (layer_index)
  LEFT JOIN kernel_piece p ON p.point_id = $point AND p.kernel_index = k.kernel_index
  WHERE k.point_id = $point AND k.duration_ns > 0
  UNION ALL
  SELECT piece, duration_ns FROM path_piece JOIN copying USING (layer_index)
  WHERE point_id = $point AND kind = 'layer')
SELECT piece, coalesce(duration_ns, 0) / 2 AS low_ns, coalesce(duration_ns, 0) AS ns,
       coalesce(duration_ns, 0) AS high_ns
FROM saved
