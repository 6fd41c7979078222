-- Latency of every layer in execution order, and how much of the model has passed behind it.
SELECT l.point_id, p.batch, l.layer_index, l.name, l.type, l.gap_before_ns, l.latency_ns,
       l.latency_ns / nullif(p.latency_ns, 0) AS latency_share,
       sum(l.latency_ns) OVER (PARTITION BY l.point_id ORDER BY l.layer_index)
         / nullif(sum(l.latency_ns) OVER (PARTITION BY l.point_id), 0) AS cumulative_share
FROM layer l
JOIN point p USING (point_id)
ORDER BY l.point_id, l.layer_index
