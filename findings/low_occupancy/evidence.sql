-- Kernels of at least one wave: smaller grids are meant by small_grids. Matrix products on tensor cores are left out: their
-- few threads hold large tiles in registers and shared memory on purpose.
WITH source AS (
  SELECT min(source_run) AS run_id FROM kernel WHERE point_id = $point AND type = 'kernel'),
by_name AS (
  SELECT name, sum(occupancy * sized_ns) / sum(sized_ns) AS occupancy, arg_max(limiter, sized_ns) AS limiter
  FROM occupancy JOIN source USING (run_id)
  WHERE sized_ns > 0 AND 2 * small_ns < duration_ns GROUP BY name),
called AS (
  SELECT k.name, k.duration_ns, b.occupancy, b.limiter,
         coalesce(b.occupancy < $low AND k.unit IS DISTINCT FROM 'tensor'
                    AND NOT regexp_matches(lower(k.name), 'gemm|cutlass|xmma|flash|fmha|attention|conv'), false) AS is_low
  FROM kernel k LEFT JOIN by_name b USING (name)
  WHERE point_id = $point AND type = 'kernel' AND k.duration_ns > 0),
longest AS (
  SELECT name, any_value(occupancy) AS occupancy, any_value(limiter) AS limiter FROM called WHERE is_low
  GROUP BY name ORDER BY sum(duration_ns) DESC, name LIMIT 1)
SELECT sum(duration_ns) FILTER (is_low) / sum(duration_ns) AS low_share, count(*) FILTER (is_low) AS kernels,
       kernels > 1 AS are_several, (SELECT name FROM longest) AS name, (SELECT occupancy FROM longest) AS occupancy,
       (SELECT limiter FROM longest) AS limiter
FROM called HAVING sum(duration_ns) FILTER (is_low) >= $matters * sum(duration_ns)
