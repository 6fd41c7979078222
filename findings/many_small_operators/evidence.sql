-- Loops of short operators: a sequence of operators of the same types and shapes that repeats directly after itself.
-- Where only the shapes of several values are known, the last one is that of the output.
WITH ordered AS (
  SELECT layer_index, name, coalesce(path, '') AS path, bool_or(path IS NOT NULL) OVER () AS has_paths, latency_ns,
         gap_before_ns, kernel_ns,
         rtrim(regexp_replace(lower(type), '^.*::', ''), '_') AS kind,
         regexp_extract(shape, '(\[[0-9,]*\])\]*$', 1) AS output_shape,
         list_product([x::DOUBLE FOR x IN regexp_extract_all(output_shape, '[0-9]+')]) AS elements,
         kind IN ('select', 'slice', 'narrow', 'split', 'split_with_sizes', 'chunk', 'unbind', 'index', 'index_select',
                  'gather', 'stridedslice', 'crop') AS is_slice,
         is_slice OR kind IN ('alias', 'detach', 'expand', 'expand_as', 'expanddims', 'flatten', 'identity', 'numpy_t',
                              'permute', 'reshape', 'shape', 'size', 'squeeze', 't', 'transpose', 'unflatten',
                              'unsqueeze', 'view') AS is_view
  FROM layer WHERE point_id = $point AND latency_ns > 0),
-- The cost of an operator that hardly works: of small tensors, the type with the shortest median. NULL: not known.
short_type AS (
  SELECT median(latency_ns) AS type_ns FROM ordered
  WHERE NOT is_view AND elements <= $small AND coalesce(kernel_ns, 1) > 0 GROUP BY kind),
fixed AS (SELECT CASE WHEN min(type_ns) <= $longest_ns THEN min(type_ns) END AS fixed_ns FROM short_type),
-- Operators that move data and are repeated a period later; in other modules only after short periods (a list of them).
moving AS (
  SELECT *, row_number() OVER (ORDER BY layer_index) AS place FROM ordered WHERE NOT is_view),
repeated AS (
  SELECT period, a.place, a.path = b.path AS is_one_path,
         a.place - row_number() OVER (PARTITION BY period ORDER BY a.place) AS island
  FROM moving a CROSS JOIN (SELECT unnest(range(1, 17)) AS period)
  JOIN moving b ON b.place = a.place + period AND b.kind = a.kind AND b.output_shape IS NOT DISTINCT FROM a.output_shape
    AND (period <= 3 OR (b.path = a.path AND a.has_paths))),
island AS (
  SELECT period, min(place) AS first_place, max(place) + period AS last_place, bool_and(is_one_path) AS is_one_path
  FROM repeated GROUP BY period, island HAVING count(*) >= ($repetitions - 1) * period),
candidate AS (
  SELECT period, is_one_path, f.layer_index AS first_index, l.layer_index AS last_index
  FROM island JOIN moving f ON f.place = first_place JOIN moving l ON l.place = last_place),
-- A loop over parts of a tensor takes slices, or joins its results.
loop AS (
  SELECT *, row_number() OVER (ORDER BY period, first_index) AS loop
  FROM candidate
  WHERE EXISTS (FROM ordered WHERE layer_index BETWEEN first_index AND last_index AND is_slice)
     OR ((is_one_path OR period = 1)
         AND EXISTS (FROM ordered WHERE layer_index BETWEEN last_index + 1 AND last_index + 2
                     AND kind IN ('cat', 'stack', 'concat', 'concatv2', 'concatenate', 'pack')))),
looped AS (
  SELECT o.*, min(loop) AS loop, min_by(period, loop) AS period
  FROM loop JOIN ordered o ON o.layer_index BETWEEN first_index AND last_index GROUP BY ALL),
counted AS (
  SELECT *, floor(count(*) FILTER (NOT is_view) OVER in_loop / period) AS times,
         CASE WHEN is_view THEN latency_ns ELSE least(latency_ns, fixed_ns) END AS cost_ns,
         sum(cost_ns) OVER in_loop / sum(latency_ns) OVER in_loop AS cost_share
  FROM looped, fixed WHERE fixed_ns > 0 WINDOW in_loop AS (PARTITION BY loop)),
small AS (SELECT * FROM counted WHERE times >= $repetitions AND cost_share >= $dominant),
whole AS (
  SELECT count(*) AS operators, count(DISTINCT loop) AS loops, sum(latency_ns) AS loop_ns,
         any_value(fixed_ns) AS fixed_ns, sum(cost_ns) / loop_ns AS cost_share
  FROM small),
longest AS (
  SELECT any_value(times) AS times, min_by(name, layer_index) AS first_layer,
         array_to_string(list(kind ORDER BY layer_index) FILTER (NOT is_view)[:any_value(period)], ', ') AS kinds
  FROM small GROUP BY loop ORDER BY sum(latency_ns) DESC, loop LIMIT 1)
SELECT operators, loops, loops = 1 AS is_one, loop_ns, loop_ns / layer_whole_ns AS share, fixed_ns, cost_share, times,
       kinds, first_layer
FROM whole, longest, point_time
WHERE point_id = $point AND NOT has_device AND loop_ns >= $matters * layer_whole_ns
