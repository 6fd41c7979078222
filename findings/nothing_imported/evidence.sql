WITH shown AS (
  SELECT (SELECT count(*) FROM layer WHERE point_id = $point) AS layers,
         (SELECT count(*) FROM kernel WHERE point_id = $point) AS kernels,
         (SELECT bool_and(rung = 'imported') FROM run WHERE point_id = $point) AS is_imported)
SELECT layers, kernels FROM shown WHERE is_imported AND layers + kernels = 0
