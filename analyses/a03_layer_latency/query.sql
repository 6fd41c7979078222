-- Latency of every layer in execution order, and how much of the model has passed behind it.
SELECT l.point_id, p.batch, l.layer_index, l.name, l.type, l.gap_before_ns, l.latency_ns,
       t.share AS latency_share,
       sum(l.latency_ns) OVER (PARTITION BY l.point_id ORDER BY l.layer_index)
         / nullif(sum(l.latency_ns) OVER (PARTITION BY l.point_id), 0) AS cumulative_share,
       CASE WHEN t.device_share IS NOT NULL THEN l.device_ns END AS device_ns,
       t.device_share AS device_time_share
FROM layer l
JOIN layer_time t USING (point_id, layer_index)
JOIN point p USING (point_id)
ORDER BY l.point_id, l.layer_index
