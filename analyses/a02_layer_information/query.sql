-- One row per layer, in execution order.
SELECT l.point_id, p.batch, l.layer_index, l.name, l.type, l.shape, l.latency_ns,
       l.device_ns, t.share AS latency_share,
       l.allocated_bytes, l.matched, t.device_share AS device_time_share
FROM layer l
JOIN layer_time t USING (point_id, layer_index)
JOIN point p USING (point_id)
ORDER BY l.point_id, l.layer_index
