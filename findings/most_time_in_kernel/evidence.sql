-- Copies are no kernels, though they stand in the same table.
SELECT name, count(*) AS calls, calls = 1 AS is_one_call, sum(duration_ns) AS duration_ns,
       sum(duration_ns) / (SELECT sum(duration_ns) FROM kernel WHERE point_id = $point
                           AND type NOT IN ('memcpy', 'memset')) AS share,
       -- The least time that its FLOPs could take, at the roof of each call's data type and unit.
       nullif(sum(flops / (SELECT max(value) FROM roof WHERE kind = 'flops' AND used AND roof.dtype = k.dtype
                           AND roof.unit = k.unit)) * 1e9, 0) / sum(duration_ns) AS roof_share,
       any_value(dtype) AS dtype
FROM kernel k WHERE point_id = $point AND type NOT IN ('memcpy', 'memset')
GROUP BY name HAVING sum(duration_ns) > 0
ORDER BY duration_ns DESC, name LIMIT 1
