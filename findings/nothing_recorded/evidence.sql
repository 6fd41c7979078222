WITH shown AS (
  SELECT (SELECT count(*) FROM layer WHERE point_id = $point) AS layers,
         (SELECT count(*) FROM kernel WHERE point_id = $point) AS kernels,
         (SELECT bool_and(rung = 'recorded') FROM run WHERE point_id = $point) AS is_recorded)
SELECT layers, kernels,
       NOT EXISTS (SELECT 1 FROM call_tree JOIN run USING (run_id) WHERE point_id = $point) AS is_unsampled
FROM shown WHERE is_recorded AND layers + kernels = 0
