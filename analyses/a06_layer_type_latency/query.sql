-- Time summed by layer type. Where a device did the work, the types with the most device time come
-- first, else those with the most latency. The shares of latency are of the run that shows the
-- layers: of its call, and of all its layers; they differ by what lies between the layers.
SELECT l.point_id, p.batch, l.type, count(*) AS layer_count, sum(l.latency_ns) AS latency_ns,
       sum(l.device_ns) AS device_ns,
       sum(t.share) AS share_of_model,
       sum(l.latency_ns) / nullif(sum(sum(l.latency_ns)) OVER (PARTITION BY l.point_id), 0)
         AS share_of_layers,
       sum(t.device_share) AS device_time_share
FROM layer l
JOIN layer_time t USING (point_id, layer_index)
JOIN point p USING (point_id)
GROUP BY l.point_id, p.batch, l.type
ORDER BY l.point_id, sum(t.work_ns) DESC NULLS LAST, latency_ns DESC NULLS LAST, l.type
