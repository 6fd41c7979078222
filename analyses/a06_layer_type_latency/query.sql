-- Latency summed by layer type. Two denominators: the model's own latency (model rung) and the sum
-- of all layers (layer rung); they differ by what lies between the layers and by the rungs' cost.
SELECT l.point_id, p.batch, l.type, count(*) AS layer_count, sum(l.latency_ns) AS latency_ns,
       sum(l.device_ns) AS device_ns,
       sum(l.latency_ns) / nullif(any_value(p.latency_ns), 0) AS share_of_model,
       sum(l.latency_ns) / nullif(sum(sum(l.latency_ns)) OVER (PARTITION BY l.point_id), 0)
         AS share_of_layers
FROM layer l
JOIN point p USING (point_id)
GROUP BY l.point_id, p.batch, l.type
ORDER BY l.point_id, latency_ns DESC NULLS LAST, l.type
