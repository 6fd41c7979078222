-- One row per segment of the model and backend, those with the most time to gain first.
WITH rows AS (
  SELECT a.*, p.model, p.batch, p.backend,
         sum(a.latency_ns) OVER (PARTITION BY a.point_id) AS all_ns,
         -- A backend without such a segment spends nothing on it.
         CASE WHEN count(*) OVER segment < g.points THEN 0
              ELSE min(a.latency_ns) OVER segment END AS best_ns
  FROM aligned_layer a JOIN point p USING (point_id)
  JOIN (SELECT reference_point_id, count(DISTINCT point_id) AS points
        FROM aligned_layer GROUP BY ALL) g USING (reference_point_id)
  WINDOW segment AS (PARTITION BY a.reference_point_id, a.segment_index)),
reference AS (
  SELECT reference_point_id, segment_index, name AS reference_name, shape AS reference_shape
  FROM aligned_layer WHERE point_id = reference_point_id)
SELECT r.model, r.batch, r.backend,
       CASE WHEN r.segment_index IS NOT NULL THEN r.latency_ns - r.best_ns END AS over_best_ns,
       r.latency_ns, r.latency_ns / nullif(r.all_ns, 0) AS share, f.reference_name, r.type,
       coalesce(f.reference_shape, r.shape) AS shape, r.segment_index AS segment, r.name, r.layers
FROM rows r LEFT JOIN reference f USING (reference_point_id, segment_index)
ORDER BY r.model, r.batch,
         max(CASE WHEN r.segment_index IS NOT NULL THEN r.latency_ns - r.best_ns END)
           OVER (PARTITION BY r.reference_point_id, r.segment_index) DESC NULLS LAST,
         r.segment_index NULLS LAST, r.point_id, r.layer_index
