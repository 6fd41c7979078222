-- The passes between the two products, found as in evidence.sql, and a quarter of these products; high: half of them.
WITH sized AS (
  SELECT layer_index, type, work_ns,
         regexp_extract_all(shape, '\[([0-9][0-9,]*)\]', 1) AS operands,
         starts_with(shape, '[[') AND EXISTS (FROM run WHERE point_id = $point AND rung = 'imported') AS is_inputs,
         regexp_matches(type, '^aten::(matmul|bmm|baddbmm|einsum)$') AS is_product,
         regexp_matches(type, '^aten::(softmax|_softmax|special_softmax)$') AS is_softmax,
         regexp_matches(type, '^aten::(mul_?|div_?|true_divide|add_?|sub_?|rsub|masked_fill_?|where|maximum|max|clamp)$')
           OR regexp_matches(type, '^aten::(dropout_?|to|type_as|clone|contiguous|nan_to_num)$') OR is_softmax AS is_pass,
         regexp_matches(type, '^aten::(view|transpose|permute|reshape|expand|unsqueeze|squeeze|slice|select|t|size)$')
           OR type = 'aten::linear' AS is_beside
  FROM layer JOIN layer_time USING (point_id, layer_index) WHERE point_id = $point),
listed AS (
  SELECT *, CASE WHEN is_inputs AND is_product AND type <> 'aten::einsum' THEN
              CASE WHEN type = 'aten::baddbmm' THEN operands[2:] ELSE operands END END AS factors,
         CASE WHEN factors IS NOT NULL
              THEN list_concat(list_slice(string_split(factors[1], ','), 1, -2), [string_split(factors[2], ',')[-1]])
              WHEN is_inputs THEN string_split(operands[1], ',')
              ELSE string_split(operands[-1], ',') END AS sizes
  FROM sized),
layered AS (
  SELECT * EXCLUDE (sizes, factors), list_transform(sizes, lambda n: TRY_CAST(n AS DOUBLE)) AS sizes
  FROM listed),
counted AS (
  SELECT *, coalesce(list_product(sizes), 0) AS elements, sizes[-1] AS columns,
         coalesce(len(operands) > 0, false) AS has_shape
  FROM layered),
-- The nearest products before and after each softmax: [.., rows, columns] in, [.., rows, width] out.
found AS (
  SELECT s.layer_index, s.elements, s.has_shape,
         (SELECT max(p.layer_index) FROM counted p WHERE p.is_product AND p.layer_index < s.layer_index) AS first_index,
         (SELECT min(p.layer_index) FROM counted p WHERE p.is_product AND p.layer_index > s.layer_index) AS last_index,
         s.columns
  FROM counted s WHERE s.is_softmax),
attention AS (
  SELECT f.*
  FROM found f JOIN counted a ON a.layer_index = first_index JOIN counted z ON z.layer_index = last_index
  WHERE (NOT (f.has_shape AND a.has_shape AND z.has_shape)
         OR (a.elements = f.elements AND a.columns = f.columns AND f.elements * 4 >= $large_bytes
             AND z.elements / z.columns = f.elements / f.columns))
    -- What is between them works on single scores, or on something else (the values' projection).
    AND NOT EXISTS (
      FROM counted o WHERE o.layer_index > first_index AND o.layer_index < last_index AND o.work_ns > 0
        AND NOT o.is_pass AND NOT o.is_beside
        AND (NOT o.has_shape OR o.elements = f.elements))),
pass AS (
  SELECT o.layer_index, o.is_softmax
  FROM attention f JOIN counted o ON o.layer_index > first_index AND o.layer_index < last_index
  WHERE o.work_ns > 0 AND o.is_pass
    AND (NOT f.has_shape OR NOT o.has_shape OR o.elements = f.elements)),
saved AS (
  SELECT layer_index, CASE WHEN is_softmax THEN 0 ELSE 1 END AS low, 1 AS expected, 1 AS high FROM pass
  UNION ALL
  SELECT DISTINCT unnest([first_index, last_index]), 0, 0.25, 0.5 FROM attention),
part AS (
  SELECT p.piece, p.duration_ns, low, expected, high
  FROM kernel k JOIN saved USING (layer_index)
  LEFT JOIN kernel_piece p ON p.point_id = $point AND p.kernel_index = k.kernel_index
  WHERE k.point_id = $point AND k.duration_ns > 0
  UNION ALL
  -- What a product takes outside of its kernel moves no scores.
  SELECT piece, duration_ns, low, expected, high
  FROM path_piece JOIN saved USING (layer_index) WHERE point_id = $point AND kind = 'layer' AND expected = 1)
SELECT piece, coalesce(duration_ns * low, 0) AS low_ns, coalesce(duration_ns * expected, 0) AS ns,
       coalesce(duration_ns * high, 0) AS high_ns
FROM part
