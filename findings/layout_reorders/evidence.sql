-- oneDNN names its primitives "KIND IMPLEMENTATION": a reorder copies a tensor into another memory format.
WITH kernels AS (
  SELECT count(*) FILTER (name LIKE 'reorder%') AS reorders, count(*) FILTER (type = 'primitive') AS primitives,
         sum(duration_ns) FILTER (name LIKE 'reorder%') AS reorder_ns, sum(duration_ns) AS kernel_ns
  FROM kernel WHERE point_id = $point)
SELECT reorder_ns, kernel_ns, reorder_ns / kernel_ns AS share, reorders, primitives
FROM kernels WHERE reorder_ns / kernel_ns >= $matters
