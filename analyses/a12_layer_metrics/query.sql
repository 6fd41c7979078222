-- FLOPs and memory traffic of every layer in execution order.
SELECT l.point_id, p.batch, l.layer_index, l.name, l.type, l.dtype, l.flops, l.read_bytes,
       l.write_bytes,
       l.flops / nullif(sum(l.flops) OVER all_layers, 0) AS flops_share,
       (l.read_bytes + l.write_bytes)
         / nullif(sum(l.read_bytes + l.write_bytes) OVER all_layers, 0) AS traffic_share,
       l.flops_provenance, l.traffic_provenance
FROM layer l
JOIN point p USING (point_id)
WHERE EXISTS (FROM layer WHERE coalesce(flops, read_bytes, write_bytes) IS NOT NULL)
WINDOW all_layers AS (PARTITION BY l.point_id)
ORDER BY l.point_id, l.layer_index
