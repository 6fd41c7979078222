-- One row per layer, in execution order.
SELECT l.point_id, p.batch, l.layer_index, l.name, l.type, l.shape, l.latency_ns,
       l.device_ns, l.latency_ns / nullif(p.latency_ns, 0) AS latency_share,
       l.allocated_bytes, l.matched
FROM layer l
JOIN point p USING (point_id)
ORDER BY l.point_id, l.layer_index
