-- The whole call first, then its layers in order. What was not counted is empty.
WITH all_widths AS (
  SELECT point_id, count(DISTINCT name) AS n
  FROM event_count WHERE name LIKE 'fp_retired.%' GROUP BY point_id),
wide AS (
  SELECT point_id, layer_index,
         max(value) FILTER (name = 'task_clock_ns') AS task_clock_ns,
         max(value) FILTER (name = 'instructions') AS instructions,
         max(value) FILTER (name = 'cycles') AS cycles,
         max(value) FILTER (name = 'cache_references') AS cache_references,
         max(value) FILTER (name = 'cache_misses') AS cache_misses,
         max(value) FILTER (name = 'llc_load_misses') AS llc_load_misses,
         -- A sum that lacks a width, because that was never on a counter, would be too small.
         CASE WHEN count(DISTINCT name) FILTER (name LIKE 'fp_retired.%') = any_value(a.n)
              THEN sum(value) FILTER (name LIKE 'fp_retired.%') END AS flops,
         max(value) FILTER (name = 'thread_page_faults') AS page_faults,
         max(value) FILTER (name = 'context_switches') AS context_switches,
         max(value) FILTER (name = 'cpu_migrations') AS cpu_migrations,
         min(counted_share) AS confidence
  FROM event_count LEFT JOIN all_widths a USING (point_id) GROUP BY point_id, layer_index),
widths AS (
  SELECT point_id, layer_index, try_cast(split_part(name, '.', 3) AS BIGINT) AS bits,
         sum(value) AS flops
  FROM event_count WHERE name LIKE 'fp_retired.%' AND value > 0
  GROUP BY point_id, layer_index, bits),
widest AS (
  SELECT point_id, layer_index, max_by(flops, bits) AS flops
  FROM widths WHERE bits IS NOT NULL GROUP BY point_id, layer_index),
calls AS (SELECT point_id, task_clock_ns FROM wide WHERE layer_index IS NULL)
SELECT w.point_id, w.layer_index, coalesce(l.name, '(call)') AS name, l.type, w.task_clock_ns,
       w.instructions, w.cycles,
       w.instructions / nullif(w.cycles, 0) AS instructions_per_cycle,
       w.cache_misses / nullif(w.cache_references, 0) AS cache_miss_share,
       w.llc_load_misses, 64 * w.llc_load_misses AS llc_missed_bytes, w.flops,
       v.flops / nullif(w.flops, 0) AS wide_share, w.page_faults, w.context_switches,
       w.cpu_migrations, w.confidence,
       w.task_clock_ns / nullif(c.task_clock_ns, 0) AS thread_share
FROM wide w
LEFT JOIN layer l ON l.point_id = w.point_id AND l.layer_index = w.layer_index
LEFT JOIN widest v ON v.point_id = w.point_id AND v.layer_index IS NOT DISTINCT FROM w.layer_index
LEFT JOIN calls c ON c.point_id = w.point_id
ORDER BY w.point_id, w.layer_index NULLS FIRST
