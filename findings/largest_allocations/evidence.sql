SELECT layer_index, type, allocated_bytes, sum(allocated_bytes) OVER () AS total_bytes,
       (SELECT peak_bytes FROM point WHERE point_id = $point AND peak_bytes > 0) AS peak_bytes
FROM layer WHERE point_id = $point AND allocated_bytes > 0
ORDER BY allocated_bytes DESC, layer_index LIMIT 1
