SELECT dtype, sum(flops) AS flops,
       sum(flops) / (SELECT sum(flops) FROM kernel WHERE point_id = $point) AS share
FROM kernel
WHERE point_id = $point AND flops > 0 AND dtype IN ('bfloat16', 'float16', 'int8', 'uint8')
GROUP BY dtype ORDER BY flops DESC, dtype
