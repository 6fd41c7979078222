-- How many layers there are of each type.
SELECT l.point_id, p.batch, l.type, count(*) AS layer_count,
       count(*) / sum(count(*)) OVER (PARTITION BY l.point_id) AS count_share
FROM layer l
JOIN point p USING (point_id)
GROUP BY l.point_id, p.batch, l.type
ORDER BY l.point_id, layer_count DESC, l.type
