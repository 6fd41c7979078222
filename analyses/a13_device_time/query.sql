-- Latency of every layer split into the time in which one of its kernels ran and the rest. The two
-- come from different runs (layer rung, kernel rung), so the rest can be negative: it is shown so.
SELECT l.point_id, p.batch, l.layer_index, l.name, l.type, l.latency_ns, l.device_ns,
       l.latency_ns - l.device_ns AS non_device_ns,
       l.device_ns > l.latency_ns AS negative,
       l.device_ns / nullif(l.latency_ns, 0) AS device_share
FROM layer l
JOIN point p USING (point_id)
WHERE EXISTS (FROM layer WHERE device_ns IS NOT NULL)
ORDER BY l.point_id, l.layer_index
