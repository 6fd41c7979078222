-- Memory of every layer in execution order.
SELECT l.point_id, p.batch, l.layer_index, l.name, l.type, l.shape, l.allocated_bytes, l.peak_bytes,
       l.allocated_bytes / nullif(sum(l.allocated_bytes) OVER (PARTITION BY l.point_id), 0)
         AS allocated_share
FROM layer l
JOIN point p USING (point_id)
ORDER BY l.point_id, l.layer_index
