-- Memory that layers of each type allocate.
SELECT l.point_id, p.batch, l.type, count(*) AS layer_count,
       sum(l.allocated_bytes) AS allocated_bytes,
       sum(l.allocated_bytes)
         / nullif(sum(sum(l.allocated_bytes)) OVER (PARTITION BY l.point_id), 0) AS allocated_share
FROM layer l
JOIN point p USING (point_id)
GROUP BY l.point_id, p.batch, l.type
ORDER BY l.point_id, allocated_bytes DESC NULLS LAST, l.type
