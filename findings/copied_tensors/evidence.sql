-- Operators whose result has the values of their operands. `to` counts only where its kernels write as many bytes as
-- they read, so that the type is the same; transfers between host and device are another finding. Without a kernel
-- nothing was copied: `contiguous` of a contiguous tensor returns it.
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
timed AS (
  SELECT layer_index, type, work_ns, work_share, c.layer_index IS NOT NULL AS is_copy
  FROM layer JOIN layer_time USING (point_id, layer_index) LEFT JOIN copying c USING (layer_index)
  WHERE point_id = $point AND work_ns > 0),
by_type AS (
  SELECT type, count(*) AS type_layers, sum(work_ns) AS type_ns, sum(work_share) AS type_share
  FROM timed WHERE is_copy GROUP BY type),
top AS (SELECT * FROM by_type ORDER BY type_ns DESC, type LIMIT 1),
whole AS (
  SELECT sum(work_share) FILTER (is_copy) AS share, sum(work_ns) FILTER (is_copy) AS copy_ns,
         count(*) FILTER (is_copy) AS layers, count(*) AS all_layers
  FROM timed)
SELECT share, copy_ns, layers, all_layers, type, type_share, type_layers,
       regexp_matches(type, '(cat|concat|concatenate|stack|Concat|ConcatV2)$') AS is_join,
       regexp_matches(type, '(repeat|tile|repeat_interleave|Tile)$') AS is_repeat,
       regexp_matches(type, 'index_select$') AS is_gather,
       regexp_matches(type, '(contiguous|clone|copy_|reshape|flatten|to|_to_copy|Transpose)$') AS is_layout
FROM whole, top WHERE share >= $matters
